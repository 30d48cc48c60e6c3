//! What was carried, kept beside the files: one line for each part.
//!
//! Lines are sorted and stand apart from each other, so that version control
//! merges two manifests as it merges lists. It survives a merge that was not
//! finished, too: what both sides say is read, and a line that cannot be read
//! is as good as lost.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::PortPlace;
use super::recipe::Step;
use crate::client::ClientId;
use crate::digest::Digest;
use crate::error::Error;
use crate::fs::Fs;
use crate::path::{AbsPath, RelPath};
use crate::plan::Change;

/// Where a manifest lies, below the project or the home directory.
const FILE: &str = ".memport/port.toml";

const HEAD: &str = "\
# What memport carried from one client's files to another's, a line for each part. Keep it with
# them: it tells which text is a copy of which, and what was said of it.
schema = 2
carried = [
";

const SCHEMA: u32 = 2;

/// The largest manifest that is read, in bytes.
const MAX_LEN: u64 = 64 << 20;

/// One part that was carried.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The file it comes from, as [`Names`] writes it.
    pub(super) from: String,
    /// The file it went to.
    pub(super) to: String,
    /// Where in that file; `None` when the file is nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<At>,
    /// The key of the text when both were the same last.
    pub(super) base: String,
    /// The client it belongs to, and that it was carried to.
    pub(super) client: String,
    pub(super) target: String,
    /// What kind of thing it is.
    pub(super) kind: String,
    /// The key of the file it comes from, where that one is not the same text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<String>,
    /// Other files that became one text with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) with: Vec<String>,
    /// The permission bits of the file it comes from, in octal digits, where
    /// they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<String>,
    /// Whether the lines of the file it comes from end as on Windows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) crlf: bool,
    /// How the bytes of the file it comes from come out of the part's text with a
    /// line feed behind it; none where they are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) rest: Vec<Step>,
    /// Whether another part of the same file brings it back.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) other: bool,
    /// The project whose port noted it, as [`Names`] writes it. Only in the
    /// manifest of a home directory, for what other projects carry otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) project: Option<String>,
}

/// Where in a file a part stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum At {
    /// At the top, without a mark; the name is that of the mark it would have.
    Top(String),
    /// Below the mark of this name.
    Mark(String),
    /// On a line of its own.
    Line,
}

impl At {
    /// The name of a part.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Top(name) | Self::Mark(name) => Some(name),
            Self::Line => None,
        }
    }
}

/// A loss that somebody agreed to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Accepted {
    /// The file whose loss it is.
    pub(super) loss: String,
    /// The code of the loss.
    pub(super) how: String,
    /// What it is, for people.
    pub(super) what: String,
    /// From which client to which.
    pub(super) way: String,
}

/// A line of a manifest.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Entry(Box<Entry>),
    Accepted(Accepted),
}

/// The manifest of one folder, as it is and as it is to be.
pub(super) struct ManifestFile {
    pub(super) path: AbsPath,
    pub(super) before: Option<Vec<u8>>,
    pub(super) entries: Vec<Entry>,
    pub(super) accepted: BTreeSet<Accepted>,
    /// Lines that could not be read.
    pub(super) unread: usize,
    /// Whether only its owner reads it.
    is_private: bool,
}

impl ManifestFile {
    /// Reads the manifest of a folder; one that is not there is empty.
    ///
    /// Errors when it is there and cannot be looked at: going on without it would
    /// take copies for somebody else's text.
    pub(super) fn read(fs: &dyn Fs, folder: &AbsPath, is_private: bool) -> Result<Self, Error> {
        let path = folder.join(FILE);
        let (entries, accepted) = (Vec::new(), BTreeSet::new());
        let mut file = Self { path, before: None, entries, accepted, unread: 0, is_private };
        let before = match fs.read_up_to(&file.path, MAX_LEN) {
            Ok(bytes) => bytes,
            Err(error) if error.is_absence() && fs.symlink_metadata(&file.path).is_err() => {
                return Ok(file);
            }
            Err(error) if error.is_absence() => {
                let why = "it is a link to nothing".to_owned();
                return Err(Error::Manifest { path: file.path, why });
            }
            Err(source) => return Err(Error::Io { path: file.path, source }),
        };
        file = file.parsed(&before)?;
        file.before = Some(before);
        Ok(file)
    }

