//! One file as the client reads it.

use std::borrow::Cow;
use std::sync::Arc;

use memory_core::doc::LineIndex;
use memory_core::fs::{Fs, IoErrorKind, MAX_READ};
use memory_core::model::Fields;
use memory_core::{AbsPath, FileSize, Measure, Omission, TakenOut};

use super::frontmatter::Frontmatter;
use super::markdown::comments;
use super::{frontmatter, markdown};
use crate::profile::Profile;

/// A file shorter than this is read in one go, in bytes.
const USUAL_LEN: u64 = 1024 * 1024;

/// A file of instructions: its text without frontmatter and comments, and what it names.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The text, frontmatter and comment blocks taken out, ends not trimmed.
    pub(crate) text: Arc<str>,
    /// What of the file is not in the text.
    pub(crate) taken_out: Vec<TakenOut>,
    /// The keys of the frontmatter; `None` without frontmatter, or when it cannot be read.
    pub(crate) fields: Option<Fields>,
    /// Why `paths` that stand in the file are not among the keys; `None` when nothing is lost.
    pub(crate) lost_paths: Option<LostPaths>,
    /// The files that it imports, in the order of the text.
    pub(crate) imports: Vec<ImportLine>,
    /// The size on disk.
    pub(crate) size: FileSize,
}

/// Why the `paths` of a file are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LostPaths {
    /// A `---` in the middle of a line ended the frontmatter.
    EarlyEnd,
    /// A list item begins with a character that YAML gives a meaning.
    ListItem,
    /// The lines end in CRLF, which keeps the client from a repair.
    LineEnds,
    /// The frontmatter is no YAML for another reason.
    Unreadable,
}

/// A line that imports a file.
#[derive(Clone, Debug)]
pub(crate) struct ImportLine {
    /// The path as written, escapes resolved.
    pub(crate) path: String,
    /// The line, counted from 1.
    pub(crate) line: u32,
}

impl Document {
    /// Reads a file, or says why the client does not.
    pub(crate) fn read(fs: &dyn Fs, path: &AbsPath, profile: &Profile) -> Result<Self, Omission> {
        let read = fs.read_with_metadata(path, USUAL_LEN);
        let (found, mut bytes) = read.map_err(|error| match error.kind {
            IoErrorKind::NotFound | IoErrorKind::NotADirectory => Omission::BrokenLink,
            IoErrorKind::NotAFile | IoErrorKind::IsADirectory => Omission::NotAFile,
            _ => Omission::Unreadable(error),
        })?;
        if found.len > MAX_READ {
            return Err(Omission::TooLarge { limit: MAX_READ });
        }
        if bytes.len() as u64 >= USUAL_LEN {
            bytes = fs.read_up_to(path, MAX_READ).map_err(Omission::Unreadable)?;
        }
        Ok(Self::parse(bytes, profile))
    }

    /// Reads the bytes of a file.
    fn parse(bytes: Vec<u8>, profile: &Profile) -> Self {
        let size = FileSize { bytes: bytes.len() as u64, text: Some(Measure::of(&bytes)) };
        // Bytes that are text are not held twice.
        let whole = String::from_utf8(bytes)
            .unwrap_or_else(|broken| String::from_utf8_lossy(broken.as_bytes()).into_owned());
        let readable = profile.frontmatter_after_bom || !whole.starts_with('\u{feff}');
        let found = frontmatter::parse(&whole).filter(|_| readable);
        let start = found.as_ref().map_or(0, |found| found.body);
        let body = whole.get(start..).unwrap_or_default();
        let scanned = with_plain_newlines(body);
        let scan = markdown::scan(&scanned);
        let above = whole.get(..start).unwrap_or_default().matches('\n').count();
        let above = u32::try_from(above).unwrap_or(u32::MAX);
        let lines = (!scan.mentions.is_empty()).then(|| LineIndex::new(scanned.as_bytes()));
        let line =
            |at: usize| lines.as_ref().map_or(0, |lines| above.saturating_add(lines.line(at)));
        let imports = scan.mentions.into_iter();
        let imports =
            imports.map(|found| ImportLine { line: line(found.at), path: found.path }).collect();
        // Only a text that is put together anew loses its own line ends.
        let text: Arc<str> = match scan.comments.as_slice() {
            [] => body.into(),
            blocks => comments::remove(&scanned, blocks).into(),
        };
        let above = (start > 0).then_some(TakenOut::Frontmatter);
        let inside = (!scan.comments.is_empty()).then_some(TakenOut::Comments);
        let taken_out = above.into_iter().chain(inside).collect();
        let lost_paths = found.as_ref().and_then(|found| lost_paths(&whole, found));
        let fields = found.and_then(|found| found.fields);
        Self { text, taken_out, fields, lost_paths, imports, size }
    }

    /// Whether nothing is left of it.
    pub(crate) fn is_blank(&self) -> bool {
        self.text.chars().all(frontmatter::is_space)
    }
}

/// Why the `paths` that a person wrote into a frontmatter are not read.
fn lost_paths(whole: &str, found: &Frontmatter) -> Option<LostPaths> {
    let inner = whole.get(found.inner.clone())?;
    let has_paths = |text: &str| text.lines().any(|line| line.starts_with("paths:"));
    let early_end = !inner.is_empty() && !inner.ends_with('\n');
    if early_end {
        let meant = whole.get(found.inner.start..)?;
        let end = meant.find("\n---").unwrap_or(0);
        let lost = found.fields.as_ref().is_none_or(|fields| fields.get("paths").is_none());
        return (lost && has_paths(meant.get(..end)?)).then_some(LostPaths::EarlyEnd);
    }
    if found.fields.is_some() || !has_paths(inner) {
        return None;
    }
    let item = |line: &str| {
        let item = line.trim_start().strip_prefix("- ");
        item.is_some_and(|item| item.starts_with(['*', '{', '[', '&', '!', '%', '@', '`']))
    };
    Some(match () {
        () if inner.lines().any(item) => LostPaths::ListItem,
        () if inner.contains("\r\n") => LostPaths::LineEnds,
        () => LostPaths::Unreadable,
    })
}

/// The text with `\n` as its only line end.
fn with_plain_newlines(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}
