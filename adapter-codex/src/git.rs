//! The two ways in which Codex looks for a git repository.

use memory_core::{AbsPath, World};

/// Bytes of a `.git` file that are read: it holds one path.
const GIT_FILE_LIMIT: u64 = 64 * 1024;

/// Whether the folder `.git` in `dir` is a repository and not just a folder of
/// that name: a file is taken on trust, a folder needs a `HEAD`.
pub(crate) fn is_repository(world: World<'_>, dot_git: &AbsPath) -> bool {
    match world.fs.metadata(dot_git) {
        Ok(found) if found.is_dir() => world.fs.metadata(&dot_git.join("HEAD")).is_ok(),
        Ok(_) => true,
        Err(_) => false,
    }
}

/// The repository whose trust a folder inherits: that of the nearest `.git`
/// above it, for a linked worktree the main checkout's.
pub(crate) fn trust_root(world: World<'_>, cwd: &AbsPath) -> Option<AbsPath> {
    let inside = world.fs.metadata(cwd).is_ok_and(|found| found.is_dir());
    let base = if inside { cwd.clone() } else { cwd.parent()? };
    let root = base.ancestors().find(|dir| is_repository(world, &dir.join(".git")))?;
    let dot_git = root.join(".git");
    if world.fs.metadata(&dot_git).is_ok_and(|found| found.is_dir()) {
        return Some(canonical(world, root));
    }
    let content = world.fs.read_up_to(&dot_git, GIT_FILE_LIMIT).ok()?;
    let content = std::str::from_utf8(&content).ok()?;
    let git_dir = content.trim().strip_prefix("gitdir:")?.trim();
    let git_dir = canonical(world, root.join(git_dir));
    let worktrees = git_dir.parent()?;
    if worktrees.file_name() != Some("worktrees") {
        return None;
    }
    Some(canonical(world, worktrees.parent()?.parent()?))
}

fn canonical(world: World<'_>, path: AbsPath) -> AbsPath {
    world.fs.canonicalize(&path).unwrap_or(path)
}
