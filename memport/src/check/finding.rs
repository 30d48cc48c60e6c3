//! A finding before it is printed.

use memory_audit::{Check, without_secrets};
use memory_core::{AbsPath, Diagnostic, Severity};
use memport_documents::{FindingDocument, PlaceDocument};

/// Most characters of an excerpt.
const EXCERPT: usize = 160;

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) code: String,
    pub(crate) severity: Severity,
    /// The file; `None` where it is about no single one.
    pub(crate) path: Option<AbsPath>,
    pub(crate) line: Option<u32>,
    pub(crate) end_line: Option<u32>,
    pub(crate) excerpt: Option<String>,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
    pub(crate) fix: Option<Fix>,
    pub(crate) related: Vec<(AbsPath, Option<u32>)>,
}

/// Lines of a file that can go without a loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fix {
    pub(crate) path: AbsPath,
    pub(crate) line: u32,
}

impl Finding {
    /// A finding of the checks, about a file.
    pub(crate) fn of(check: Check, path: &AbsPath) -> Self {
        Self {
            code: check.code().0.to_owned(),
            severity: check.severity(),
            path: Some(path.clone()),
            line: None,
            end_line: None,
            excerpt: None,
            message: check.message().to_owned(),
            help: Some(check.help().to_owned()),
            fix: None,
            related: Vec::new(),
        }
    }

    /// What a client is told to say.
    pub(crate) fn told(told: Diagnostic) -> Self {
        Self {
            code: told.code.0.to_owned(),
            severity: told.severity,
            path: told.path,
            line: told.line,
            end_line: told.line,
            excerpt: None,
            message: told.message,
            help: told.help,
            fix: None,
            related: Vec::new(),
        }
    }

    pub(crate) fn on(mut self, line: u32, excerpt: &str) -> Self {
        self.line = Some(line);
        self.end_line = Some(line);
        self.excerpt = Some(shortened(excerpt));
        self
    }

    pub(crate) fn until(mut self, end_line: u32) -> Self {
        self.end_line = Some(end_line);
        self
    }

    /// What makes it the same finding in another answer.
    pub(crate) fn key(&self, root: &Root) -> (String, Option<u32>, String, String) {
        (root.said(self.path.as_ref()), self.line, self.code.clone(), root.in_words(&self.message))
    }

    pub(crate) fn to_document(&self, root: &Root) -> FindingDocument {
        let mut related: Vec<_> = self
            .related
            .iter()
            .map(|(path, line)| PlaceDocument { path: root.said(Some(path)), line: *line })
            .collect();
        related.dedup();
        FindingDocument {
            code: self.code.clone(),
            severity: memport_documents::Severity::of(self.severity),
            path: Some(root.said(self.path.as_ref())),
            line: self.line,
            end_line: self.end_line.or(self.line),
            excerpt: self.excerpt.clone(),
            message: root.in_words(&without_secrets(&self.message)),
            help: self.help.as_ref().map(|help| root.in_words(&without_secrets(help))),
            fix: None,
            related,
        }
    }
}

/// A line cut to what can be read at a glance.
pub(super) fn shortened(line: &str) -> String {
    let line = line.trim();
    let mut chars = line.chars();
    let mut short: String = chars.by_ref().take(EXCERPT).collect();
    if chars.next().is_some() {
        short.push('…');
    }
    short
}

/// The folder that paths are said from.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) folder: AbsPath,
}

impl Root {
    /// A path below the folder without it, any other as it is.
    pub(crate) fn said(&self, path: Option<&AbsPath>) -> String {
        let Some(path) = path else { return ".".to_owned() };
        match path.strip_prefix(&self.folder) {
            Some("") => ".".to_owned(),
            Some(below) => below.to_owned(),
            None if *path == self.folder => ".".to_owned(),
            None => path.to_string(),
        }
    }

    /// A sentence whose paths are said from the folder.
    pub(crate) fn in_words(&self, text: &str) -> String {
        let folder = self.folder.as_str();
        if folder == "/" {
            return text.to_owned();
        }
        let mut said = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(folder) {
            said += before;
            match after.strip_prefix('/') {
                Some(below) => rest = below,
                // The folder itself, or another one whose name goes on.
                None if after
                    .starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.')) =>
                {
                    said += folder;
                    rest = after;
                }
                None => {
                    said.push('.');
                    rest = after;
                }
            }
        }
        said + rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_names_paths_from_the_root() {
        let root = Root { folder: AbsPath::new("/w/p").unwrap() };
        for (text, want) in [
            ("cut in `/w/p/a/b.md` by /w/p", "cut in `a/b.md` by ."),
            ("/w/p2/a and /w/p/x", "/w/p2/a and x"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(root.in_words(text), want);
        }
    }
}
