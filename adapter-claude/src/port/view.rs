//! What a session is given at its start.

use memory_core::port::{PortPlace, View};
use memory_core::{AbsPath, Error, Omission, Outcome, World};

use super::ground::{Ground, environment};
use crate::claude::{Claude, Query};
use crate::instructions::start;

/// What a session in a folder is given.
///
/// A file that is found through a link stands there under both its names.
pub(super) fn view(
    claude: &Claude,
    world: World<'_>,
    place: &PortPlace,
    folder: &AbsPath,
) -> Result<View, Error> {
    let env = environment(world, place);
    let world = World { fs: world.fs, env: &env };
    // A folder that only a plan would make is seen from the one above it.
    let cwd =
        folder.ancestors().find(|dir| world.fs.metadata(dir).is_ok_and(|found| found.is_dir()));
    let query = Query::new(cwd.unwrap_or_else(|| folder.clone()));
    let found = claude.resolve(world, &query)?;
    let mut view = View { probes: found.probes, ..View::default() };
    let mut add = |path: &AbsPath, text: &str| {
        view.texts.push((path.clone(), text.to_owned()));
        if let Ok(real) = world.fs.canonicalize(path)
            && real != *path
        {
            view.texts.push((real, text.to_owned()));
        }
    };
    for (layer, loaded) in found.chain.loaded() {
        if let Some(path) = &layer.provenance.path {
            add(path, &loaded.text);
        }
    }
    if let (Some(path), Some(text)) = (&found.memory.path, &found.memory.content) {
        add(path, text);
    }
    // What the model is not told of, the person can still start; what waits for
    // its files is started by them.
    let is_kept = |reason: &Omission| {
        matches!(reason, Omission::PathsDoNotMatch(_) | Omission::NotListed { .. })
    };
    let listed = found.skills.listed.into_iter().map(|skill| skill.file);
    let kept = found.skills.omitted.into_iter().filter(|skill| is_kept(&skill.reason));
    view.skills = listed.chain(kept.map(|skill| skill.file)).collect();
    Ok(view)
}

/// The texts that a session in the project is given, and nothing else.
pub(super) fn texts(ground: &Ground<'_>) -> View {
    let start = start::resolve(ground.context, &ground.documents);
    let texts = start.items.into_iter().filter_map(|item| match item.layer.outcome {
        Outcome::Loaded(loaded) => Some((item.layer.provenance.path?, loaded.text.to_string())),
        Outcome::Omitted { .. } => None,
    });
    View { texts: texts.collect(), ..View::default() }
}
