//! A temporary folder that stands for the root of a recorded machine.

use std::fs;
use std::path::Path;

use memory_core::AbsPath;
use tempfile::TempDir;

use crate::jail::native;
use crate::place::{run, temporary};
use crate::{Jail, Result, Tree};

/// A temporary folder that stands for `/`.
pub(crate) struct Chroot {
    host: AbsPath,
    _folder: TempDir,
}

impl Chroot {
    pub(crate) fn new() -> Result<Self> {
        let (folder, host) = temporary("root")?;
        Ok(Self { host, _folder: folder })
    }

    /// The file system as seen from inside.
    pub(crate) fn jail(&self) -> Jail {
        Jail::new([(AbsPath::root(), self.host.clone())])
    }

    /// The real place of a path inside.
    pub(crate) fn host(&self, inside: &str) -> String {
        self.host.join(inside.trim_start_matches('/')).as_str().to_owned()
    }

    /// Runs a command outside, in a folder inside; its arguments must be real places.
    pub(crate) fn run(
        &self,
        program: &str,
        args: &[&str],
        cwd: &AbsPath,
        home: &str,
    ) -> Result<()> {
        let cwd = native(&self.jail().host(cwd));
        run(program, args, &cwd, [("HOME", self.host(home).as_str())])
    }

    /// Takes the real place out of everything that the commands wrote down.
    ///
    /// Git keeps absolute paths in the files that join a worktree to its repository.
    pub(crate) fn forget_host(&self) -> Result<()> {
        forget(&native(&self.host), self.host.as_str())
    }

    /// All that lies inside.
    pub(crate) fn read(&self) -> Result<Tree> {
        Tree::read(&self.host, &AbsPath::root())
    }
}

fn forget(place: &Path, host: &str) -> Result<()> {
    for entry in fs::read_dir(place)? {
        let place = entry?.path();
        let found = fs::symlink_metadata(&place)?;
        if found.is_dir() {
            forget(&place, host)?;
        } else if found.is_file() {
            let Ok(text) = String::from_utf8(fs::read(&place)?) else { continue };
            if text.contains(host) {
                let time = found.modified()?;
                fs::write(&place, text.replace(host, ""))?;
                fs::File::open(&place)?.set_modified(time)?;
            }
        }
    }
    Ok(())
}
