//! `\u1234` in what the model wrote.

use crate::memory::MemoryProfile;

/// The text with `\u1234` replaced by the character it stands for.
///
/// A doubled backslash starts no escape, and halves of pairs stay as they are
/// written; so do control characters in later releases.
pub(super) fn decoded(profile: &MemoryProfile, text: &str) -> String {
    let mut rest = text;
    let mut decoded = String::with_capacity(text.len());
    while let Some((before, after)) = rest.split_once('\\') {
        decoded.push_str(before);
        let escape = rest.get(before.len()..).unwrap_or_default();
        let found = character(escape);
        if let Some((c, left)) =
            found.filter(|(c, _)| !(c.is_control() && profile.keeps_control_escapes))
        {
            decoded.push(c);
            rest = left;
        } else {
            decoded.push('\\');
            // The second of two backslashes belongs to the first.
            rest = after.strip_prefix('\\').map_or(after, |left| {
                decoded.push('\\');
                left
            });
        }
    }
    decoded.push_str(rest);
    decoded
}

/// The character that the escape at the start of a text stands for, and what follows.
fn character(text: &str) -> Option<(char, &str)> {
    let (first, rest) = unit(text)?;
    if let Some(c) = char::from_u32(first.into()) {
        return Some((c, rest));
    }
    let (second, rest) = unit(rest)?;
    let pair = char::decode_utf16([first, second]).next()?;
    pair.ok().map(|c| (c, rest))
}

fn unit(text: &str) -> Option<(u16, &str)> {
    let digits = text.strip_prefix("\\u")?;
    let (digits, rest) = (digits.get(..4)?, digits.get(4..)?);
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    Some((u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)?, rest))
}

/// The text with `\u1234` for every character that is not ASCII.
pub(super) fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            encoded.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            encoded.push_str("\\u");
            let digits = [12, 8, 4, 0].map(|shift| u32::from(*unit >> shift & 0xf));
            encoded.extend(digits.iter().filter_map(|digit| char::from_digit(*digit, 16)));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_characters() {
        for (text, want) in [
            (r"a \u3042 \u0041 \uABCD", "a あ A ꯍ"),
            (r"\ud83d\ude00 \ud83d x \ude00", r"😀 \ud83d x \ude00"),
            (r"\\u3042 \\\u3042", r"\\u3042 \\あ"),
            (r"\u{3042} \u304 \u30422 \n \x41", r"\u{3042} \u304 あ2 \n \x41"),
            (r"\u0000 \u000a \u007f \u0085 \u0022 \u005c", r#"\u0000 \u000a \u007f \u0085 " \"#),
            (r"\", r"\"),
        ] {
            assert_eq!(decoded(&MemoryProfile::CLAUDE_2_1_332, text), want);
        }
        assert_eq!(decoded(&MemoryProfile::CLAUDE_2_1_197, r"\u0007\u000a"), "\u{7}\n");
        assert_eq!(encoded("aあ😀"), r"a\u3042\ud83d\ude00");
    }
}
