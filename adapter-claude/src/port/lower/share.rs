//! Whether a text of the source is copied, or its file is read by both clients.

use std::collections::BTreeSet;

use memory_core::AbsPath;
use memory_core::fs::{Content, FileKind};
use memory_core::model::Bundle;
use memory_core::port::{Form, Target};

use super::texts::{Piece, is_misread_at_top};
use crate::port::ground::Ground;
use crate::text::{import, mention};

/// The form that a text has in a file of the client's own.
pub(super) fn form(
    ground: &Ground<'_>,
    piece: &Piece<'_>,
    file: &AbsPath,
    bundle: &Bundle,
    wanted: Option<Form>,
) -> Form {
    let source = ground.real_name(&piece.file.path);
    // What came from this client once stands in the same file.
    let is_whole = !bundle.mixed.contains(&piece.file.path) && !bundle.mixed.contains(&source);
    // At the top of its file the client takes it for something else, and a mark
    // above a copy prevents that.
    let is_exact = is_whole && !is_misread_at_top(piece.text);
    let can_link = is_exact && ground.kind(file).is_none() && same_home(ground, &source, file);
    let can_import = is_exact
        && import_line(ground, file, &source).is_some()
        && ground.kind(file).is_none_or(|kind| kind == FileKind::File);
    match wanted {
        Some(Form::Copy) => Form::Copy,
        Some(Form::Link) if can_link => Form::Link,
        _ if can_import => Form::Import,
        _ => Form::Copy,
    }
}

/// Where a shared text goes; `None` for a copy.
pub(super) fn target(
    ground: &Ground<'_>,
    piece: &Piece<'_>,
    file: &AbsPath,
    form: Form,
) -> Option<Target> {
    let source = ground.real_name(&piece.file.path);
    match form {
        Form::Import => {
            let text = import_line(ground, file, &source)?;
            Some(Target::Line { file: file.clone(), text, is_first: true })
        }
        Form::Link => {
            let target = relative(&file.parent()?, &source)?;
            Some(Target::Whole { path: file.clone(), content: Content::Symlink { target } })
        }
        Form::Copy | Form::InPlace => None,
    }
}

/// Whether what would be put somewhere is there already, to the letter.
pub(super) fn is_there(ground: &Ground<'_>, to: &Target) -> bool {
    let fs = ground.context.unrecorded;
    match to {
        Target::Line { file, text, .. } => {
            let content = ground.content(file);
            let bytes = content.as_ref().and_then(Content::bytes).unwrap_or_default();
            String::from_utf8_lossy(bytes).lines().any(|line| line.trim() == text)
        }
        Target::Whole { path, content: Content::Symlink { target } } => {
            fs.read_link(path).is_ok_and(|known| known == *target)
        }
        _ => false,
    }
}

/// The form of all texts of the project, and why.
pub(super) fn said(
    forms: &BTreeSet<Form>,
    is_in_place: bool,
    wanted: Option<Form>,
) -> Option<(Form, String)> {
    if is_in_place {
        return Some((Form::InPlace, "the client reads the same files itself".to_owned()));
    }
    let form = *forms.last()?;
    let why = match (form, wanted) {
        (form, Some(wanted)) if form == wanted => "it was asked for",
        (Form::Copy, _) => "the client would not show just this text of a file that both read",
        _ => "both clients read one file, so that nothing can drift",
    };
    Some((form, why.to_owned()))
}

/// The line by which one file imports another; `None` when the client would not
/// follow it.
pub(in crate::port) fn import_line(
    ground: &Ground<'_>,
    from: &AbsPath,
    file: &AbsPath,
) -> Option<String> {
    let context = ground.context;
    let base = from.parent()?;
    let home = &context.layout.home;
    let written = match file.strip_prefix(&base) {
        Some(below) => below.to_owned(),
        None => format!("~/{}", file.strip_prefix(home)?),
    };
    let escaped = written.replace(' ', "\\ ");
    // A name that begins otherwise is no path to the client.
    let spellings = [format!("@{escaped}"), format!("@./{escaped}")];
    let is_it = |line: &&String| {
        let found = mention::mentions(line, 0);
        let [found] = found.as_slice() else { return false };
        import::target(&found.path, &base, home) == *file
    };
    let line = spellings.iter().find(is_it)?;
    let is_followed = import::extension_is_allowed(file)
        && context.excludes.by(file).is_none()
        && context.excludes.by(from).is_none();
    // A project's file follows no import that leads out of the project.
    let is_near = !from.starts_with(ground.project())
        || context.external_approved
        || file.starts_with(ground.project()) && {
            let mut above = file.ancestors();
            let there = above.find(|path| context.unrecorded.symlink_metadata(path).is_ok());
            there.is_some_and(|there| ground.is_in_project(&there))
        };
    (is_followed && is_near).then(|| line.clone())
}

/// Whether a session may be started in a folder below.
pub(super) fn has_folders(ground: &Ground<'_>, folder: &AbsPath) -> bool {
    let Ok(entries) = ground.context.unrecorded.read_dir(folder) else { return true };
    let is_place = |name: &str| !name.starts_with('.') && name != "node_modules";
    entries.flatten().any(|entry| entry.kind == FileKind::Dir && is_place(&entry.name))
}

/// Whether both lie in the project, or both outside.
fn same_home(ground: &Ground<'_>, one: &AbsPath, other: &AbsPath) -> bool {
    one.starts_with(ground.project()) == other.starts_with(ground.project())
}

/// A path as a link in a folder has it.
fn relative(folder: &AbsPath, file: &AbsPath) -> Option<String> {
    let mut up = String::new();
    for dir in folder.ancestors() {
        if let Some(below) = file.strip_prefix(&dir) {
            return Some(format!("{up}{below}"));
        }
        up.push_str("../");
    }
    None
}
