//! Paths as data: absolute, lexically normalised, `/` between the parts.

use std::borrow::Borrow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An absolute path, lexically normalised, with `/` between its parts.
///
/// Normalised means: no `.` or `..`, no doubled or trailing slash. Nothing is
/// looked up, so a link in the path stays a link.
///
/// A file name that is not UTF-8 is kept without loss: each foreign byte is
/// stored as one private-use character (see [`AbsPath::from_bytes`]) and shown
/// as U+FFFD.
///
/// ```
/// use memory_core::AbsPath;
///
/// let path = AbsPath::new("/home/mio/./work/../notes/")?;
/// assert_eq!(path.as_str(), "/home/mio/notes");
/// assert_eq!(path.join("a.md").file_name(), Some("a.md"));
/// assert!(AbsPath::new("notes").is_err());
///
/// // From the paths of the standard library and back, whatever the bytes.
/// let path = AbsPath::try_from(std::path::Path::new("/home/mio"))?;
/// assert_eq!(path.to_path_buf(), std::path::Path::new("/home/mio"));
/// # Ok::<(), memory_core::NotAbsolute>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbsPath(Arc<str>);

/// A path that must be absolute is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is not an absolute path")]
pub struct NotAbsolute {
    /// The text as it was given.
    pub path: String,
}

impl AbsPath {
    /// Reads an absolute path and normalises it.
    ///
    /// Errors: [`NotAbsolute`] when the text names no root.
    pub fn new(text: impl AsRef<str>) -> Result<Self, NotAbsolute> {
        let text = text.as_ref();
        match root_len(text) {
            0 => Err(NotAbsolute { path: text.to_owned() }),
            _ => Ok(Self(normalise(text).into())),
        }
    }

    /// The root directory `/`.
    pub fn root() -> Self {
        Self("/".into())
    }

    /// Reads an absolute path from the bytes that a Unix system uses.
    ///
    /// Bytes that are no UTF-8 become private-use characters U+EF80–U+EFFF; a
    /// name that holds those characters itself is stored byte by byte in the
    /// same way, so [`AbsPath::to_bytes`] always gives back the original.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NotAbsolute> {
        Self::new(name_from_bytes(bytes))
    }

    /// The path as the bytes that a Unix system uses.
    pub fn to_bytes(&self) -> Vec<u8> {
        name_to_bytes(&self.0)
    }

    /// The path for the standard library. On a system whose file names are no
    /// bytes, what such a name can't hold becomes U+FFFD.
    pub fn to_path_buf(&self) -> PathBuf {
        #[cfg(unix)]
        let native: std::ffi::OsString = std::os::unix::ffi::OsStringExt::from_vec(self.to_bytes());
        #[cfg(not(unix))]
        let native = String::from_utf8_lossy(&self.to_bytes()).into_owned();
        native.into()
    }

    /// The path as text, foreign bytes as private-use characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part, or `None` for a root.
    pub fn file_name(&self) -> Option<&str> {
        let below = self.0.get(root_len(&self.0)..).filter(|below| !below.is_empty())?;
        Some(below.rsplit_once('/').map_or(below, |(_, name)| name))
    }

    /// The directory that holds this path, or `None` for a root.
    pub fn parent(&self) -> Option<Self> {
        let root = root_len(&self.0);
        if self.0.len() <= root {
            return None;
        }
        let cut = self.0.rfind('/').map_or(root, |slash| slash.max(root));
        self.0.get(..cut).map(|text| Self(text.into()))
    }

    /// This path, then its parent, and so on up to the root.
    pub fn ancestors(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self.clone()), Self::parent)
    }

    /// The names between the root and the end, in order.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &str> {
        let below = self.0.get(root_len(&self.0)..).unwrap_or_default();
        below.split('/').filter(|part| !part.is_empty())
    }

    /// Appends a relative path and normalises; an absolute one replaces this.
    #[must_use]
    pub fn join(&self, tail: impl AsRef<str>) -> Self {
        let tail = tail.as_ref();
        if root_len(tail) > 0 {
            return Self(normalise(tail).into());
        }
        let slash = if self.0.ends_with('/') { "" } else { "/" };
        let mut whole = String::with_capacity(self.0.len() + slash.len() + tail.len());
        whole.push_str(&self.0);
        whole.push_str(slash);
        whole.push_str(tail);
        // Most tails are a plain name, and this path is in order already.
        if is_normal(tail) { Self(whole.into()) } else { Self(normalise(&whole).into()) }
    }

    /// Whether this path is `base` or lies below it.
    pub fn starts_with(&self, base: &Self) -> bool {
        self.strip_prefix(base).is_some()
    }

    /// The part below `base`, empty when both are the same, `None` when this
    /// path does not lie below `base`.
    pub fn strip_prefix(&self, base: &Self) -> Option<&str> {
        let rest = self.0.strip_prefix(&*base.0)?;
        if rest.is_empty() || base.0.ends_with('/') {
            return Some(rest);
        }
        rest.strip_prefix('/')
    }

    /// The directories from `top` down to this path, both included.
    ///
    /// Only this path when `top` is not above it.
    pub fn from_top(&self, top: &Self) -> Vec<Self> {
        if !self.starts_with(top) {
            return vec![self.clone()];
        }
        let mut chain: Vec<Self> =
            self.ancestors().take_while(|dir| dir.starts_with(top)).collect();
        chain.reverse();
        chain
    }
}

