//! Texts read as numbers, as the client's language reads them.

/// The number that JavaScript's `Number()` makes of a text; `None` where that is
/// no number at all.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if text.is_empty() {
        return Some(0.0);
    }
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        let digits = text.get(..2).filter(|start| start.eq_ignore_ascii_case(prefix));
        if digits.is_some() {
            return in_radix(text.get(2..)?, radix);
        }
    }
    let (sign, size) = match text.strip_prefix(['+', '-']) {
        Some(size) => (if text.starts_with('-') { -1.0 } else { 1.0 }, size),
        None => (1.0, text),
    };
    if size == "Infinity" {
        return Some(sign * f64::INFINITY);
    }
    // The standard library reads words and signs that are no numbers here.
    let is_plain = size.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && size.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    if !is_plain {
        return None;
    }
    size.parse::<f64>().ok().map(|size| sign * size)
}

fn in_radix(digits: &str, radix: u32) -> Option<f64> {
    let start = (!digits.is_empty()).then_some(0.0);
    digits
        .chars()
        .fold(start, |number, c| Some(number? * f64::from(radix) + f64::from(c.to_digit(radix)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbers_as_in_javascript() {
        for (text, want) in [
            (" 5000.7 ", 5000.7),
            ("1e3", 1000.0),
            ("0x64", 100.0),
            (".5e2", 50.0),
            ("5.", 5.0),
            ("-5", -5.0),
            ("+5", 5.0),
            ("", 0.0),
            ("-Infinity", f64::NEG_INFINITY),
        ] {
            assert_eq!(number(text), Some(want), "{text}");
        }
        for text in ["x", "inf", "nan", "1_000", "1 2", "--5", "0x", "1e", "-0x5", "5px"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
