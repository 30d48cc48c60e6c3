//! The walk below one root.

use std::collections::hash_map::{Entry, HashMap};
use std::collections::{BinaryHeap, VecDeque};

use memory_core::AbsPath;
use memory_core::fs::{FileKind, Fs, IoError, name_to_bytes};

use super::limits::WalkLimits;
use crate::memory::walk::has_ending;

/// The one name of a skill's file.
pub(super) const SKILL_FILE: &str = "SKILL.md";

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Files and what looks like one, in the order of the walk.
    pub(super) found: Vec<Found>,
    /// Folders that the client does not look into, in the order of the walk.
    pub(super) passed: Vec<Passed>,
    /// Folders that could not be listed.
    pub(super) unreadable: Vec<(AbsPath, IoError)>,
    /// Whether a limit ended the walk before everything was seen.
    pub(super) cut_short: bool,
}

/// A path whose name is that of a skill's file, or nearly so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Its path below the root, links not resolved.
    pub(super) path: AbsPath,
    /// The real path of its folder.
    pub(super) folder: AbsPath,
    /// What it is.
    pub(super) what: Candidate,
}

/// A folder that the client does not look into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Passed {
    /// Its path below the root, links not resolved.
    pub(super) folder: AbsPath,
    /// Why.
    pub(super) why: PassedWhy,
}

/// Why a folder is not looked into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PassedWhy {
    /// It is the same folder as one that the walk came to before.
    SeenAs(AbsPath),
    /// It lies deeper than folders are entered.
    TooDeep,
    /// Its name begins with a dot.
    Hidden,
    /// Its name cannot be written as the client writes paths.
    OddName,
}

/// What a path with the name of a skill's file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// A regular file with the right name.
    Skill,
    /// A link to a file: not followed.
    LinkedFile,
    /// A link that leads nowhere.
    BrokenLink,
    /// A pipe, a socket or a device.
    Special,
    /// A file whose name has other capitals.
    WrongCase,
    /// A Markdown file that lies in the root itself.
    FlatFile,
}

/// Walks a root breadth first, each folder in the order of its names.
///
/// Links to folders are followed, each real folder once. A folder is listed in
/// memory that the limits bound, whatever the number of its entries.
pub(super) fn walk(fs: &dyn Fs, root: &AbsPath, limits: &WalkLimits) -> Walk {
    let mut walk = Walk::default();
    if !fs.metadata(root).is_ok_and(|found| found.is_dir()) {
        return walk;
    }
    // Under which path each real folder was come to first.
    let mut seen = HashMap::from([(root.clone(), root.clone())]);
    let mut queue = VecDeque::from([Folder { path: root.clone(), real: root.clone(), depth: 0 }]);
    let (mut dirs, mut entries, mut bytes) = (1, 0, 0);
    while let Some(dir) = queue.pop_front() {
        let listing = match list(fs, &dir, limits.entries - entries, &mut walk.found) {
            Ok(listing) => listing,
            Err(error) => {
                walk.unreadable.push((dir.path, error));
                continue;
            }
        };
        for (name, kind) in listing.names {
            entries += 1;
            let path = dir.path.join(&name);
            if !is_plain(&name) {
                walk.pass(path, PassedWhy::OddName);
                continue;
            }
            let is_link = kind == FileKind::Symlink;
            let kind = match kind {
                FileKind::Symlink => match fs.metadata(&path) {
                    Ok(target) if target.is_dir() => FileKind::Dir,
                    _ => {
                        dir.look_at(&mut walk.found, path, &name, FileKind::Symlink);
                        continue;
                    }
                },
                FileKind::Special => {
                    dir.look_at(&mut walk.found, path, &name, kind);
                    continue;
                }
                kind => kind,
            };
            bytes += limits.entry_bytes + uri_len(&path);
            if bytes > limits.bytes {
                walk.cut_short = true;
                return walk;
            }
            if kind == FileKind::File {
                dir.look_at(&mut walk.found, path, &name, kind);
            } else if name.starts_with('.') {
                walk.pass(path, PassedWhy::Hidden);
            } else if dir.depth == limits.depth {
                walk.pass(path, PassedWhy::TooDeep);
            } else {
                // Only a link leads elsewhere than its name says.
                let real = dir.real.join(&name);
                let real = if is_link { fs.canonicalize(&path) } else { Ok(real) };
                let Ok(real) = real else { continue };
                match seen.entry(real.clone()) {
                    Entry::Occupied(first) => {
                        walk.pass(path, PassedWhy::SeenAs(first.get().clone()));
                        continue;
                    }
                    Entry::Vacant(new) => new.insert(path.clone()),
                };
                if dirs == limits.dirs {
                    walk.cut_short = true;
                } else {
                    dirs += 1;
                    queue.push_back(Folder { path, real, depth: dir.depth + 1 });
                }
            }
        }
        if listing.more {
            walk.cut_short = true;
            return walk;
        }
    }
    walk
}

