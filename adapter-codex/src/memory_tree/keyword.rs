//! Lists of keywords on one line.

/// The keywords of a line: parted by commas of either script, quotes around a
/// keyword left out.
pub(super) fn keywords(line: &str) -> impl Iterator<Item = String> {
    line.split([',', '、', '，', '､'])
        .map(|word| word.trim().trim_matches(['`', '"', '“', '”']).trim().to_owned())
        .filter(|word| !word.is_empty())
}

/// Parts `label: value`; a colon of either script.
pub(super) fn labelled(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.split_once([':', '：'])?;
    Some((label.trim(), value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_of_both_scripts_part_keywords() {
        let words: Vec<_> = keywords("csv, \"leading zero\"、文字コード, , `cp932`").collect();
        assert_eq!(words, ["csv", "leading zero", "文字コード", "cp932"]);
    }
}
