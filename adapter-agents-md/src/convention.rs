//! The convention and its variations.

use memory_core::{ClientId, LayerKind, Scope};

/// How a tool follows the AGENTS.md convention.
///
/// The default is the common ground: `AGENTS.md`, the nearest `.git` as the
/// root, no budget, texts as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Convention {
    /// The tool, for provenance.
    pub client: ClientId,
    /// What scope the files have.
    pub scope: Scope,
    /// What kind of layer the files are.
    pub kind: LayerKind,
    /// File names, the most preferred first; one file per folder is read.
    pub names: Vec<String>,
    /// File names that stand in when none of `names` is there. What is no plain
    /// file name is ignored, see [`plain_name`].
    pub fallbacks: Vec<String>,
    /// Names that mark the root of a project; the nearest folder with any of
    /// them is the root. Empty: only the start folder is searched.
    pub root_markers: Vec<String>,
    /// Bytes that all files together may have, or `None` for no limit.
    pub max_bytes: Option<u64>,
    /// What a file without content does to the other candidates of its folder.
    pub blank_files: BlankFiles,
    /// What one unreadable file does to the rest.
    pub unreadable_files: UnreadableFiles,
    /// Whether texts are trimmed.
    pub trim: Trim,
}

impl Default for Convention {
    fn default() -> Self {
        Self {
            client: ClientId("agents-md"),
            scope: Scope::Project,
            kind: LayerKind::Instructions,
            names: vec!["AGENTS.md".to_owned()],
            fallbacks: Vec::new(),
            root_markers: vec![".git".to_owned()],
            max_bytes: None,
            blank_files: BlankFiles::HideOthers,
            unreadable_files: UnreadableFiles::Skip,
            trim: Trim::Keep,
        }
    }
}

/// What a file without content does to the other candidates of its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BlankFiles {
    /// It is chosen all the same, and the folder contributes nothing.
    HideOthers,
    /// The next candidate is tried.
    FallThrough,
}

/// What one unreadable file does to the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadableFiles {
    /// All files are dropped.
    DropChain,
    /// The next candidate is tried.
    Skip,
}

/// Whether texts are trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trim {
    /// They are given as they are.
    Keep,
    /// White space at both ends goes.
    BothEnds,
}

/// The plain file name in an entry of a fallback list, white space around it
/// removed; `None` when it names a path or nothing.
///
/// ```
/// use adapter_agents_md::plain_name;
///
/// assert_eq!(plain_name(" CLAUDE.md "), Some("CLAUDE.md"));
/// assert_eq!(plain_name("docs/CLAUDE.md"), None);
/// assert_eq!(plain_name(".."), None);
/// ```
pub fn plain_name(entry: &str) -> Option<&str> {
    let name = entry.trim();
    (!matches!(name, "" | "." | "..") && !name.contains(['/', '\0', '\t', '\n', '\r']))
        .then_some(name)
}

impl Convention {
    /// The names that are looked for in each folder, in order, without doubles;
    /// the second value says whether it is a fallback.
    pub(crate) fn candidates(&self) -> Vec<(&str, bool)> {
        let fallbacks = self.fallbacks.iter().filter_map(|entry| plain_name(entry));
        let mut seen: Vec<(&str, bool)> = Vec::new();
        let names = self.names.iter().map(|name| (name.as_str(), false));
        for (name, fallback) in names.chain(fallbacks.map(|name| (name, true))) {
            if seen.iter().all(|(known, _)| *known != name) {
                seen.push((name, fallback));
            }
        }
        seen
    }
}
