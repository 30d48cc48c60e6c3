//! Which file a text goes into.

use memory_core::fs::FileKind;
use memory_core::model::Reach;
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, Scope};

use crate::port::ground::Ground;

/// Whose a place is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// The person's own configuration.
    Person,
    /// A folder of the project, checked in.
    Shared(AbsPath),
    /// A folder of the project, the person's own files in it.
    Private(AbsPath),
}

/// Where something goes that is in force somewhere.
pub(super) struct Place {
    pub(super) home: Home,
    /// The only folder in which it is meant to be in force, where its place does
    /// not say so.
    pub(super) only_in: Option<AbsPath>,
    pub(super) losses: Vec<Loss>,
}

/// Finds the place; a private text never goes into what is checked in.
pub(super) fn place(ground: &Ground<'_>, reach: &Reach, what: &str, file: &AbsPath) -> Place {
    let mut losses = Vec::new();
    if reach.scope == Scope::Managed {
        let why = "it is no longer enforced by the organisation, and the person can change it";
        losses.push(Loss::new(what, file, LossKind::Approximated, why));
    }
    let folder = reach.folder.as_ref().map(|folder| ground.real_name(folder));
    let Some(folder) = folder else {
        return Place { home: Home::Person, only_in: None, losses };
    };
    if folder.starts_with(ground.project()) {
        let is_shared = Ground::is_shared(reach.scope);
        let home = if is_shared { Home::Shared(folder) } else { Home::Private(folder) };
        return Place { home, only_in: None, losses };
    }
    losses.push(widened(what, file, &folder));
    Place { home: Home::Person, only_in: Some(folder), losses }
}

/// The loss of what is private to a folder and goes to the person's own files.
pub(super) fn widened(what: &str, file: &AbsPath, folder: &AbsPath) -> Loss {
    let why = format!(
        "it is private to `{folder}`, so it goes to the person's own files, which count in every folder"
    );
    Loss::new(what, file, LossKind::ScopeWidened, why)
}

/// The file of a place into which a text goes.
pub(super) fn instruction_file(ground: &Ground<'_>, home: &Home) -> AbsPath {
    match home {
        Home::Person => ground.context.layout.config.join("CLAUDE.md"),
        Home::Private(folder) => folder.join("CLAUDE.local.md"),
        Home::Shared(folder) => shared_file(ground, folder),
    }
}

/// The file of a folder that the client reads: the usual one, unless only the
/// other one is there, or the usual one cannot be read.
fn shared_file(ground: &Ground<'_>, folder: &AbsPath) -> AbsPath {
    let usual = folder.join("CLAUDE.md");
    let other = folder.join(".claude/CLAUDE.md");
    let excludes = &ground.context.excludes;
    let is_readable = |path: &AbsPath| {
        matches!(ground.kind(path), None | Some(FileKind::File | FileKind::Symlink))
            && excludes.by(path).is_none()
    };
    let only_other = ground.kind(&usual).is_none() && ground.is_file(&other);
    if (only_other || !is_readable(&usual)) && is_readable(&other) { other } else { usual }
}
