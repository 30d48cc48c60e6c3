//! A random project in the making.

use std::collections::BTreeMap;

use memory_core::AbsPath;

use super::chance::Chance;
use crate::{Node, Tree};

/// A marked word: one that stands in one place only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canary {
    /// The word: `CANARY_0042`.
    pub word: String,
    /// The file it stands in; the first of them where it stands in several.
    pub file: AbsPath,
    /// The line there, counted from 1.
    pub line: u32,
    /// What it is part of: `nested CLAUDE.md`, `skill`, …
    pub kind: &'static str,
    /// Whether it must not be published with the project.
    pub is_private: bool,
}

/// A random project in the making: nothing that is there is ever replaced.
pub(super) struct Draft {
    pub(super) chance: Chance,
    pub(super) base: AbsPath,
    pub(super) home: AbsPath,
    pub(super) project: AbsPath,
    words: Vec<(String, &'static str, bool)>,
    nodes: BTreeMap<AbsPath, Node>,
    order: Vec<AbsPath>,
    modes: Vec<(AbsPath, u32)>,
}

impl Draft {
    pub(super) fn new(seed: u64, base: &AbsPath) -> Self {
        let mut chance = Chance::new(seed);
        let places = [
            "srv/team/app",
            "srv/team/app",
            "home/mio/code/app",
            "srv/資料/アプリ",
            "srv/my work/the app",
        ];
        let (home, project) = (base.join("home/mio"), base.join(chance.pick(&places)));
        let mut draft = Self {
            chance,
            base: base.clone(),
            home,
            project: project.clone(),
            words: Vec::new(),
            nodes: BTreeMap::new(),
            order: Vec::new(),
            modes: Vec::new(),
        };
        let root = match draft.chance.below(10) {
            0 => None,
            1 => project.parent(),
            _ => Some(project),
        };
        if let Some(root) = root {
            draft.bytes(&root.join(".git/HEAD"), "ref: refs/heads/main\n");
        }
        draft
    }

    /// A new marked word.
    pub(super) fn word(&mut self, kind: &'static str) -> String {
        self.new_word(kind, false)
    }

    /// A new marked word that must not be published.
    pub(super) fn private(&mut self, kind: &'static str) -> String {
        self.new_word(kind, true)
    }

    fn new_word(&mut self, kind: &'static str, is_private: bool) -> String {
        let word = format!("CANARY_{:04}", self.words.len());
        self.words.push((word.clone(), kind, is_private));
        word
    }

    /// Puts something where nothing is in the way; says whether it did.
    pub(super) fn put(&mut self, path: &AbsPath, node: Node) -> bool {
        let in_the_way = |at: &AbsPath| self.nodes.get(at).is_some_and(|node| *node != Node::Dir);
        let is_free = !self.nodes.contains_key(path)
            && !path.ancestors().any(|at| in_the_way(&at))
            && !self.nodes.keys().any(|at| at.starts_with(path));
        if is_free {
            self.nodes.insert(path.clone(), node);
            self.order.push(path.clone());
        }
        is_free
    }

    /// Puts a file as it is.
    pub(super) fn bytes(&mut self, path: &AbsPath, bytes: impl AsRef<[u8]>) -> bool {
        self.put(path, Node::File(bytes.as_ref().to_vec()))
    }

    /// Puts a text, sometimes with other line ends, a byte order mark or blank ends.
    pub(super) fn text(&mut self, path: &AbsPath, text: &str) -> bool {
        let mut text = text.to_owned();
        if self.chance.one_in(6) {
            text = text.replace('\n', "\r\n");
        }
        match self.chance.below(12) {
            0 => text.insert(0, '\u{feff}'),
            1 => text.push_str("\n\n\n"),
            2 => text.truncate(text.trim_end().len()),
            _ => {}
        }
        self.bytes(path, text)
    }

    /// Puts a link.
    pub(super) fn link(&mut self, path: &AbsPath, target: &str) -> bool {
        self.put(path, Node::Link(target.to_owned()))
    }

    /// Sets the permission bits of a file that was put.
    pub(super) fn mode(&mut self, path: &AbsPath, mode: u32) {
        if matches!(self.nodes.get(path), Some(Node::File(_))) {
            self.modes.push((path.clone(), mode));
        }
    }

    /// The project's folder or one below it.
    pub(super) fn folder(&mut self) -> AbsPath {
        if self.chance.one_in(3) { self.project.clone() } else { self.nested() }
    }

    /// A folder below the project's.
    pub(super) fn nested(&mut self) -> AbsPath {
        let names = ["packages/web", "packages/api", "src", "src/deep/er", "docs", "データ", "lib"];
        self.project.join(self.chance.pick(&names))
    }

    /// Some paragraphs with at least one marked word.
    pub(super) fn body(&mut self, kind: &'static str, is_private: bool) -> String {
        let mut body = String::new();
        for _ in 0..=self.chance.below(3) {
            let word = self.new_word(kind, is_private);
            let paragraph = match self.chance.below(11) {
                0 => format!("# Title\n\n{word} comes first.\n"),
                1 => format!("- one\n- {word} two\n  - three\n"),
                2 => format!("```sh\necho {word} # @not/an-import.md\n```\n"),
                3 => format!("資料は{word}に従って書く。「先頭のゼロ」を落とさない。\n"),
                4 => format!("One line.\n\n\n{word} after two blank lines.   \n"),
                5 => format!("| a | b |\n|---|---|\n| {word} | 2 |\n"),
                6 => format!("> {word} quoted\n\n---\n\nAfter a rule.\n"),
                7 => {
                    let hidden = self.new_word("block comment", is_private);
                    format!("{word} before\n\n<!-- {hidden} for people -->\n\nafter\n")
                }
                8 => format!("{word} with <!-- an inline comment --> and `code`.\n"),
                9 => format!("Write to {word}@example.org or see [a page](https://e.org/#x).\n"),
                _ => format!("{word} Keep it short. Claude Code and Codex both read CLAUDE.md.\n"),
            };
            body.push_str(&paragraph);
            body.push('\n');
        }
        body
    }

    /// A frontmatter block, or nothing in most cases.
    pub(super) fn front(&mut self, is_private: bool) -> String {
        if !self.chance.one_in(5) {
            return String::new();
        }
        let word = self.new_word("frontmatter", is_private);
        format!("---\nowner: {word}\n---\n")
    }

    /// The tree so far.
    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::default();
        for folder in [&self.project, &self.home] {
            tree.put(folder.clone(), Node::Dir);
        }
        for (path, node) in &self.nodes {
            tree.put(path.clone(), node.clone());
        }
        for (path, mode) in &self.modes {
            tree.mode(path.clone(), *mode);
        }
        tree
    }

    /// The marked words that stand somewhere, in the order in which they were made.
    pub(super) fn canaries(&self) -> Vec<Canary> {
        let found = self.words.iter().filter_map(|(word, kind, is_private)| {
            self.order.iter().find_map(|file| {
                let Some(Node::File(bytes)) = self.nodes.get(file) else { return None };
                let text = String::from_utf8_lossy(bytes);
                let (before, _) = text.split_once(word)?;
                let line = u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX - 1) + 1;
                let (word, file) = (word.clone(), file.clone());
                Some(Canary { word, file, line, kind, is_private: *is_private })
            })
        });
        found.collect()
    }
}
