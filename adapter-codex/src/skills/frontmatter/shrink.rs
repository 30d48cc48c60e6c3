//! Makes a huge block small without changing what the client takes from it.

/// Characters of a value that are kept: more than any that is shown.
const KEPT: usize = 8 << 10;

/// The block without the plain entries that the client ignores, and with long
/// plain values cut.
///
/// An entry is plain when it is one line of words and the next line begins at
/// the margin too; all else stays. Once a quote or a bracket stays open at the
/// end of a line, the rest is kept as it is.
pub(super) fn shrink(block: &str) -> String {
    let mut kept = String::new();
    let mut lines = block.lines().peekable();
    let mut open = false;
    while let Some(line) = lines.next() {
        let ends_here = lines.peek().is_none_or(|next| starts_at_margin(next));
        match plain(line).filter(|_| ends_here && !open) {
            Some(("name" | "description", value)) if value.len() > KEPT => {
                let until = line.len() - value.len() + KEPT;
                kept.extend(line.char_indices().take_while(|(at, _)| *at < until).map(|(_, c)| c));
                kept.push('\n');
            }
            Some((key, _)) if !matches!(key, "name" | "description" | "metadata") => {}
            _ => {
                open |= leaves_open(line);
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}

fn starts_at_margin(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// Key and value of an entry that is nothing but words.
fn plain(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(": ")?;
    let is_key = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | '-' | '_' | '/');
    let starts = value.starts_with(char::is_alphanumeric);
    let plain = starts_at_margin(key) && key.chars().all(is_key) && starts;
    (plain && value.chars().all(is_word)).then_some((key, value))
}

/// Whether a quote or a bracket may go on in the next line.
fn leaves_open(line: &str) -> bool {
    let count = |wanted: char| line.matches(wanted).count();
    count('"') % 2 == 1
        || count('\'') % 2 == 1
        || count('[') != count(']')
        || count('{') != count('}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_entries_that_nobody_reads_go() {
        let block = "x: a b\nname: n\ny: c\n  d\nz: 'e'\nw: f\nmetadata:\n  short-description: s";
        let want = "name: n\ny: c\n  d\nz: 'e'\nmetadata:\n  short-description: s\n";
        assert_eq!(shrink(block), want);
    }

    #[test]
    fn nothing_goes_after_an_open_quote() {
        let block = "x: 'a\nb: c\nd: e'";
        assert_eq!(shrink(block), format!("{block}\n"));
    }

    #[test]
    fn long_words_are_cut_between_characters() {
        let block = format!("description: {}", "語".repeat(KEPT));
        let short = shrink(&block);
        assert!(short.trim_end().chars().count() > 1024 && short.len() < block.len());
    }
}
