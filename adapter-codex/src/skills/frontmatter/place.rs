//! Where an error says that it lies.

/// Says the lines of the file instead of those of the block, which begins in
/// the file's second line.
pub(super) fn in_file(why: &str) -> String {
    with_places(why, |line, column| format!(" at line {} column {column}", line + 1))
}

/// Says no place at all: the text that was read has other lines than the file.
pub(super) fn nowhere(why: &str) -> String {
    with_places(why, |_, _| String::new())
}

/// Writes each ` at line 1 column 2` of a message anew.
fn with_places(why: &str, write: impl Fn(u64, u64) -> String) -> String {
    let mut pieces = why.split(" at line ");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        if let Some((line, column, rest)) = place(piece) {
            text.push_str(&write(line, column));
            text.push_str(rest);
        } else {
            text.push_str(" at line ");
            text.push_str(piece);
        }
    }
    text
}

/// Line and column at the start of a text, and what comes after them.
fn place(text: &str) -> Option<(u64, u64, &str)> {
    let (line, rest) = number(text)?;
    let (column, rest) = number(rest.strip_prefix(" column ")?)?;
    Some((line, column, rest))
}

fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at_checked(end)?;
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_a_message_is_that_of_the_file() {
        let why = "did not find ']' at line 2 column 1, while parsing at line 1 column 8";
        assert_eq!(
            in_file(why),
            "did not find ']' at line 3 column 1, while parsing at line 2 column 8"
        );
        assert_eq!(nowhere(why), "did not find ']', while parsing");
        for plain in
            ["", "at line 1", "x at line two column 3", " at line 99999999999999999999 column 1"]
        {
            assert_eq!(in_file(plain), plain);
        }
    }
}
