//! One line of the listing and what it costs.

/// A description, or only its length where the text is the client's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Description {
    /// The text.
    Text(String),
    /// So many ASCII characters.
    Ascii(u64),
}

impl Description {
    /// Length in characters.
    pub(super) fn chars(&self) -> u64 {
        match self {
            Self::Text(text) => text.chars().count() as u64,
            Self::Ascii(chars) => *chars,
        }
    }

    /// Length in bytes of the first `chars` characters.
    pub(super) fn bytes(&self, chars: u64) -> u64 {
        match self {
            Self::Text(text) => self.text(chars).unwrap_or(text).len() as u64,
            Self::Ascii(all) => chars.min(*all),
        }
    }

    /// The first `chars` characters; `None` where the text is not known.
    pub(super) fn text(&self, chars: u64) -> Option<&str> {
        let Self::Text(text) = self else { return None };
        let chars = usize::try_from(chars).unwrap_or(usize::MAX);
        let end = text.char_indices().nth(chars).map_or(text.len(), |(at, _)| at);
        text.get(..end)
    }

    /// Length in bytes of each character in order.
    fn widths(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        match self {
            Self::Text(text) => Box::new(text.chars().map(|c| c.len_utf8() as u64)),
            Self::Ascii(chars) => Box::new((0..*chars).map(|_| 1)),
        }
    }
}

/// A line of the listing before it is cut.
#[derive(Clone, Debug)]
pub(super) struct Line<'a> {
    /// The name.
    pub(super) name: &'a str,
    /// The description.
    pub(super) description: &'a Description,
    /// The path as it is shown.
    pub(super) path: String,
}

impl Line<'_> {
    /// Length in bytes with so many bytes of description, the line end included.
    fn bytes(&self, description: u64) -> u64 {
        let bare = "- : (file: )\n".len() + self.name.len() + self.path.len();
        let blank = u64::from(description > 0);
        bare as u64 + description + blank
    }

    /// The line itself, without its end.
    pub(super) fn render(&self, description: Option<&str>) -> String {
        let Self { name, path, .. } = self;
        match description {
            Some(text) if !text.is_empty() => format!("- {name}: {text} (file: {path})"),
            _ => format!("- {name}: (file: {path})"),
        }
    }
}

/// What the budget leaves of the lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fit {
    /// Characters of description for each line; `None` where the line is left out.
    pub(super) shares: Vec<Option<u64>>,
    /// Cost of all lines when nothing is cut, in tokens.
    pub(super) wanted: u64,
    /// Cost of what is shown, in tokens.
    pub(super) used: u64,
}

impl Fit {
    /// Lines that are shown.
    pub(super) fn shown(&self) -> usize {
        self.shares.iter().flatten().count()
    }

