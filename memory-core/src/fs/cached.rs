//! A file system that is asked each thing once.

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::rc::Rc;

use crate::fs::{DirEntries, DirEntry, FileKind, Fs, IoError, IoErrorKind, Metadata};
use crate::path::AbsPath;

/// The largest file whose bytes are kept, in bytes.
const MAX_KEPT: u64 = 1024 * 1024;

/// The largest folder whose names are kept, in entries.
const MAX_ENTRIES: usize = 10_000;

/// A file system as it was when it was first asked: every question costs one call.
///
/// For an answer that looks at the same files with several eyes, as a port does
/// with those of two clients. What others write meanwhile is not seen, so it is
/// made for one answer and not to be kept. Files over 1 MiB and folders of more
/// than 10,000 entries are read again each time.
///
/// What a listing shows is not asked again: a name that is not in it, in no
/// case, is not there, and a regular file in it is opened at once.
///
/// ```
/// use memory_core::AbsPath;
/// use memory_core::fs::{CachedFs, Fs, MemFs, Recorder};
///
/// let disk = MemFs::from_files([("/repo/AGENTS.md", "hi")]);
/// let asked = Recorder::new(&disk);
/// let fs = CachedFs::new(&asked);
/// let path = AbsPath::new("/repo/AGENTS.md")?;
/// for _ in 0..9 {
///     assert_eq!(fs.read_with_metadata(&path, 100).unwrap().1, b"hi");
///     assert!(fs.metadata(&path).unwrap().is_file());
/// }
/// assert_eq!(asked.calls(), 1);
/// # Ok::<(), memory_core::Error>(())
/// ```
pub struct CachedFs<'a> {
    inner: &'a dyn Fs,
    known: RefCell<HashMap<AbsPath, Known, foldhash::fast::RandomState>>,
}

/// What is known of one path.
#[derive(Default)]
struct Known {
    /// What it is, links followed.
    leads_to: Option<Result<Metadata, IoError>>,
    /// What it is, a link being a link.
    is: Option<Result<Metadata, IoError>>,
    link: Option<Result<String, IoError>>,
    entries: Option<Result<Rc<Entries>, IoError>>,
    real: Option<Result<AbsPath, IoError>>,
    bytes: Option<Result<Bytes, IoError>>,
    /// Whether it is a folder in which something could be looked at.
    is_open: bool,
}

impl Known {
    /// Whether it is there, or the error that says that it is not; `None` where
    /// neither is known.
    fn is_there(&self) -> Option<Result<(), IoError>> {
        let told = [
            self.leads_to.as_ref().map(|it| it.as_ref().map(drop)),
            self.real.as_ref().map(|it| it.as_ref().map(drop)),
            self.entries.as_ref().map(|it| it.as_ref().map(drop)),
            // A link that is there may lead nowhere.
            self.is.as_ref().filter(|it| it.is_err()).map(|it| it.as_ref().map(drop)),
        ];
        let told = told.into_iter().flatten();
        let mut sure = told
            .filter(|it| it.as_ref().err().is_none_or(|error| error.kind == IoErrorKind::NotFound));
        sure.next().map(|it| it.map_err(Clone::clone))
    }

    /// Whether its listing shows that it holds no such name.
    fn lacks(&self, name: &str) -> bool {
        let entries = self.entries.as_ref().filter(|_| self.is_open);
        entries.and_then(|it| it.as_ref().ok()).is_some_and(|entries| entries.lacks(name))
    }
}

/// The names in a folder.
struct Entries {
    list: Vec<Result<DirEntry, IoError>>,
    /// Whether these are all names there are.
    is_whole: bool,
    /// What each of them is; made when it is first asked for.
    kinds: OnceCell<HashMap<String, FileKind>>,
    /// All names in lower case; made when it is first asked for.
    folded: OnceCell<HashSet<String>>,
}

impl Entries {
    fn kind(&self, name: &str) -> Option<FileKind> {
        let kinds = self.kinds.get_or_init(|| {
            let found = self.list.iter().flatten();
            found.map(|entry| (entry.name.clone(), entry.kind)).collect()
        });
        kinds.get(name).copied()
    }

    /// Whether there is no such name, whatever the file system thinks of upper
    /// and lower case; names that are not ASCII may have several spellings.
    fn lacks(&self, name: &str) -> bool {
        let folded = self.folded.get_or_init(|| {
            self.list.iter().flatten().map(|entry| entry.name.to_lowercase()).collect()
        });
        self.is_whole && name.is_ascii() && !folded.contains(&name.to_ascii_lowercase())
    }
}

/// The start of a file.
#[derive(Clone)]
struct Bytes {
    start: Rc<[u8]>,
    /// Whether that is all of it.
    is_all: bool,
}