    /// The same file with these bytes in it.
    pub(super) fn parsed(&self, bytes: &[u8]) -> Result<Self, Error> {
        let mut file = self.like();
        for line in String::from_utf8_lossy(bytes).lines() {
            let line = line.trim().trim_end_matches(',');
            if let Some(schema) =
                line.strip_prefix("schema = ").and_then(|number| number.parse::<u32>().ok())
                && schema > SCHEMA
            {
                let why = format!("it is of schema {schema}, and only {SCHEMA} is known");
                return Err(Error::Manifest { path: file.path, why });
            }
            if line.is_empty() || line.starts_with('#') || is_frame(line) {
                continue;
            }
            let parsed: Result<Line, _> = toml::Deserializer::parse(&format!("it = {line}"))
                .and_then(|text| It::deserialize(text).map(|it| it.it));
            match parsed {
                Ok(Line::Entry(entry)) if !file.entries.contains(&entry) => {
                    file.entries.push(*entry);
                }
                Ok(Line::Entry(_)) => {}
                Ok(Line::Accepted(accepted)) => {
                    file.accepted.insert(accepted);
                }
                Err(_) => file.unread += 1,
            }
        }
        Ok(file)
    }

    /// The change that gives it these bytes.
    pub(super) fn change(&self, fs: &dyn Fs, bytes: Vec<u8>) -> Change {
        let path = self.path.clone();
        let wanted = self.is_private.then_some(0o600);
        let Some(before) = &self.before else {
            return Change::Create { path, bytes: bytes.into(), mode: wanted };
        };
        let now = fs.metadata(&path).ok().and_then(|found| found.mode);
        let mode = wanted.filter(|mode| now.is_some_and(|now| now & 0o777 != *mode));
        Change::Replace { path, expect: Digest::of(before), bytes: bytes.into(), mode }
    }

    /// Its bytes as they are to be; `None` when there is nothing to keep.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        if self.entries.is_empty() && self.accepted.is_empty() {
            return None;
        }
        let mut text = HEAD.to_owned();
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort();
        let entries = entries.into_iter().filter_map(|entry| toml::Value::try_from(entry).ok());
        list(&mut text, entries);
        if !self.accepted.is_empty() {
            text.push_str("accepted = [\n");
            list(&mut text, self.accepted.iter().filter_map(|it| toml::Value::try_from(it).ok()));
        }
        Some(text.into_bytes())
    }

    /// An empty one in the same place.
    pub(super) fn like(&self) -> Self {
        Self {
            path: self.path.clone(),
            before: None,
            entries: Vec::new(),
            accepted: BTreeSet::new(),
            unread: 0,
            is_private: self.is_private,
        }
    }
}

/// What a line says.
#[derive(Deserialize)]
struct It {
    it: Line,
}

/// A list with a blank line behind each item: changes of neighbours do not touch.
fn list(text: &mut String, items: impl Iterator<Item = toml::Value>) {
    for (number, item) in items.enumerate() {
        if number > 0 {
            text.push('\n');
        }
        text.push_str(&on_one_line(&item));
        text.push_str(",\n");
    }
    text.push_str("]\n");
}

/// A value as TOML has it, on one line whatever its texts hold.
fn on_one_line(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => {
            let quoted = serde_json::to_string(text).unwrap_or_default();
            quoted.replace('\u{7f}', "\\u007f")
        }
        toml::Value::Array(items) => {
            let items: Vec<String> = items.iter().map(on_one_line).collect();
            format!("[{}]", items.join(", "))
        }
        toml::Value::Table(table) => {
            let pairs: Vec<String> = table
                .iter()
                .map(|(key, value)| format!("{key} = {}", on_one_line(value)))
                .collect();
            format!("{{ {} }}", pairs.join(", "))
        }
        value => value.to_string(),
    }
}

/// Whether a line holds the items together, or is a mark of a merge.
fn is_frame(line: &str) -> bool {
    line == "]"
        || line == "======="
        || ["schema =", "carried =", "accepted =", "<<<<<<<", "|||||||", ">>>>>>>"]
            .iter()
            .any(|frame| line.starts_with(frame))
}

/// How paths are written in manifests: below the project as relative ones,
/// below the home directory from `~/`, all others from the root.
pub(super) struct Names<'a> {
    pub(super) place: &'a PortPlace,
}