    /// Characters of description that are not shown.
    pub(super) fn cut_chars(&self, lines: &[Line<'_>]) -> u64 {
        let cut = |(line, share): (&Line<'_>, &Option<u64>)| {
            line.description.chars() - share.unwrap_or_default()
        };
        lines.iter().zip(&self.shares).map(cut).sum()
    }
}

/// Fits the lines into a number of tokens.
///
/// All in full when that fits; else all with as much of each description as
/// there is room for, one character a round; else the bare lines in order,
/// passing over those that do not fit.
pub(super) fn fit(lines: &[Line<'_>], limit: u64, bytes_per_token: u64) -> Fit {
    let tokens = |bytes: u64| bytes.div_ceil(bytes_per_token);
    let full = |line: &Line<'_>| line.bytes(line.description.bytes(u64::MAX));
    let wanted = lines.iter().map(|line| tokens(full(line))).sum();
    let least: u64 = lines.iter().map(|line| tokens(line.bytes(0))).sum();
    if wanted <= limit {
        let shares = lines.iter().map(|line| Some(line.description.chars())).collect();
        return Fit { shares, wanted, used: wanted };
    }
    let mut used = 0;
    if least > limit {
        let mut bare = |line: &Line<'_>| {
            let cost = tokens(line.bytes(0));
            (used + cost <= limit).then(|| used += cost)
        };
        let shares = lines.iter().map(|line| bare(line).map(|()| 0)).collect();
        return Fit { shares, wanted, used };
    }
    used = least;
    let mut growing: Vec<Growing<'_>> = lines
        .iter()
        .map(|line| Growing {
            bytes: line.bytes(0),
            chars: 0,
            rest: line.description.widths().peekable(),
        })
        .collect();
    loop {
        let before = growing.iter().map(|line| line.chars).sum::<u64>();
        for line in &mut growing {
            let Some(width) = line.rest.peek() else { continue };
            let blank = u64::from(line.chars == 0);
            let longer = line.bytes + width + blank;
            let cost = tokens(longer) - tokens(line.bytes);
            if used + cost <= limit {
                used += cost;
                line.bytes = longer;
                line.chars += 1;
                line.rest.next();
            }
        }
        if growing.iter().map(|line| line.chars).sum::<u64>() == before {
            break;
        }
    }
    Fit { shares: growing.iter().map(|line| Some(line.chars)).collect(), wanted, used }
}

/// A line while its description grows.
struct Growing<'a> {
    bytes: u64,
    chars: u64,
    rest: std::iter::Peekable<Box<dyn Iterator<Item = u64> + 'a>>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(text: &str) -> Description {
        Description::Text(text.to_owned())
    }

    fn lines<'a>(descriptions: &'a [Description], paths: &[&str]) -> Vec<Line<'a>> {
        let path = |at: usize| paths.get(at).copied().unwrap_or("r0/x/SKILL.md").to_owned();
        let line = |(at, description)| Line { name: "n", description, path: path(at) };
        descriptions.iter().enumerate().map(line).collect()
    }

    #[test]
    fn descriptions_grow_in_turn() {
        let descriptions = [text("abcdefgh"), text("xy"), text("日本語の説明")];
        let lines = lines(&descriptions, &[]);
        let least = fit(&lines, 0, 4);
        assert_eq!((least.shown(), least.used), (0, 0));
        // 27 bytes each without a description: one byte is free.
        let fitted = fit(&lines, 21 + 3, 4);
        assert_eq!(fitted.shares, [Some(4), Some(2), Some(1)]);
        assert_eq!((fitted.used, fitted.cut_chars(&lines)), (24, 9));
        assert_eq!(fit(&lines, 100, 4).cut_chars(&lines), 0);
    }

    #[test]
    fn a_long_bare_line_is_passed_over() {
        let descriptions = [text("a"), text("b"), text("c")];
        let long = "r0/a-very-long-folder-name/SKILL.md";
        let lines = lines(&descriptions, &["r0/x/SKILL.md", long]);
        assert_eq!(fit(&lines, 15, 4).shares, [Some(0), None, Some(0)]);
    }

    #[test]
    fn a_length_costs_what_the_text_would() {
        let known = [text("hello"), text("abc")];
        let unknown = [Description::Ascii(5), Description::Ascii(3)];
        for limit in 0..24 {
            assert_eq!(fit(&lines(&known, &[]), limit, 4), fit(&lines(&unknown, &[]), limit, 4));
        }
    }

    proptest! {
        #[test]
        fn the_limit_holds_and_the_cost_is_that_of_the_lines(
            texts in proptest::collection::vec("[a-z日é ]{0,12}", 1..6),
            limit in 0..60u64,
        ) {
            let descriptions: Vec<Description> = texts.iter().map(|one| text(one)).collect();
            let lines = lines(&descriptions, &[]);
            let fitted = fit(&lines, limit, 4);
            let cost: u64 = lines
                .iter()
                .zip(&fitted.shares)
                .filter_map(|(line, share)| share.map(|share| (line, share)))
                .map(|(line, share)| line.render(line.description.text(share)).len() as u64 + 1)
                .map(|bytes| bytes.div_ceil(4))
                .sum();
            prop_assert_eq!(cost, fitted.used);
            prop_assert!(fitted.used <= limit);
        }
    }
}
