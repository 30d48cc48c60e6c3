//! Moving what both clients shall see into one file that both read.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use super::drafts::{Drafts, Now};
use super::ledger::Ledger;
use super::piece::{Piece, pieces};
use super::recipe::{Step, recipe};
use super::text::{Value, ended, newline, normal};
use super::{Form, Lowered, Placement, PortPlace, ReadBundle, Target};
use crate::fs::Content;
use crate::model::{Bundle, SourceFile};
use crate::path::AbsPath;
use crate::report::{Loss, LossKind};
use crate::world::World;

/// The texts of the source that go into a file which it reads itself.
///
/// What is put there it would be shown twice, so that it stays where it is, and
/// is lost to the target.
pub(super) fn withhold(
    lowered: &mut Lowered,
    seen: &BTreeSet<AbsPath>,
    drafts: &Drafts<'_>,
    (source, target): (&str, &str),
) {
    let mut kept = Vec::new();
    let mut told: HashSet<AbsPath> = HashSet::new();
    for placement in std::mem::take(&mut lowered.placements) {
        let file = match &placement.to {
            Target::Section { file, .. } | Target::Line { file, .. } => drafts.real(file),
            _ => {
                kept.push(placement);
                continue;
            }
        };
        let is_own = placement.from.iter().any(|from| drafts.real(&from.path) == file);
        if !seen.contains(&file) || is_own {
            kept.push(placement);
            continue;
        }
        for from in &placement.from {
            if !told.insert(from.path.clone()) {
                continue;
            }
            lowered
                .losses
                .retain(|loss| loss.path != from.path || loss.kept_in.as_ref() != Some(&file));
            let why = format!(
                "it is not put into `{file}`, as {source} reads that file too and would be shown it twice; what {target} shall see has to stand there alone"
            );
            lowered.losses.push(Loss::new("text", &from.path, LossKind::Dropped, why));
        }
    }
    lowered.placements = kept;
}

/// Moves the text of each folder's own file into the shared one, and leaves a
/// line that imports it.
pub(super) fn share(
    world: World<'_>,
    place: &PortPlace,
    (source, bundle): (&dyn ReadBundle, &Bundle),
    lowered: &mut Lowered,
    (ledger, drafts): (&Ledger<'_>, &mut Drafts<'_>),
    form: Form,
) {
    let pieces = pieces(&lowered.placements, drafts);
    let mut moved: HashSet<usize> = HashSet::new();
    let mut settings: Vec<Placement> = Vec::new();
    let mut shared: BTreeSet<AbsPath> = BTreeSet::new();
    let mut losses = Vec::new();
    for piece in &pieces {
        let Some(from) = own_file(bundle, &lowered.placements, piece, place) else { continue };
        let at = |path: &AbsPath| world.fs.symlink_metadata(path);
        if !at(&from.path).is_ok_and(|found| found.is_file()) {
            continue;
        }
        let (before, own) = match &drafts.at(&piece.file).now {
            Now::Absent => (None, Vec::new()),
            Now::There(Content::File { bytes, .. }) => {
                (Some(bytes.clone()), ledger.own_bytes(&piece.file, bytes))
            }
            _ => continue,
        };
        if form == Form::Link {
            if before.is_none() && is_plain(from, piece) {
                let target = from.path.file_name().unwrap_or_default().to_owned();
                let to = Target::Whole {
                    path: piece.file.clone(),
                    content: Content::Symlink { target },
                };
                settings.push(Placement { from: vec![from.clone()], to });
                moved.insert(piece.number);
                shared.insert(piece.file.clone());
            }
            continue;
        }
        let Some(line) = source.import_line(world, place, &from.path, &piece.file) else {
            continue;
        };
        let Some(bytes) = from.content.bytes() else { continue };
        let mut inner = Vec::new();
        let text = whole(piece, &pieces, &mut inner);
        let own_text = String::from_utf8_lossy(&own).into_owned();
        if !own_text.trim().is_empty() {
            let what = format!("text of `{}`", piece.file);
            let why = format!("{} is shown what stands there already, too", source.name());
            losses.push(Loss::new(what, &piece.file, LossKind::ShownTwice, why));
        }
        let gap = if own_text.trim().is_empty() { "" } else { "\n\n" };
        let all = format!("{}{gap}{text}", own_text.trim_end());
        let after = ended(&all, before.as_deref().map_or("\n", newline));
        let from_files = std::iter::once(piece.number).chain(inner.iter().copied());
        let from_files: Vec<SourceFile> = from_files
            .filter_map(|number| lowered.placements.get(number)?.from.first().cloned())
            .collect();
        let to =
            Target::Setting { file: piece.file.clone(), before, after: after.into_bytes().into() };
        settings.push(Placement { from: from_files, to });
        let to = Target::Setting {
            file: from.path.clone(),
            before: Some(bytes.into()),
            after: left(bytes, piece, &line),
        };
        settings.push(Placement { from: Vec::new(), to });
        moved.insert(piece.number);
        moved.extend(inner);
        shared.insert(piece.file.clone());
    }
    if shared.is_empty() {
        return;
    }
    let mut number = 0;
    lowered.placements.retain(|_| {
        number += 1;
        !moved.contains(&(number - 1))
    });
    withhold(lowered, &shared, drafts, (source.name(), "the other client"));
    lowered.placements.extend(settings);
    lowered.losses.extend(losses);
    lowered.form = Some((form, "it was asked for".to_owned()));
}

