//! Reading a skill's file: its start as text, the rest only checked.

use std::ops::ControlFlow;

use memory_core::fs::{Fs, IoError};
use memory_core::{AbsPath, Omission};

/// How much of a file is kept; all of it is checked.
const KEPT: usize = 16 << 20;
/// A file larger than this is refused by the client itself.
const REFUSED: u64 = 512 << 20;

/// A file that is text from beginning to end.
#[derive(Debug)]
pub(super) struct Text {
    /// Its first 16 MiB, all of it when it is shorter.
    pub(super) start: String,
    /// Whether there is more.
    pub(super) more: bool,
}

/// Reads a file, or says why the client does without it.
pub(super) fn read(fs: &dyn Fs, path: &AbsPath) -> Result<Text, Omission> {
    let found = fs.metadata(path).map_err(Omission::Unreadable)?;
    if found.len > REFUSED {
        let message = "larger than the 512 MiB that the client reads";
        return Err(Omission::Unreadable(IoError::in_words(message)));
    }
    let (mut kept, mut more) = (Vec::new(), false);
    let mut check = Utf8Check::default();
    fs.read_pieces(path, &mut |piece| {
        let room = KEPT - kept.len();
        more |= piece.len() > room;
        kept.extend_from_slice(piece.get(..room).unwrap_or(piece));
        check.add(piece);
        if check.failed { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .map_err(Omission::Unreadable)?;
    if !check.passed() {
        return Err(Omission::FrontmatterInvalid { why: "the file is not valid UTF-8".to_owned() });
    }
    // A character may be cut in two where the kept part ends.
    let whole = kept.utf8_chunks().next().map_or(0, |chunk| chunk.valid().len());
    kept.truncate(whole);
    Ok(Text { start: String::from_utf8(kept).unwrap_or_default(), more })
}

/// Checks a text that arrives in pieces.
#[derive(Debug, Default)]
struct Utf8Check {
    /// Bytes of a character that goes on in the next piece.
    open: Vec<u8>,
    failed: bool,
}

impl Utf8Check {
    fn add(&mut self, piece: &[u8]) {
        let mut rest = piece;
        while !self.failed && !self.open.is_empty() {
            let Some((byte, after)) = rest.split_first() else { return };
            self.open.push(*byte);
            rest = after;
            let open = std::mem::take(&mut self.open);
            self.scan(&open);
        }
        if !self.failed {
            self.scan(rest);
        }
    }

    fn scan(&mut self, bytes: &[u8]) {
        if let Err(error) = std::str::from_utf8(bytes) {
            self.failed = error.error_len().is_some();
            self.open = bytes.get(error.valid_up_to()..).unwrap_or_default().to_vec();
        }
    }

    fn passed(&self) -> bool {
        !self.failed && self.open.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use proptest::prelude::*;

    use super::*;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn an_invalid_byte_anywhere_loses_the_file() {
        let mut bytes = vec![b'a'; KEPT + 10];
        let fs = MemFs::from_files([("/f", &bytes)]);
        let text = read(&fs, &path("/f")).unwrap();
        assert_eq!((text.start.len(), text.more), (KEPT, true));
        bytes.push(0xe3);
        let fs = MemFs::from_files([("/f", &bytes)]);
        assert_eq!(read(&fs, &path("/f")).unwrap_err().code(), "frontmatter-invalid");
    }

    #[test]
    fn a_pipe_is_never_opened() {
        let mut fs = MemFs::new();
        fs.special("/f");
        assert_eq!(read(&fs, &path("/f")).unwrap_err().code(), "unreadable");
    }

    proptest! {
        #[test]
        fn pieces_are_judged_like_the_whole(
            bytes in proptest::collection::vec(
                prop_oneof![any::<u8>(), Just(0xe3), Just(0x81), Just(0x82), Just(b'a')], 0..40),
            cut in 0..40usize,
            next in 0..40usize,
        ) {
            let (head, tail) = bytes.split_at(cut.min(bytes.len()));
            let (middle, tail) = tail.split_at(next.min(tail.len()));
            let mut check = Utf8Check::default();
            for piece in [head, middle, tail] {
                check.add(piece);
            }
            prop_assert_eq!(check.passed(), std::str::from_utf8(&bytes).is_ok());
        }
    }
}
