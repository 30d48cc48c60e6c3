//! Fenced code blocks, followed from line to line.

/// Follows the fenced code blocks of a Markdown text from line to line.
///
/// ```
/// use memory_core::doc::{FenceLine, Fences};
///
/// let mut fences = Fences::default();
/// let lines = ["# a", "```md", "# b", "```", "# c"].map(|line| fences.next(line));
/// assert_eq!(lines, [
///     FenceLine::Text,
///     FenceLine::Opening,
///     FenceLine::Code,
///     FenceLine::Closing,
///     FenceLine::Text,
/// ]);
/// ```
///
/// A block that is never closed runs to the end, as Markdown has it. Who takes
/// an unclosed fence for text looks at [`Fences::is_open`] after the last line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fences {
    /// The sign of the open fence and how often it stands.
    open: Option<(char, usize)>,
}

/// What a line is to the code blocks around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceLine {
    /// Neither code nor a fence.
    Text,
    /// A fence that begins a block.
    Opening,
    /// A line inside a block.
    Code,
    /// The fence that ends a block.
    Closing,
}

impl Fences {
    /// Takes the next line, with or without its line end.
    pub fn next(&mut self, line: &str) -> FenceLine {
        match (self.open, fence(line)) {
            (None, Some((sign, count, info))) if sign == '~' || !info.contains('`') => {
                self.open = Some((sign, count));
                FenceLine::Opening
            }
            (None, _) => FenceLine::Text,
            (Some((open, least)), Some((sign, count, info)))
                if open == sign && count >= least && info.trim().is_empty() =>
            {
                self.open = None;
                FenceLine::Closing
            }
            (Some(_), _) => FenceLine::Code,
        }
    }

    /// Whether the lines so far end inside a block.
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

/// The sign of a fence, how often it stands, and what follows it.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let text = line.trim_start_matches(' ');
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let info = text.trim_start_matches(sign);
    let (indent, count) = (line.len() - text.len(), text.len() - info.len());
    (indent <= 3 && count >= 3).then_some((sign, count, info))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that are no code.
    fn text(lines: &[&str]) -> String {
        let mut fences = Fences::default();
        let outside = lines.iter().filter(|line| fences.next(line) == FenceLine::Text);
        outside.copied().collect::<Vec<_>>().join("|")
    }

    #[test]
    fn only_its_own_sign_as_long_and_bare_closes_a_fence() {
        assert_eq!(text(&["~~~", "```", "~~", "~~~ x", "~~~~\n", "a"]), "a");
        assert_eq!(text(&["````", "```", "a", "````", "b"]), "b");
        assert_eq!(text(&["    ```", "a", "   ```", "b"]), "    ```|a");
        assert_eq!(text(&["``` a`b", "c", "``", "d"]), "``` a`b|c|``|d");
    }
}