impl TryFrom<&Path> for AbsPath {
    type Error = NotAbsolute;

    /// Reads a path of the standard library, bytes that are no UTF-8 included.
    ///
    /// Errors: [`NotAbsolute`] when it is relative.
    fn try_from(path: &Path) -> Result<Self, Self::Error> {
        let name = name_from_bytes(path.as_os_str().as_encoded_bytes());
        #[cfg(windows)]
        let name = {
            let slashed = name.replace('\\', "/");
            slashed.strip_prefix("//?/").map_or_else(|| slashed.clone(), str::to_owned)
        };
        Self::new(name)
    }
}

impl TryFrom<PathBuf> for AbsPath {
    type Error = NotAbsolute;

    /// As from a [`Path`].
    fn try_from(path: PathBuf) -> Result<Self, Self::Error> {
        Self::try_from(&*path)
    }
}

impl Borrow<str> for AbsPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AbsPath {
    /// Writes the path for people: a foreign byte is shown as U+FFFD.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

impl fmt::Debug for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", &*self.0)
    }
}

/// Length in bytes of the root that begins `text`: `/` or `C:/`; 0 without one.
fn root_len(text: &str) -> usize {
    match text.as_bytes() {
        [b'/', ..] => 1,
        [drive, b':', b'/', ..] if drive.is_ascii_alphabetic() => 3,
        _ => 0,
    }
}

/// Whether the parts of a relative path are names only.
fn is_normal(tail: &str) -> bool {
    !tail.as_bytes().split(|byte| *byte == b'/').any(|part| matches!(part, b"" | b"." | b".."))
}

fn normalise(text: &str) -> String {
    let root = root_len(text);
    let mut parts: Vec<&str> = Vec::new();
    for part in text.get(root..).unwrap_or_default().split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    let mut path = text.get(..root).unwrap_or_default().to_owned();
    path.push_str(&parts.join("/"));
    path
}

/// First of the characters that stand for the bytes 0x80 to 0xFF.
const FOREIGN: u32 = 0xEF80;

fn foreign_byte(c: char) -> Option<u8> {
    let offset = (c as u32).checked_sub(FOREIGN)?;
    u8::try_from(offset).ok().filter(|low| *low < 0x80).map(|low| low | 0x80)
}

