//! What was carried, kept beside the files so that it can be brought back.

use serde::{Deserialize, Serialize};

use super::PortPlace;
use super::recipe::{Step, recipe};
use crate::client::ClientId;
use crate::digest::Digest;
use crate::error::Error;
use crate::fs::{Content, Fs};
use crate::model::SourceFile;
use crate::path::{AbsPath, RelPath};

/// Where a manifest lies, below the project or the home directory.
const FILE: &str = ".memport/port.toml";

const HEAD: &str = "\
# What memport carried from one client's files to another's. Keep it with them:
# it tells which text is a copy of which, and brings the originals back.

";

/// The largest manifest that is read, in bytes.
const LIMIT: u64 = 64 << 20;

/// One file that was carried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// The client it belongs to.
    pub(super) client: String,
    /// The client it was carried to.
    pub(super) target: String,
    /// The project whose port noted it, as [`Names`] writes it. Only in the
    /// manifest of a home directory, for what other projects carry otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) project: Option<String>,
    /// What kind of thing it is.
    pub(super) kind: String,
    /// The file, as [`Names`] writes it.
    pub(super) from: String,
    /// The fingerprint of what stood there.
    pub(super) digest: String,
    /// Its permission bits, in octal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<String>,
    /// How its bytes come back out of all parts, one behind the other; none
    /// where they are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) recipe: Vec<Step>,
    /// Other files that became one text with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) with: Vec<Companion>,
    /// Where it went.
    pub(super) parts: Vec<PartEntry>,
}

/// A file that became one text with another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Companion {
    /// The file, as [`Names`] writes it.
    pub(super) from: String,
    /// The fingerprint of what stood there.
    pub(super) digest: String,
    /// Its permission bits, in octal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) mode: Option<String>,
    /// How its bytes come back out of all parts, one behind the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) recipe: Vec<Step>,
}

/// Where a file went, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PartEntry {
    /// The file it went to, as [`Names`] writes it.
    pub(super) file: String,
    /// The part of that file; `None` when the file is nothing else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) section: Option<String>,
    /// The fingerprint of what was written.
    pub(super) digest: String,
    /// How it was made of the file's bytes; none where they are the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) made: Vec<Step>,
}

#[derive(Default, Serialize, Deserialize)]
struct Manifest {
    schema: u32,
    #[serde(default)]
    carried: Vec<Entry>,
}

/// The manifest of one folder, as it is and as it is to be.
pub(super) struct ManifestFile {
    pub(super) path: AbsPath,
    pub(super) before: Option<Vec<u8>>,
    pub(super) entries: Vec<Entry>,
}

impl ManifestFile {
    /// Reads the manifest of a folder; one that is not there is empty.
    ///
    /// Errors when it is there and cannot be used: going on without it would
    /// take every copy for somebody else's text.
    pub(super) fn read(fs: &dyn Fs, folder: &AbsPath) -> Result<Self, Error> {
        let path = folder.join(FILE);
        let before = match fs.read_up_to(&path, LIMIT) {
            Ok(bytes) => bytes,
            Err(error) if error.is_absence() && fs.symlink_metadata(&path).is_err() => {
                return Ok(Self { path, before: None, entries: Vec::new() });
            }
            Err(error) if error.is_absence() => {
                return Err(Error::Manifest { path, why: "it is a link to nothing".to_owned() });
            }
            Err(source) => return Err(Error::Io { path, source }),
        };
        let bad = |why: String| Error::Manifest { path: path.clone(), why };
        let text = std::str::from_utf8(&before).map_err(|error| bad(error.to_string()))?;
        let read: Manifest =
            toml::from_str(text).map_err(|error| bad(error.message().to_owned()))?;
        if read.schema != 1 {
            return Err(bad(format!("it is of schema {}, and only 1 is known", read.schema)));
        }
        Ok(Self { path, before: Some(before), entries: read.carried })
    }

    /// Its bytes as they are to be; `None` when there is nothing to keep.
    pub(super) fn bytes(&self) -> Result<Option<Vec<u8>>, Error> {
        if self.entries.is_empty() {
            return Ok(None);
        }
        let mut carried = self.entries.clone();
        carried.sort_by(|a, b| {
            let a = (&a.client, &a.target, &a.from, &a.project);
            a.cmp(&(&b.client, &b.target, &b.from, &b.project))
        });
        let text = toml::to_string(&Manifest { schema: 1, carried })
            .map_err(|error| Error::Manifest { path: self.path.clone(), why: error.to_string() })?;
        Ok(Some(format!("{HEAD}{text}").into_bytes()))
    }
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

    /// A file that became a part of what was made of another.
    pub(super) fn companion(&self, file: &SourceFile, made: &[u8]) -> Option<Companion> {
        let Content::File { bytes, mode } = &file.content else { return None };
        Some(Companion {
            from: self.name(&file.path),
            digest: fingerprint(&file.content),
            mode: mode.map(|mode| format!("{:o}", mode & 0o777)),
            recipe: recipe(bytes, made),
        })
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

/// What the fingerprint of a link begins with.
pub(super) const LINK: &str = "link:";

/// The fingerprint of a file's bytes, or of a link's target.
pub(super) fn fingerprint(content: &Content) -> String {
    match content {
        Content::File { bytes, .. } => Digest::of(bytes).to_string(),
        Content::Symlink { target } => format!("{LINK}{target}"),
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

    #[test]
    fn a_manifest_that_is_there_and_cannot_be_read_is_no_empty_one() {
        let folder = AbsPath::new("/r").unwrap();
        let read = |fs: &MemFs| ManifestFile::read(fs, &folder).map(|file| file.before);
        let mut fs = MemFs::new();
        assert_eq!(read(&fs), Ok(None));
        fs.link("/r/.memport/port.toml", "gone");
        let error = read(&fs).unwrap_err().to_string();
        assert!(error.contains("a link to nothing; mend it"), "{error}");
        fs.file("/r/.memport/port.toml", "schema = 2\n");
        assert!(read(&fs).unwrap_err().to_string().contains("schema 2"));
    }
}