impl Walk {
    fn pass(&mut self, folder: AbsPath, why: PassedWhy) {
        self.passed.push(Passed { folder, why });
    }
}

/// A folder that is walked.
struct Folder {
    /// Its path below the root, links not resolved.
    path: AbsPath,
    /// Its real path.
    real: AbsPath,
    /// How many folders it lies below the root.
    depth: usize,
}

impl Folder {
    /// Notes a file of this folder when it has the name of a skill's file, or nearly so.
    fn look_at(&self, found: &mut Vec<Found>, path: AbsPath, name: &str, kind: FileKind) {
        let what = match kind {
            FileKind::File if name == SKILL_FILE => Candidate::Skill,
            FileKind::File if name.eq_ignore_ascii_case(SKILL_FILE) => Candidate::WrongCase,
            FileKind::File if self.depth == 0 && has_ending(name, ".md") => Candidate::FlatFile,
            FileKind::Symlink if name == SKILL_FILE => Candidate::LinkedFile,
            FileKind::Special if name == SKILL_FILE => Candidate::Special,
            _ => return,
        };
        found.push(Found { path, folder: self.real.clone(), what });
    }
}

/// The first names of a folder.
struct Listing {
    names: Vec<(String, FileKind)>,
    /// Whether there are more than were asked for.
    more: bool,
}

/// The first `room` names of a folder in ascending order; broken links are
/// noted and left out, as the client does not see them.
fn list(
    fs: &dyn Fs,
    dir: &Folder,
    room: usize,
    found: &mut Vec<Found>,
) -> Result<Listing, IoError> {
    let mut first = BinaryHeap::new();
    let mut more = false;
    for entry in fs.read_dir(&dir.path)? {
        let entry = entry?;
        let path = dir.path.join(&entry.name);
        if entry.kind == FileKind::Symlink && fs.metadata(&path).is_err() {
            // In the root itself each link should have been the folder of a skill.
            let is_folder = dir.depth == 0 && !entry.name.starts_with('.');
            if entry.name == SKILL_FILE || is_folder {
                let folder = dir.real.clone();
                found.push(Found { path, folder, what: Candidate::BrokenLink });
            }
            continue;
        }
        first.push(Named(entry.name, entry.kind));
        if first.len() > room {
            more = true;
            first.pop();
        }
    }
    let names = first.into_sorted_vec().into_iter().map(|Named(name, kind)| (name, kind)).collect();
    Ok(Listing { names, more })
}

/// An entry that is ordered by its name.
struct Named(String, FileKind);

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Named {}