impl Bytes {
    fn up_to(&self, limit: u64) -> Option<&[u8]> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        match self.start.get(..limit) {
            Some(start) => Some(start),
            None => self.is_all.then_some(&*self.start),
        }
    }
}

impl<'a> CachedFs<'a> {
    /// Remembers what `inner` answers.
    pub fn new(inner: &'a dyn Fs) -> Self {
        Self { inner, known: RefCell::default() }
    }

    /// What is known of a path, asked for where it is not.
    fn answer<T: Clone>(
        &self,
        path: &AbsPath,
        slot: impl Fn(&mut Known) -> &mut Option<Result<T, IoError>>,
        ask: impl FnOnce() -> Result<T, IoError>,
    ) -> Result<T, IoError> {
        if let Some(answer) = self.known.borrow_mut().get_mut(path).and_then(|it| slot(it).clone())
        {
            return answer;
        }
        // Below what is not there is nothing.
        let answer = self.absence(path).map_or_else(ask, Err);
        let mut known = self.known.borrow_mut();
        // A folder that may not be searched says neither.
        if answer.as_ref().err().is_none_or(|error| error.kind == IoErrorKind::NotFound)
            && let Some((folder, _)) = path.as_str().rsplit_once('/')
            && let Some(folder) = known.get_mut(folder)
        {
            folder.is_open = true;
        }
        *slot(known.entry(path.clone()).or_default()) = Some(answer.clone());
        answer
    }

    /// What is known of a path without asking.
    fn look<T>(&self, path: &AbsPath, look: impl FnOnce(&Known) -> Option<T>) -> Option<T> {
        self.known.borrow().get(path).and_then(look)
    }

    /// What is known of the folder of a path without asking, and its name in it.
    fn look_above<T>(
        &self,
        path: &AbsPath,
        look: impl FnOnce(&Known, &str) -> Option<T>,
    ) -> Option<T> {
        let (folder, name) = path.as_str().rsplit_once('/')?;
        look(self.known.borrow().get(folder)?, name)
    }

    /// The answer of the system where a path, or a folder above it, is known not
    /// to be there.
    fn absence(&self, path: &AbsPath) -> Option<IoError> {
        let known = self.known.borrow();
        let mut path = path.as_str();
        loop {
            let (folder, name) = path.rsplit_once('/')?;
            let above = known.get(if folder.is_empty() { "/" } else { folder });
            if above.is_some_and(|above| above.lacks(name)) {
                return Some(IoError::new(IoErrorKind::NotFound));
            }
            path = folder;
            match above.map(Known::is_there) {
                Some(Some(Err(error))) => return Some(error),
                Some(Some(Ok(()))) => return None,
                _ => {}
            }
        }
    }

    /// Whether a path was seen to be a regular file, and no link.
    fn is_known_file(&self, path: &AbsPath) -> bool {
        let seen = self.look(path, |known| Some(known.is.as_ref()?.as_ref().ok()?.kind));
        seen.or_else(|| self.listed(path)) == Some(FileKind::File)
    }

    /// What a path is by the listing of its folder, a link being a link; `None`
    /// where there is none, or the folder may show its names and nothing more.
    fn listed(&self, path: &AbsPath) -> Option<FileKind> {
        self.look_above(path, |known, name| {
            known.entries.as_ref().filter(|_| known.is_open)?.as_ref().ok()?.kind(name)
        })
    }

    /// The real path, by that of the folder and a look at the last name alone:
    /// to ask the system means a call for each name of the path.
    fn resolve(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        if let (Some(parent), Some(name)) = (path.parent(), path.file_name()) {
            match self.canonicalize(&parent) {
                Ok(parent) => {
                    let here = parent.join(name);
                    let kind = match self.listed(&here) {
                        Some(kind) => Ok(kind),
                        None => self.symlink_metadata(&here).map(|found| found.kind),
                    };
                    match kind {
                        Ok(FileKind::Symlink) => {}
                        Ok(_) => return Ok(here),
                        Err(error) if error.kind == IoErrorKind::NotFound => return Err(error),
                        Err(_) => {}
                    }
                }
                // Below what is not there is nothing.
                Err(error) if error.kind == IoErrorKind::NotFound => return Err(error),
                Err(_) => {}
            }
        }
        // A link, or an error that is for the system to tell.
        self.inner.canonicalize(path)
    }
}

