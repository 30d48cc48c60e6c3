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
/// above it, for a linked worktree the main checkout's. `None` where a `.git`
/// file leads anywhere else.
pub(crate) fn trust_root(world: World<'_>, cwd: &AbsPath) -> Option<AbsPath> {
    let inside = world.fs.metadata(cwd).is_ok_and(|found| found.is_dir());
    let base = if inside { cwd.clone() } else { cwd.parent()? };
    let root = base.ancestors().find(|dir| is_repository(world, &dir.join(".git")))?;
    let dot_git = root.join(".git");
    if world.fs.metadata(&dot_git).is_ok_and(|found| found.is_dir()) {
        return Some(canonical(world, root));
    }
    let git_dir = root.join(one_line(world, &dot_git)?.strip_prefix("gitdir:")?.trim());
    let git_dir = canonical(world, git_dir);
    let common = git_dir.parent().filter(|dir| dir.file_name() == Some("worktrees"))?.parent()?;
    // A worktree that was copied, moved or forged does not point back.
    let stated = canonical(world, git_dir.join(one_line(world, &git_dir.join("commondir"))?));
    let back = canonical(world, git_dir.join(one_line(world, &git_dir.join("gitdir"))?));
    let is_linked = stated == common && back == canonical(world, dot_git);
    // The common folder of a bare repository belongs to no main checkout.
    (is_linked && common.file_name() == Some(".git")).then(|| common.parent())?
}

/// The text of a file that holds one line, blanks around it removed.
fn one_line(world: World<'_>, path: &AbsPath) -> Option<String> {
    let found = world.fs.metadata(path).ok()?;
    if !found.is_file() || found.len > GIT_FILE_LIMIT {
        return None;
    }
    let content = world.fs.read_up_to(path, GIT_FILE_LIMIT).ok()?;
    let line = std::str::from_utf8(&content).ok()?.trim();
    (!line.contains('\n')).then(|| line.to_owned())
}

fn canonical(world: World<'_>, path: AbsPath) -> AbsPath {
    world.fs.canonicalize(&path).unwrap_or(path)
}