fn foreign_char(byte: u8) -> char {
    char::from_u32(FOREIGN + u32::from(byte & 0x7f)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Whether there may be a character that stands for a byte; most names hold none.
fn may_hold_foreign(bytes: &[u8]) -> bool {
    // The first byte of all of them in UTF-8.
    memchr::memchr(0xEE, bytes).is_some()
}

/// Reads a file name that a Unix system gave as bytes, without loss.
pub fn name_from_bytes(bytes: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(bytes)
        && !may_hold_foreign(bytes)
    {
        return text.to_owned();
    }
    let mut name = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if foreign_byte(c).is_some() {
                let mut buffer = [0; 4];
                name.extend(c.encode_utf8(&mut buffer).bytes().map(foreign_char));
            } else {
                name.push(c);
            }
        }
        name.extend(chunk.invalid().iter().copied().map(foreign_char));
    }
    name
}

/// The bytes of a name that [`name_from_bytes`] made.
pub fn name_to_bytes(name: &str) -> Vec<u8> {
    if !may_hold_foreign(name.as_bytes()) {
        return name.as_bytes().to_vec();
    }
    let mut bytes = Vec::with_capacity(name.len());
    for c in name.chars() {
        match foreign_byte(c) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// A name as a client that decodes it leniently shows it.
fn shown(name: &str) -> std::borrow::Cow<'_, str> {
    if !may_hold_foreign(name.as_bytes()) {
        return name.into();
    }
    String::from_utf8_lossy(&name_to_bytes(name)).into_owned().into()
}

/// A relative path below some root, normalised, never leaving that root.
///
/// ```
/// use memory_core::RelPath;
///
/// assert_eq!(RelPath::new("a/./b.md").unwrap().as_str(), "a/b.md");
/// assert!(RelPath::new("../b.md").is_none());
/// assert!(RelPath::new("/b.md").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(String);

impl RelPath {
    /// Reads a relative path; `None` when it is absolute or steps above its root.
    pub fn new(text: &str) -> Option<Self> {
        if root_len(text) > 0 {
            return None;
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                name => parts.push(name),
            }
        }
        Some(Self(parts.join("/")))
    }

    /// The path as text, `/` between the parts.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn normalising_is_lexical() {
        for (given, want) in [
            ("/", "/"),
            ("//a//b/", "/a/b"),
            ("/a/../../b", "/b"),
            ("C:/x/../y", "C:/y"),
            ("/a/./b", "/a/b"),
        ] {
            assert_eq!(path(given).as_str(), want);
        }
        assert_eq!(path("/a").join("../b").as_str(), "/b");
        assert_eq!(path("/a").join("/c").as_str(), "/c");
    }

    #[test]
    fn prefixes_end_at_a_part() {
        assert!(path("/a/b").starts_with(&path("/a")));
        assert!(!path("/ab").starts_with(&path("/a")));
        assert_eq!(path("/a/b").strip_prefix(&path("/")), Some("a/b"));
        let chain = path("/a/b/c").from_top(&path("/a"));
        assert_eq!(chain, [path("/a"), path("/a/b"), path("/a/b/c")]);
        assert_eq!(path("/a").ancestors().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn paths_of_the_standard_library_come_back_whatever_their_bytes() {
        use std::os::unix::ffi::OsStrExt as _;

        for bytes in [&b"/a/\xff\xfe.md"[..], "/\u{ef80}x".as_bytes(), "/メモ".as_bytes()] {
            let native = Path::new(std::ffi::OsStr::from_bytes(bytes));
            assert_eq!(AbsPath::try_from(native).unwrap().to_path_buf(), native);
        }
        let relative = AbsPath::try_from(PathBuf::from("a"));
        assert_eq!(relative, Err(NotAbsolute { path: "a".to_owned() }));
    }

    #[test]
    fn foreign_bytes_survive_and_print_as_replacement() {
        for bytes in [&b"/a/\xff\xfe.md"[..], "/\u{ef80}x".as_bytes(), "/メモ".as_bytes()] {
            assert_eq!(AbsPath::from_bytes(bytes).unwrap().to_bytes(), bytes);
        }
        assert_eq!(AbsPath::from_bytes(b"/\xff").unwrap().to_string(), "/\u{fffd}");
    }
}