impl Fs for CachedFs<'_> {
    fn metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        if let Some(found) = self.look(path, |known| known.leads_to.clone()) {
            return found;
        }
        // Most paths are no link: then one look answers both questions.
        match self.symlink_metadata(path) {
            Ok(found) if found.kind == FileKind::Symlink => {
                self.answer(path, |known| &mut known.leads_to, || self.inner.metadata(path))
            }
            found => found,
        }
    }

    fn symlink_metadata(&self, path: &AbsPath) -> Result<Metadata, IoError> {
        // A file that was read is no link if its folder says so.
        if self.listed(path) == Some(FileKind::File)
            && let Some(Ok(found)) = self.look(path, |known| known.leads_to.clone())
        {
            return Ok(found);
        }
        self.answer(path, |known| &mut known.is, || self.inner.symlink_metadata(path))
    }

    fn read_link(&self, path: &AbsPath) -> Result<String, IoError> {
        self.answer(path, |known| &mut known.link, || self.inner.read_link(path))
    }

    fn read_dir(&self, path: &AbsPath) -> Result<DirEntries<'_>, IoError> {
        let mut rest = None;
        let ask = || {
            let mut entries = self.inner.read_dir(path)?;
            let list: Vec<_> = entries.by_ref().take(MAX_ENTRIES + 1).collect();
            rest = Some(entries);
            let is_whole = list.len() <= MAX_ENTRIES && list.iter().all(Result::is_ok);
            let (kinds, folded) = (OnceCell::new(), OnceCell::new());
            Ok(Rc::new(Entries { list, is_whole, kinds, folded }))
        };
        let entries = self.answer(path, |known| &mut known.entries, ask)?;
        if entries.list.len() > MAX_ENTRIES {
            self.known.borrow_mut().entry(path.clone()).or_default().entries = None;
        }
        let mut at = 0..entries.list.len();
        let first = std::iter::from_fn(move || entries.list.get(at.next()?).cloned());
        Ok(Box::new(first.chain(rest.into_iter().flatten())))
    }

    fn canonicalize(&self, path: &AbsPath) -> Result<AbsPath, IoError> {
        self.answer(path, |known| &mut known.real, || self.resolve(path))
    }

    fn read_pieces(
        &self,
        path: &AbsPath,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), IoError> {
        let known = self.look(path, |known| known.leads_to.clone()?.ok());
        if known.is_none_or(|found| found.len <= MAX_KEPT) {
            // One byte more shows whether that is all of it.
            let (_, bytes) = self.read_with_metadata(path, MAX_KEPT + 1)?;
            if bytes.len() as u64 <= MAX_KEPT {
                // There is no piece behind the only one.
                let _ = visit(&bytes);
                return Ok(());
            }
        }
        self.inner.read_pieces(path, visit)
    }

    fn read_with_metadata(
        &self,
        path: &AbsPath,
        limit: u64,
    ) -> Result<(Metadata, Vec<u8>), IoError> {
        let kept = self.look(path, |known| match known.bytes.as_ref()? {
            Ok(bytes) => Some(Ok((known.leads_to.clone()?.ok()?, bytes.up_to(limit)?.to_vec()))),
            Err(error) => Some(Err(error.clone())),
        });
        if let Some(kept) = kept {
            return kept;
        }
        let read = match self.absence(path) {
            Some(absence) => Err(absence),
            None if self.is_known_file(path) => self.inner.read_known_file(path, limit),
            None => self.inner.read_with_metadata(path, limit),
        };
        if let Ok((found, bytes)) = &read
            && bytes.len() as u64 <= MAX_KEPT + 1
        {
            let is_all = (bytes.len() as u64) < limit;
            let bytes = Bytes { start: bytes.as_slice().into(), is_all };
            let mut known = self.known.borrow_mut();
            let known = known.entry(path.clone()).or_default();
            known.leads_to = Some(Ok(*found));
            known.bytes = Some(Ok(bytes));
        } else if let Err(error) = &read {
            self.known.borrow_mut().entry(path.clone()).or_default().bytes =
                Some(Err(error.clone()));
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::{MemFs, Recorder};

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn all_answers_are_those_of_the_file_system() {
        let mut fs = MemFs::from_files([("/real/sub/f", "abc"), ("/secret/f", "x"), ("/e", "")]);
        fs.link("/ln", "real").link("/loop", "loop").link("/real/up", "../ln/sub/f");
        fs.file("/names/f", "x").mode("/secret", 0).mode("/names", 0o444);
        let big = vec![b'x'; usize::try_from(MAX_KEPT).unwrap() + 5];
        fs.file("/big", &big);
        let cached = CachedFs::new(&fs);
        let paths = ["/", "/real", "/real/sub/f", "/ln/sub/f", "/real/up", "/loop", "/no", "/e"];
        let more = [
            "/real/sub/f/x",
            "/secret/f",
            "/ln",
            "/ln/up",
            "/big",
            "/no/x",
            "/names",
            "/names/f",
            "/no/x/y",
        ];
        for _ in 0..2 {
            for path in paths.iter().chain(&more).map(|text| path(text)) {
                assert_eq!(cached.canonicalize(&path), fs.canonicalize(&path));
                for limit in [0, 2, 3, 9, u64::MAX] {
                    assert_eq!(cached.read_up_to(&path, limit), fs.read_up_to(&path, limit));
                    let read = cached.read_with_metadata(&path, limit);
                    assert_eq!(read, fs.read_with_metadata(&path, limit));
                }
                assert_eq!(cached.symlink_metadata(&path), fs.symlink_metadata(&path));
                assert_eq!(cached.metadata(&path), fs.metadata(&path));
                assert_eq!(cached.read_link(&path), fs.read_link(&path));
                let entries = |fs: &dyn Fs| fs.read_dir(&path).map(Iterator::collect::<Vec<_>>);
                assert_eq!(entries(&cached), entries(&fs));
            }
        }
    }

    #[test]
    fn all_names_of_a_large_folder_are_given_each_time() {
        let mut fs = MemFs::new();
        for number in 0..MAX_ENTRIES + 5 {
            fs.file(format!("/d/{number}"), "");
        }
        let cached = CachedFs::new(&fs);
        for _ in 0..2 {
            let entries = |fs: &dyn Fs| fs.read_dir(&path("/d")).unwrap().collect::<Vec<_>>();
            assert_eq!(entries(&cached), entries(&fs));
        }
    }

    #[test]
    fn nothing_is_asked_twice() {
        let fs = MemFs::from_files([("/r/a", "abc"), ("/r/b", "x")]);
        let asked = Recorder::new(&fs);
        let cached = CachedFs::new(&asked);
        let look = || {
            for path in ["/r", "/r/a", "/r/no", "/no/a", "/no/b/c"].map(path) {
                drop((cached.metadata(&path), cached.symlink_metadata(&path)));
                drop((cached.canonicalize(&path), cached.read_up_to(&path, 9)));
                drop((cached.read_dir(&path).is_ok(), cached.read_link(&path)));
            }
        };
        look();
        let calls = asked.calls();
        look();
        assert_eq!(asked.calls(), calls);
    }

    #[test]
    fn what_a_listing_shows_is_not_asked() {
        let mut fs = MemFs::from_files([("/r/a.md", "abc"), ("/r/sub/B.md", "x")]);
        fs.link("/r/ln", "a.md");
        let asked = Recorder::new(&fs);
        let cached = CachedFs::new(&asked);
        for folder in ["/r", "/r/sub"].map(path) {
            assert!(cached.read_dir(&folder).unwrap().count() > 0);
        }
        // One look into each folder shows that something in it can be looked at.
        assert_eq!(cached.read_up_to(&path("/r/a.md"), 9).unwrap(), b"abc");
        assert!(cached.metadata(&path("/r/sub/none")).is_err());
        let calls = asked.calls();
        assert_eq!(calls, 4);
        for absent in ["/r/no", "/r/no/below", "/r/sub/c.md", "/r/sub/x/y/z"].map(path) {
            let error = fs.metadata(&absent).unwrap_err();
            assert_eq!(cached.metadata(&absent), Err(error.clone()));
            assert_eq!(cached.symlink_metadata(&absent), Err(error.clone()));
            assert_eq!(cached.canonicalize(&absent), Err(error.clone()));
            assert_eq!(cached.read_up_to(&absent, 9), Err(error));
        }
        assert!(cached.metadata(&path("/r/a.md")).unwrap().is_file());
        assert!(cached.symlink_metadata(&path("/r/a.md")).unwrap().is_file());
        assert_eq!(asked.calls(), calls);
        // A name in another case may be the same file, and one that is not ASCII
        // may have several spellings.
        for unsure in ["/r/A.MD", "/r/メモ", "/r/ln/x"].map(path) {
            let calls = asked.calls();
            assert_eq!(cached.metadata(&unsure), fs.metadata(&unsure));
            assert!(asked.calls() > calls, "{unsure}");
        }
    }

    #[test]
    fn a_real_path_costs_one_look_for_each_name() {
        let mut fs = MemFs::new();
        let deep = "/d".repeat(40);
        fs.dir(&deep);
        let asked = Recorder::new(&fs);
        let cached = CachedFs::new(&asked);
        let mut dir = path(&deep);
        for _ in 0..40 {
            for name in [".a", ".b"] {
                assert!(cached.canonicalize(&dir.join(name)).is_err());
            }
            dir = dir.parent().unwrap();
        }
        // Each folder itself, and the two names in it; the root is asked for its
        // own real path.
        assert!(asked.calls() <= 40 * 3 + 2, "{}", asked.calls());
    }
}