impl Names<'_> {
    pub(super) fn name(&self, path: &AbsPath) -> String {
        if let Some(rest) = path.strip_prefix(&self.place.project) {
            // A folder may have that name.
            let is_like_home = rest.starts_with("~/");
            return if is_like_home { format!("./{rest}") } else { rest.to_owned() };
        }
        self.name_from_home(path)
    }

    /// How a path is written that says nothing of the project it is in.
    pub(super) fn name_from_home(&self, path: &AbsPath) -> String {
        match path.strip_prefix(&self.place.home) {
            Some(rest) => format!("~/{rest}"),
            None => path.as_str().to_owned(),
        }
    }

    /// The project of an entry in the manifest of a home directory.
    pub(super) fn project_of(&self, entry: &Entry) -> Option<AbsPath> {
        match entry.project.as_deref() {
            None => Some(self.place.project.clone()),
            Some(name) => match name.strip_prefix("~/") {
                Some(rest) => Some(self.place.home.join(RelPath::new(rest)?.as_str())),
                None => AbsPath::new(name).ok(),
            },
        }
    }

    /// The path of a name; `None` for one that leads out of its folder.
    ///
    /// A manifest comes with a project and may be anybody's: that of a project
    /// speaks only of files below it.
    pub(super) fn path(&self, name: &str, own: bool) -> Option<AbsPath> {
        if let Some(rest) = name.strip_prefix("~/") {
            let rest = RelPath::new(rest)?;
            return (!own).then(|| self.place.home.join(rest.as_str()));
        }
        if let Some(rest) = RelPath::new(name) {
            return (!rest.as_str().is_empty()).then(|| self.place.project.join(rest.as_str()));
        }
        if own { None } else { AbsPath::new(name).ok() }
    }
}

/// Whether two clients are those of an entry.
pub(super) fn is_between(entry: &Entry, client: ClientId, target: ClientId) -> bool {
    entry.client == client.0 && entry.target == target.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemFs;

    fn entry(from: &str, base: &str) -> Entry {
        Entry {
            from: from.to_owned(),
            to: "B.md".to_owned(),
            at: Some(At::Mark(from.to_owned())),
            base: base.to_owned(),
            client: "a".to_owned(),
            target: "b".to_owned(),
            kind: "rule".to_owned(),
            of: None,
            with: Vec::new(),
            mode: None,
            crlf: false,
            rest: vec![Step::Text("---\nx: \"1\"\n---\n".to_owned()), Step::Copy(0, 3)],
            other: false,
            project: None,
        }
    }

    fn read(text: &[u8]) -> ManifestFile {
        let mut fs = MemFs::new();
        fs.file("/r/.memport/port.toml", text);
        ManifestFile::read(&fs, &AbsPath::new("/r").unwrap(), false).unwrap()
    }

    #[test]
    fn a_line_for_each_part_in_a_file_that_is_toml() {
        let mut file = read(b"");
        file.entries = vec![entry("b.md", "2"), entry("a.md", "1")];
        file.accepted.insert(Accepted {
            loss: "a.md".to_owned(),
            how: "dropped".to_owned(),
            what: "rule".to_owned(),
            way: "a to b".to_owned(),
        });
        let bytes = file.bytes().unwrap();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with("{ ")).count(), 3, "{text}");
        assert!(toml::from_str::<toml::Table>(&text).is_ok(), "{text}");
        let again = read(&bytes);
        assert_eq!(again.entries, [entry("a.md", "1"), entry("b.md", "2")]);
        assert_eq!((again.accepted, again.unread), (file.accepted, 0));
    }

    #[test]
    fn a_merge_that_was_not_finished_says_what_both_sides_say() {
        let line = |entry: &Entry| on_one_line(&toml::Value::try_from(entry).unwrap());
        let text = format!(
            "schema = 2\ncarried = [\n<<<<<<< HEAD\n{},\n=======\n{},\n>>>>>>> other\nnonsense,\n]\n",
            line(&entry("a.md", "1")),
            line(&entry("a.md", "2")),
        );
        let file = read(text.as_bytes());
        assert_eq!(file.entries, [entry("a.md", "1"), entry("a.md", "2")]);
        assert_eq!(file.unread, 1);
    }

    #[test]
    fn a_manifest_that_cannot_be_looked_at_is_no_empty_one() {
        let folder = AbsPath::new("/r").unwrap();
        let mut fs = MemFs::new();
        fs.link("/r/.memport/port.toml", "gone");
        let error = ManifestFile::read(&fs, &folder, false).err().unwrap().to_string();
        assert!(error.contains("a link to nothing; mend it"), "{error}");
        fs.file("/r/.memport/port.toml", "schema = 3\n");
        let error = ManifestFile::read(&fs, &folder, false).err().unwrap().to_string();
        assert!(error.contains("schema 3"), "{error}");
        // What an older release wrote says nothing any more, and is told.
        assert!(read(b"schema = 1\n[[carried]]\nfrom = \"a\"\n").unread > 0);
    }
}
