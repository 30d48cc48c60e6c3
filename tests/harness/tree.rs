//! A small tree as data, laid out in memory or on disk.

use std::collections::BTreeMap;
use std::fs;
use std::time::SystemTime;

use memory_core::AbsPath;
use memory_core::fs::{Fs as _, MemFs, name_from_bytes};

use crate::Result;
use crate::jail::{Jail, native};

/// What lies at one place of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A regular file.
    File(Vec<u8>),
    /// A directory, empty unless other places lie below it.
    Dir,
    /// A symbolic link, with its target as written.
    Link(String),
    /// A pipe.
    Fifo,
}

/// A tree as a list of places; later ones replace earlier ones.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<(AbsPath, Node)>,
    /// Permission bits where they matter.
    modes: BTreeMap<AbsPath, u32>,
    modified: BTreeMap<AbsPath, SystemTime>,
}

impl Tree {
    /// Puts something.
    pub fn put(&mut self, path: AbsPath, node: Node) {
        self.nodes.push((path, node));
    }

    /// Sets permission bits, of which only the owner's count.
    pub fn mode(&mut self, path: AbsPath, mode: u32) {
        self.modes.insert(path, mode);
    }

    /// Sets the time of the last change.
    pub fn modified(&mut self, path: AbsPath, time: SystemTime) {
        self.modified.insert(path, time);
    }

    /// Adds all that another tree holds.
    pub fn extend(&mut self, other: Self) {
        self.nodes.extend(other.nodes);
        self.modes.extend(other.modes);
        self.modified.extend(other.modified);
    }

    /// Forgets the permission bits, as for a user whom they do not stop.
    pub fn without_modes(&mut self) {
        self.modes.clear();
    }

    /// The permission bits that are set.
    pub(crate) fn modes(&self) -> &BTreeMap<AbsPath, u32> {
        &self.modes
    }

    /// The tree in memory.
    pub fn in_memory(&self) -> MemFs {
        let mut fs = MemFs::new();
        for (path, node) in &self.nodes {
            match node {
                Node::File(bytes) => fs.file(path.as_str(), bytes),
                Node::Dir => fs.dir(path.as_str()),
                Node::Link(target) => fs.link(path.as_str(), target),
                Node::Fifo => fs.special(path.as_str()),
            };
        }
        for (path, time) in &self.modified {
            fs.modified(path.as_str(), *time);
        }
        for (path, mode) in &self.modes {
            fs.mode(path.as_str(), *mode);
        }
        fs
    }

    /// Writes the tree to the disk, each place where `jail` keeps it.
    ///
    /// Permission bits are left to the jail: they would not stop every user who
    /// runs the tests, and would stop the removal of the folder afterwards.
    pub fn on_disk(&self, jail: &Jail) -> Result<()> {
        for (path, node) in &self.nodes {
            if *node == Node::Dir && jail.metadata(path).is_ok_and(|found| found.is_dir()) {
                continue;
            }
            let target = native(&jail.host_of_new(path));
            if let Some(parent) = target.parent() {
                fs::create_dir_all(parent)?;
            }
            match node {
                Node::File(bytes) => fs::write(&target, bytes)?,
                Node::Dir => fs::create_dir_all(&target)?,
                Node::Link(to) => {
                    let to = native_name(to);
                    std::os::unix::fs::symlink(to, &target)?;
                }
                Node::Fifo => {
                    let made = std::process::Command::new("mkfifo").arg(&target).status()?;
                    if !made.success() {
                        return Err(format!("`mkfifo {}` failed", target.display()).into());
                    }
                }
            }
        }
        for (path, time) in &self.modified {
            let file = fs::File::open(native(&jail.host_of_new(path)))?;
            file.set_modified(*time)?;
        }
        Ok(())
    }

    /// Reads what lies on disk at `host`, as the tree at `shown`.
    ///
    /// Links are kept as links; nothing is followed.
    pub fn read(host: &AbsPath, shown: &AbsPath) -> Result<Self> {
        let mut tree = Self::default();
        tree.read_into(host, shown)?;
        Ok(tree)
    }

    fn read_into(&mut self, host: &AbsPath, shown: &AbsPath) -> Result<()> {
        use std::os::unix::ffi::OsStrExt as _;
        let place = native(host);
        let found = fs::symlink_metadata(&place)?;
        let node = if found.is_dir() {
            Node::Dir
        } else if found.is_symlink() {
            Node::Link(name_from_bytes(fs::read_link(&place)?.as_os_str().as_bytes()))
        } else if found.is_file() {
            self.modified(shown.clone(), found.modified()?);
            Node::File(fs::read(&place)?)
        } else {
            Node::Fifo
        };
        self.put(shown.clone(), node);
        if found.is_dir() {
            for entry in fs::read_dir(&place)? {
                let name = name_from_bytes(entry?.file_name().as_bytes());
                self.read_into(&host.join(&name), &shown.join(&name))?;
            }
        }
        Ok(())
    }
}

fn native_name(name: &str) -> std::ffi::OsString {
    use std::os::unix::ffi::OsStringExt as _;
    std::ffi::OsString::from_vec(memory_core::fs::name_to_bytes(name))
}

#[cfg(test)]
mod tests {
    use memory_core::fs::FileKind;

    use super::*;

    #[test]
    fn a_tree_comes_back_from_the_disk_as_it_was_laid_out() {
        let folder = tempfile::tempdir().unwrap();
        let host = AbsPath::new(folder.path().to_str().unwrap()).unwrap();
        let jail = Jail::new([(AbsPath::root(), host.clone())]);
        let at = |text: &str| AbsPath::new(text).unwrap();
        let mut tree = Tree::default();
        tree.put(at("/real/f"), Node::File(b"x".to_vec()));
        tree.put(at("/link"), Node::Link("/real".to_owned()));
        tree.put(at("/link/g"), Node::File(b"y".to_vec()));
        tree.put(at("/pipe"), Node::Fifo);
        tree.put(at("/empty"), Node::Dir);
        tree.on_disk(&jail).unwrap();
        let back = Tree::read(&host, &AbsPath::root()).unwrap().in_memory();
        for fs in [&jail as &dyn memory_core::fs::Fs, &back] {
            assert_eq!(fs.read_up_to(&at("/real/g"), 9).unwrap(), b"y");
            assert_eq!(fs.read_up_to(&at("/link/f"), 9).unwrap(), b"x");
            assert_eq!(fs.canonicalize(&at("/link/f")).unwrap(), at("/real/f"));
            assert_eq!(fs.metadata(&at("/pipe")).unwrap().kind, FileKind::Special);
            assert_eq!(fs.read_link(&at("/link")).unwrap(), "/real");
            let names: Vec<_> =
                fs.read_dir(&at("/")).unwrap().map(|entry| entry.unwrap().name).collect();
            assert_eq!(names, ["empty", "link", "pipe", "real"]);
        }
    }
}
