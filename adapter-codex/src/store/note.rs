//! New notes: the one way to add to a memory that the client sanctions.

use memory_core::{AbsPath, World};
use unicode_normalization::UnicodeNormalization as _;

use crate::memory::extension::{AD_HOC, FOLDER, is_note_name};
use crate::memory::stem;
use crate::memory::tree::MemoryTree;

/// Characters of a slug made from a text.
const SLUG_LEN: usize = 40;
/// The slug of a text without a letter or digit of ASCII.
const NO_SLUG: &str = "note";

/// A note that is yet to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNote {
    /// Where to write it; nothing is there yet.
    pub path: AbsPath,
    /// What to write: the text as it was given.
    pub bytes: Vec<u8>,
}

/// Why a note is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteRefusal {
    /// It holds nothing but white space.
    Blank,
    /// Every name for it is taken.
    NoFreeName,
}

impl MemoryTree {
    /// A new note for the tree in the folder `root`, at `now` in seconds since 1970.
    ///
    /// Its name is one that the client's own tool accepts, made of the time and of
    /// what is ASCII in the text's first line; the text is kept byte for byte. The
    /// client reads it when it next works on the memory, and never removes it.
    ///
    /// ```
    /// use memory_core::{AbsPath, Env, World};
    /// use memory_core::fs::MemFs;
    ///
    /// let world = World { fs: &MemFs::new(), env: &Env::default() };
    /// let root = AbsPath::new("/h/.codex/memories_v2")?;
    /// let note = adapter_codex::MemoryTree::new_note(world, &root, "先頭のゼロを落とさない", 0).unwrap();
    /// assert_eq!(note.path.file_name(), Some("1970-01-01T00-00-00-note.md"));
    /// # Ok::<(), memory_core::Error>(())
    /// ```
    pub fn new_note(
        world: World<'_>,
        root: &AbsPath,
        text: &str,
        now: i64,
    ) -> Result<NewNote, NoteRefusal> {
        if text.trim().is_empty() {
            return Err(NoteRefusal::Blank);
        }
        let folder = root.join(FOLDER).join(AD_HOC).join("notes");
        let (stamp, slug) = (stem::stamp(now), slug(text));
        let numbered = (2..1_000).map(|number| format!("{stamp}-{slug}-{number}.md"));
        let path = std::iter::once(format!("{stamp}-{slug}.md"))
            .chain(numbered)
            .filter(|name| is_note_name(name))
            .map(|name| folder.join(name))
            .find(|path| world.fs.symlink_metadata(path).is_err())
            .ok_or(NoteRefusal::NoFreeName)?;
        Ok(NewNote { path, bytes: text.as_bytes().to_vec() })
    }
}

/// Words of ASCII from the first line that has some, wide letters included.
fn slug(text: &str) -> String {
    let slugs = text.lines().take(20).map(|line| {
        let mut slug = String::new();
        for c in line.chars().take(1_000).nfkc() {
            if c.is_ascii_alphanumeric() {
                slug.push(c.to_ascii_lowercase());
            } else if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        }
        let mut slug: String = slug.chars().take(SLUG_LEN).collect();
        slug.truncate(slug.trim_end_matches('-').len());
        slug
    });
    slugs.into_iter().find(|slug| !slug.is_empty()).unwrap_or_else(|| NO_SLUG.to_owned())
}

#[cfg(test)]
mod tests {
    use memory_core::Env;
    use memory_core::fs::MemFs;
    use proptest::prelude::*;

    use super::*;

    fn note(fs: &MemFs, text: &str) -> Result<String, NoteRefusal> {
        let root = AbsPath::new("/m").unwrap();
        let note =
            MemoryTree::new_note(World { fs, env: &Env::default() }, &root, text, 1_795_905_240)?;
        assert_eq!(note.bytes, text.as_bytes());
        Ok(note.path.file_name().unwrap().to_owned())
    }

    #[test]
    fn names_are_made_of_what_is_ascii() {
        let fs = MemFs::new();
        for (text, slug) in [
            ("Forget the link checker!\n", "forget-the-link-checker"),
            ("CSV の文字コードは cp932", "csv-cp932"),
            ("ＡＢＣ", "abc"),
            ("日本語だけ\n", "note"),
            ("日本語\nsecond line", "second-line"),
        ] {
            assert_eq!(note(&fs, text), Ok(format!("2026-11-28T22-34-00-{slug}.md")));
        }
    }

    #[test]
    fn blank_notes_are_refused_and_taken_names_avoided() {
        assert_eq!(note(&MemFs::new(), " \n\u{3000}"), Err(NoteRefusal::Blank));
        let taken = "/m/extensions/ad_hoc/notes/2026-11-28T22-34-00-note.md";
        let fs = MemFs::from_files([(taken, "")]);
        assert_eq!(note(&fs, "。"), Ok("2026-11-28T22-34-00-note-2.md".to_owned()));
    }

    proptest! {
        #[test]
        fn every_note_has_a_name_that_the_client_accepts(text in "(?s)[a-zA-Z0-9 あ\\n.-]{0,90}\\S") {
            prop_assert!(is_note_name(&note(&MemFs::new(), &text).unwrap()));
        }
    }
}
