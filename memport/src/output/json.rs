//! JSON that a terminal may show as it is.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};

use crate::text::is_unsafe;

/// Writes a document in lines, with a line end. Characters that a terminal
/// would obey, reorder or hide are escaped; what is read back is the same text.
pub(super) fn write(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    let formatter = Visible { pretty: PrettyFormatter::new() };
    document.serialize(&mut Serializer::with_formatter(&mut *out, formatter))?;
    out.write_all(b"\n")
}

/// The usual layout, and escapes for what is no plain text.
struct Visible {
    pretty: PrettyFormatter<'static>,
}

impl Formatter for Visible {
    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> io::Result<()> {
        // Most text is plain, and the usual controls do not come here.
        if text.is_ascii() && !text.contains('\u{7f}') {
            return out.write_all(text.as_bytes());
        }
        let mut rest = text;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_unsafe(*c)) {
            let (plain, tail) = rest.split_at(at);
            out.write_all(plain.as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = tail.get(c.len_utf8()..).unwrap_or_default();
        }
        out.write_all(rest.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.begin_array(out)
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.end_array(out)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_array_value(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.end_array_value(out)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.begin_object(out)
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.end_object(out)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.pretty.begin_object_key(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.begin_object_value(out)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pretty.end_object_value(out)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written(document: &impl Serialize) -> String {
        let mut out = Vec::new();
        write(&mut out, document).unwrap();
        String::from_utf8(out).unwrap()
    }

    proptest! {
        #[test]
        fn no_control_is_raw_and_the_text_is_the_same(text in any::<String>()) {
            let json = written(&text);
            prop_assert!(json.trim_end().chars().all(|c| !is_unsafe(c)));
            prop_assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
        }
    }

    #[test]
    fn the_layout_is_the_usual_one() {
        let document =
            serde_json::json!({ "a": [1, { "b": null }], "c": {}, "日本": "\u{202e}\u{e0041}" });
        let usual = serde_json::to_string_pretty(&document).unwrap();
        let ours = written(&document);
        let plain = ours.replace(r"\u202e", "\u{202e}").replace(r"\udb40\udc41", "\u{e0041}");
        assert_eq!(plain, usual + "\n");
    }
}