/// The file of which a piece is all, where it stands beside the file that the
/// piece goes to and belongs to the project.
fn own_file<'p>(
    bundle: &Bundle,
    placements: &'p [Placement],
    piece: &Piece,
    place: &PortPlace,
) -> Option<&'p SourceFile> {
    let placement = placements.get(piece.number)?;
    let [from] = placement.from.as_slice() else { return None };
    let Target::Section { preface, within: None, .. } = &placement.to else { return None };
    let is_found =
        bundle.instructions.iter().any(|it| it.file.path == from.path && it.imported.is_none());
    let is_beside = from.path.parent() == piece.file.parent() && from.path != piece.file;
    let is_of_project = piece.file.starts_with(&place.project);
    (is_found && is_beside && is_of_project && preface.is_empty()).then_some(from)
}

/// Whether a client that shows the file as it is shows just this text.
fn is_plain(from: &SourceFile, piece: &Piece) -> bool {
    piece.inner.is_empty() && Value::of_content(&from.content) == Value::of(&piece.text)
}

/// A text with all that stands inside of it.
fn whole(piece: &Piece, all: &[Piece], inner: &mut Vec<usize>) -> String {
    let mut text = String::new();
    for line in piece.text.lines() {
        let name =
            super::mark::name_of(line).filter(|_| piece.inner.iter().any(|(mark, _)| mark == line));
        let found = name.and_then(|name| {
            all.iter()
                .find(|it| it.file == piece.file && it.name == name && it.number != piece.number)
        });
        if let Some(found) = found.filter(|found| !inner.contains(&found.number)) {
            inner.push(found.number);
            text.push_str(&whole(found, all, inner));
        } else {
            text.push_str(line);
            text.push('\n');
        }
    }
    normal(&text) + "\n"
}

/// What stays in a file whose text was moved: what its client does not show, and
/// the line.
fn left(bytes: &[u8], piece: &Piece, line: &str) -> Arc<[u8]> {
    let text = piece.as_in_origin(&piece.text);
    let hidden = |step: &Step| match step {
        Step::Text(text) => Some(text.trim_matches('\n').to_owned()),
        Step::Copy(..) | Step::Hex(_) => None,
    };
    let steps =
        recipe(super::text::unix(&String::from_utf8_lossy(bytes)).as_bytes(), text.as_bytes());
    let is_front = steps
        .first()
        .is_some_and(|step| matches!(step, Step::Text(text) if text.starts_with("---")));
    let hidden: Vec<String> =
        steps.iter().filter_map(hidden).filter(|text| !text.is_empty()).collect();
    let (front, rest) = hidden.split_at_checked(usize::from(is_front)).unwrap_or((&[], &hidden));
    let mut left = front.join("\n");
    if !left.is_empty() {
        left.push('\n');
    }
    left.push_str(line);
    left.push('\n');
    for text in rest {
        left.extend(["\n", text, "\n"]);
    }
    ended(&left, newline(bytes)).into_bytes().into()
}
