//! How far the budget of project instructions reaches.

/// Bytes that the client keeps of each file of a chain, root first.
pub(super) fn kept<'a>(files: impl IntoIterator<Item = &'a [u8]>, limit: u64) -> Vec<u64> {
    let mut left = usize::try_from(limit).unwrap_or(usize::MAX);
    let keep = |bytes: &'a [u8]| {
        let head = bytes.get(..left).unwrap_or(bytes);
        // What is blank as far as it is read costs nothing.
        if String::from_utf8_lossy(head).trim().is_empty() {
            return if head.len() == bytes.len() { head.len() as u64 } else { 0 };
        }
        left -= head.len();
        head.len() as u64
    };
    files.into_iter().map(keep).collect()
}

/// The line, counted from 1, in which the byte at `offset` stands.
pub(super) fn line_at(bytes: &[u8], offset: u64) -> u32 {
    let offset = usize::try_from(offset).unwrap_or(usize::MAX);
    let head = bytes.get(..offset).unwrap_or(bytes);
    let lines = memchr::memchr_iter(b'\n', head).count();
    u32::try_from(lines + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_is_kept_first_and_blank_heads_cost_nothing() {
        let chain = |files: &[&str], limit| kept(files.iter().map(|text| text.as_bytes()), limit);
        assert_eq!(chain(&["aaaa", "bbbb", "cc"], 6), [4, 2, 0]);
        assert_eq!(chain(&["aaaa", "  \n", "cc"], 6), [4, 0, 2]);
        assert_eq!(chain(&["    bb", "cc"], 3), [0, 2]);
        assert_eq!(line_at(b"a\nb\nc", 2), 2);
        assert_eq!(line_at(b"a\nb\nc", 9), 3);
    }
}
