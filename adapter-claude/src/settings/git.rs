//! Git repositories, as far as the client looks at them.

use memory_core::AbsPath;
use memory_core::fs::{Fs, Metadata};

/// The repository that holds a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repository {
    /// The nearest folder above that holds a `.git`.
    pub(crate) root: AbsPath,
    /// For a linked worktree, where it comes from; `None` for any other repository.
    pub(crate) origin: Option<Origin>,
}

/// Where a linked worktree comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The root of the main checkout.
    Checkout(AbsPath),
    /// A repository without a checkout of its own.
    Bare(AbsPath),
}

/// Files of git's own are a line or two; no more is read.
const MAX_LEN: u64 = 16 * 1024;

impl Repository {
    /// The repository that holds `dir`; `None` outside any.
    ///
    /// Any `.git` counts, whatever is in it.
    pub(crate) fn find(fs: &dyn Fs, dir: &AbsPath) -> Option<Self> {
        dir.ancestors().find_map(|root| {
            let found = fs.metadata(&root.join(".git")).ok()?;
            let origin = if found.is_file() { origin(fs, &root) } else { None };
            Some(Self { root, origin })
        })
    }

    /// The root of the main checkout: that of a linked worktree's repository,
    /// the bare repository itself, or simply the root.
    pub(crate) fn main_root(&self) -> &AbsPath {
        match &self.origin {
            Some(Origin::Checkout(main) | Origin::Bare(main)) => main,
            None => &self.root,
        }
    }

    /// The main checkout of a linked worktree; `None` for any other repository.
    pub(crate) fn main_checkout(&self) -> Option<&AbsPath> {
        match &self.origin {
            Some(Origin::Checkout(main)) => Some(main),
            _ => None,
        }
    }
}

/// Follows the `.git` file of a linked worktree.
///
/// The repository must know the worktree: a file that merely claims to belong
/// to another repository is not followed.
fn origin(fs: &dyn Fs, root: &AbsPath) -> Option<Origin> {
    let link = root.join(".git");
    let admin = root.join(first_line(fs, &link)?.strip_prefix("gitdir:")?.trim());
    let common = admin.join(first_line(fs, &admin.join("commondir"))?);
    let worktrees = fs.canonicalize(&common.join("worktrees")).ok()?;
    if fs.canonicalize(&admin).ok()?.parent()? != worktrees {
        return None;
    }
    let back = admin.join(first_line(fs, &admin.join("gitdir"))?);
    if fs.canonicalize(&back).ok()? != fs.canonicalize(root).ok()?.join(".git") {
        return None;
    }
    let common = fs.canonicalize(&common).ok()?;
    match common.parent() {
        Some(main) if common.file_name() == Some(".git") => Some(Origin::Checkout(main)),
        _ => Some(Origin::Bare(common)),
    }
}

fn first_line(fs: &dyn Fs, path: &AbsPath) -> Option<String> {
    if !fs.metadata(path).as_ref().is_ok_and(Metadata::is_file) {
        return None;
    }
    let bytes = fs.read_up_to(path, MAX_LEN).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    text.lines().next().map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    /// A repository at `/r` with a worktree at `/w`, its `.git` file and its way back.
    fn worktree(common: &str, back: &str) -> MemFs {
        MemFs::from_files([
            ("/w/.git", format!("gitdir: {common}/worktrees/w\n")),
            (&format!("{common}/worktrees/w/commondir"), "../..\n".to_owned()),
            (&format!("{common}/worktrees/w/gitdir"), format!("{back}\n")),
        ])
    }

    #[test]
    fn a_worktree_leads_to_its_main_checkout() {
        let fs = worktree("/r/.git", "/w/.git");
        let found = Repository::find(&fs, &path("/w/sub")).unwrap();
        assert_eq!(found.root, path("/w"));
        assert_eq!(found.main_checkout(), Some(&path("/r")));
    }

    #[test]
    fn a_bare_repository_is_its_own_main_root() {
        let fs = worktree("/r.git", "/w/.git");
        let found = Repository::find(&fs, &path("/w")).unwrap();
        assert_eq!((found.main_root(), found.main_checkout()), (&path("/r.git"), None));
    }

    #[test]
    fn a_forged_worktree_is_not_followed() {
        for fs in
            [worktree("/r/.git", "/other/.git"), MemFs::from_files([("/w/.git", "gitdir: /no")])]
        {
            let found = Repository::find(&fs, &path("/w")).unwrap();
            assert_eq!(found.main_root(), &path("/w"));
        }
    }

    #[test]
    fn anything_named_git_is_a_root() {
        let mut fs = MemFs::from_files([("/a/b/c", "")]);
        fs.dir("/a/.git");
        assert_eq!(Repository::find(&fs, &path("/a/b")).unwrap().root, path("/a"));
        assert_eq!(Repository::find(&fs, &path("/")), None);
    }
}