impl PartialOrd for Named {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Named {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

/// Whether the client can write the name down: it loses others on the way.
fn is_plain(name: &str) -> bool {
    let survives_uri = !name.contains(['\t', '\n', '\r']);
    survives_uri && (name.is_ascii() || name_to_bytes(name) == name.as_bytes())
}

/// The length of the path as a `file:` URI, which the limit on bytes counts.
fn uri_len(path: &AbsPath) -> usize {
    let escaped = |byte: &u8| !byte.is_ascii_graphic() || b"\"#%<>?`{}^|\\".contains(byte);
    let bytes = path.to_bytes();
    "file://".len() + bytes.len() + 2 * bytes.iter().filter(|byte| escaped(byte)).count()
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;
    use crate::profile::Profile;

    const ROOT: &str = "/tmp/ciXXXXXXXX/p/.agents/skills";

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn skills(fs: &MemFs, root: &str) -> (Vec<String>, bool) {
        let walk = walk(fs, &path(root), &WalkLimits::of(&Profile::default()));
        let skills = walk.found.iter().filter(|found| found.what == Candidate::Skill);
        let skills =
            skills.filter_map(|found| found.path.strip_prefix(&path(root)).map(str::to_owned));
        (skills.collect(), walk.cut_short)
    }

    #[test]
    fn six_folders_down_is_the_end() {
        let fs = MemFs::from_files([
            ("/r/1/2/3/4/5/6/SKILL.md", ""),
            ("/r/1/2/3/4/5/6/7/SKILL.md", ""),
            ("/r/SKILL.md", ""),
            ("/r/.hidden/SKILL.md", ""),
        ]);
        assert_eq!(skills(&fs, "/r").0, ["SKILL.md", "1/2/3/4/5/6/SKILL.md"]);
    }

    #[test]
    fn each_real_folder_is_walked_once_under_its_first_name() {
        let mut fs = MemFs::from_files([("/r/z/SKILL.md", ""), ("/o/x/SKILL.md", "")]);
        fs.link("/r/a", "z").link("/r/loop", ".").link("/r/out", "/o").link("/r/out2", "/o/x");
        assert_eq!(skills(&fs, "/r").0, ["a/SKILL.md", "out2/SKILL.md"]);
    }

    #[test]
    fn what_is_nearly_a_skill_is_told() {
        let mut fs = MemFs::from_files([("/r/b/skill.md", ""), ("/r/f", "")]);
        fs.link("/r/a/SKILL.md", "/r/f").link("/r/c/SKILL.md", "nowhere").special("/r/d/SKILL.md");
        fs.dir("/r/e/SKILL.md");
        let walk = walk(&fs, &path("/r"), &WalkLimits::of(&Profile::default()));
        let found: Vec<Candidate> = walk.found.iter().map(|found| found.what).collect();
        assert_eq!(
            found,
            [
                Candidate::LinkedFile,
                Candidate::WrongCase,
                Candidate::BrokenLink,
                Candidate::Special
            ]
        );
    }

    #[test]
    fn the_walk_ends_after_twenty_thousand_entries() {
        for (count, want) in [(19_998, Some("zz/SKILL.md")), (19_999, None), (40_000, None)] {
            let mut fs = MemFs::from_files([("/r/zz/SKILL.md", "")]);
            for number in 0..count {
                fs.file(format!("/r/f{number:05}"), "");
            }
            let (found, cut_short) = skills(&fs, "/r");
            assert_eq!((found.first().map(String::as_str), cut_short), (want, want.is_none()));
        }
    }

    #[test]
    fn the_walk_enters_two_thousand_folders() {
        for (count, want) in [(1_998, 1), (1_999, 0)] {
            let mut fs = MemFs::from_files([("/r/zz/SKILL.md", "")]);
            for number in 0..count {
                fs.dir(format!("/r/d{number:05}"));
            }
            assert_eq!(skills(&fs, "/r").0.len(), want);
        }
    }

    #[test]
    fn the_walk_ends_after_four_mebibytes_of_paths() {
        for (last, want) in [(95, 1), (96, 0)] {
            let mut fs = MemFs::from_files([(format!("{ROOT}/zz/SKILL.md"), "")]);
            for number in 0..13_795 {
                fs.file(format!("{ROOT}/x{number:05}{}", "r".repeat(194)), "");
            }
            for length in [100, last] {
                fs.file(format!("{ROOT}/y{length:03}{}", "r".repeat(length - 4)), "");
            }
            assert_eq!(skills(&fs, ROOT).0.len(), want);
        }
    }

    #[test]
    fn a_folder_that_cannot_be_listed_does_not_end_the_walk() {
        let mut fs = MemFs::from_files([("/r/a/SKILL.md", ""), ("/r/b/SKILL.md", "")]);
        fs.mode("/r/a", 0o300);
        let walk = walk(&fs, &path("/r"), &WalkLimits::of(&Profile::default()));
        assert_eq!((walk.found.len(), walk.unreadable.len()), (1, 1));
    }
}
