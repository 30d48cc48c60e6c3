//! Rollout summaries: which one a pointer means, and what it says.

use memory_core::doc::Source;
use memory_core::fs::FileKind;
use memory_core::{AbsPath, RelPath, World};

use super::terms::Terms;
use super::{FoundBy, Passage, Pointer};
use crate::memory::line::Place;
use crate::memory::line::lines;
use crate::memory::rollout_summary::RolloutSummary;
use crate::memory::stem::RolloutStem;
use crate::memory::stem::short_hash;
use crate::memory::version::ROLLOUTS;

/// Names looked at to find a session's summary.
const MAX_NAMES: usize = 20_000;
/// Bytes of a file in which its header stands.
const HEADER_LIMIT: u64 = 4_096;

/// The file that a pointer means; an error that says why there is none, or
/// says nothing where the pointer points nowhere.
pub(super) fn find(
    world: World<'_>,
    root: &AbsPath,
    pointer: &Pointer,
) -> Result<AbsPath, Option<String>> {
    let by_name = pointer.file.as_deref().map(|file| by_name(world, root, file));
    match by_name {
        Some(Ok(path)) => return Ok(path),
        Some(Err(Refused::Unsafe)) => {
            let file = pointer.file.as_deref().unwrap_or_default();
            return Err(Some(format!("`{file}` leads out of the memory and is not opened")));
        }
        Some(Err(Refused::Missing)) | None => {}
    }
    let by_thread = pointer.thread_id.as_deref().and_then(|id| by_thread(world, root, id));
    by_thread.ok_or_else(|| {
        let target = pointer.file.as_ref().or(pointer.thread_id.as_ref())?;
        Some(format!("`{target}` is not there any more"))
    })
}

enum Refused {
    Missing,
    Unsafe,
}

fn by_name(world: World<'_>, root: &AbsPath, file: &str) -> Result<AbsPath, Refused> {
    let inside = RelPath::new(file).ok_or(Refused::Unsafe)?;
    let path = root.join(inside.as_str());
    let bare = (!file.contains('/')).then(|| root.join(ROLLOUTS).join(file));
    for path in std::iter::once(path).chain(bare) {
        match world.fs.symlink_metadata(&path) {
            Ok(found) if found.kind == FileKind::Symlink => return Err(Refused::Unsafe),
            Ok(found) if found.is_file() => {
                let real = |path| world.fs.canonicalize(path).map_err(|_| Refused::Missing);
                let is_inside = real(&path)?.starts_with(&real(root)?);
                return if is_inside { Ok(path) } else { Err(Refused::Unsafe) };
            }
            _ => {}
        }
    }
    Err(Refused::Missing)
}

/// The summary of a session, found by the hash in its name and the id in it.
fn by_thread(world: World<'_>, root: &AbsPath, id: &str) -> Option<AbsPath> {
    let folder = root.join(ROLLOUTS);
    let hash = short_hash(id);
    let names = world.fs.read_dir(&folder).ok()?.take(MAX_NAMES).filter_map(Result::ok);
    let is_candidate = |name: &str| {
        let stem = name.strip_suffix(".md").and_then(RolloutStem::parse);
        stem.is_some_and(|stem| stem.hash == hash)
    };
    let files = names.filter(|entry| entry.kind == FileKind::File && is_candidate(&entry.name));
    files.map(|entry| folder.join(entry.name)).find(|path| {
        let bytes = world.fs.read_up_to(path, HEADER_LIMIT).unwrap_or_default();
        let head = RolloutSummary::parse(path.clone(), Source::new(bytes)).value;
        head.header.thread_id.as_deref() == Some(id)
    })
}

/// The passages of a rollout summary that hold a term, best first; its
/// beginning when none does.
pub(super) fn passages(
    path: &AbsPath,
    source: &Source,
    terms: &Terms,
    pointer: &Pointer,
) -> Vec<Passage> {
    let body = RolloutSummary::parse(path.clone(), source.clone()).value.body;
    let blocks = blocks(source, body.start);
    let passage = |place: Place, why| Passage {
        path: path.clone(),
        place,
        text: source.slice_text(place.span).into_owned(),
        why,
    };
    let mut held: Vec<(Vec<String>, Place)> = blocks
        .iter()
        .map(|place| (terms.held_by(&[&source.slice_text(place.span)]), *place))
        .filter(|(held, _)| !held.is_empty())
        .collect();
    held.sort_by_key(|(held, _)| std::cmp::Reverse(held.len()));
    if held.is_empty() {
        let why = FoundBy::PointedTo { from: pointer.from.clone(), line: pointer.line };
        return blocks.first().map(|place| passage(*place, why)).into_iter().collect();
    }
    held.into_iter().map(|(held, place)| passage(place, FoundBy::Holds(held))).collect()
}

/// The stretches of a text from heading to heading, blank lines at their ends
/// left out.
fn blocks(source: &Source, start: usize) -> Vec<Place> {
    let mut found: Vec<Place> = Vec::new();
    for line in lines(source).filter(|line| line.span.start >= start && !line.is_blank()) {
        match found.last_mut() {
            Some(block) if line.heading().is_none() => block.reach(&line),
            _ => found.push(Place::of(&line)),
        }
    }
    found
}
