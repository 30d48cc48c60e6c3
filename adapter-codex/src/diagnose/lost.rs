//! What the byte budget took, in words that a person knows: the headings.

use memory_core::doc::{Doc, Source};
use memory_core::{AbsPath, World};

/// Bytes behind a cut that are searched for headings.
const MAX_SEARCHED: u64 = 1 << 20;
/// Headings that are named.
const MAX_NAMED: usize = 6;

/// The headings of a file from a byte on, as a clause: `headings lost: "A", "B"`;
/// empty where there is none. Of many, the first ones and the last are named.
pub(super) fn headings(world: World<'_>, path: &AbsPath, from: u64) -> String {
    let bytes = world.fs.read_up_to(path, from.saturating_add(MAX_SEARCHED)).unwrap_or_default();
    let doc = Doc::parse(Source::new(bytes)).value;
    let sections = doc.sections();
    let is_lost = |start: usize| start as u64 >= from;
    let titles: Vec<&str> = sections
        .iter()
        .filter(|section| is_lost(section.heading.start))
        .map(|section| section.title.as_str())
        .filter(|title| !title.is_empty())
        .collect();
    let quoted = |titles: &[&str]| {
        let titles: Vec<_> = titles.iter().map(|title| format!("\"{title}\"")).collect();
        titles.join(", ")
    };
    match titles.as_slice() {
        [] => String::new(),
        all if all.len() <= MAX_NAMED => format!("headings lost: {}", quoted(all)),
        [first @ .., last] => {
            let named = first.get(..MAX_NAMED - 1).unwrap_or(first);
            let between = first.len() - named.len();
            format!("headings lost: {}, {between} more and \"{last}\"", quoted(named))
        }
    }
}

#[cfg(test)]
mod tests {
    use memory_core::Env;
    use memory_core::fs::MemFs;

    use super::*;

    fn lost(text: &str, from: u64) -> String {
        let fs = MemFs::from_files([("/a.md", text)]);
        let world = World { fs: &fs, env: &Env::default() };
        headings(world, &AbsPath::new("/a.md").unwrap(), from)
    }

    #[test]
    fn headings_behind_the_cut_are_named_and_code_is_none() {
        let text = "# A\n\n```\n# not one\n```\n## B\ntext\n";
        assert_eq!(lost(text, 4), "headings lost: \"B\"");
        assert_eq!(lost(text, 0), "headings lost: \"A\", \"B\"");
        assert_eq!(lost(text, 40), "");
    }

    #[test]
    fn of_many_headings_the_last_is_named_too() {
        let text = "# H1\n# H2\n# H3\n# H4\n# H5\n# H6\n# H7\n# H8\n# H9\n";
        assert_eq!(
            lost(text, 0),
            "headings lost: \"H1\", \"H2\", \"H3\", \"H4\", \"H5\", 3 more and \"H9\""
        );
    }
}
