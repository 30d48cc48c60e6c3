//! What a session is given, as the proof of a port.

use memory_core::port::View;
use memory_core::{AbsPath, Error, LayerKind, Omission, Scope, World};

use crate::codex::{Codex, Query};

/// What a session that is started in `folder` is given.
pub(super) fn view(codex: &Codex, world: World<'_>, folder: &AbsPath) -> Result<View, Error> {
    let found = codex.resolve(world, &Query::new(folder.clone()))?;
    let loaded = found.chain.loaded().filter_map(|(layer, loaded)| {
        // Texts of the configuration are not what a port carries or places.
        let is_file = layer.kind == LayerKind::Instructions;
        Some((layer.provenance.path.clone().filter(|_| is_file)?, loaded.text.to_string()))
    });
    let mut texts: Vec<(AbsPath, String)> = loaded.collect();
    let memory = &found.memory;
    if let (Some(path), Some(content)) = (&memory.path, &memory.content) {
        texts.push((path.clone(), content.to_string()));
    }
    let listed = found.skills.listed.iter().map(|skill| (skill.scope, &skill.file));
    // What is kept from the model alone can still be started by the person.
    let by_name = found.skills.omitted.iter().filter(|skill| {
        matches!(&skill.reason, Omission::NotListed { why } if why == crate::skills::ONLY_BY_NAME)
    });
    let by_name = by_name.map(|skill| (skill.scope, &skill.file));
    let linked = linked_roots(world, &found.cwd);
    let own = listed.chain(by_name).filter(|(scope, _)| *scope != Scope::Builtin);
    let skills = own.flat_map(|(_, file)| names(file, &linked)).collect();
    Ok(View { texts, skills, probes: found.probes })
}

/// Folders of skills that are reached by a link, with their real paths: the
/// client names skills by the latter.
fn linked_roots(world: World<'_>, cwd: &AbsPath) -> Vec<(AbsPath, AbsPath)> {
    let home = world.env.home.iter().cloned();
    let roots = cwd.ancestors().chain(home).map(|folder| folder.join(".agents/skills"));
    roots
        .filter_map(|root| {
            let real = world.fs.canonicalize(&root).ok().filter(|real| *real != root)?;
            Some((root, real))
        })
        .collect()
}

/// A skill's file under every name by which it is found.
fn names(file: &AbsPath, linked: &[(AbsPath, AbsPath)]) -> Vec<AbsPath> {
    let by_link = linked
        .iter()
        .filter_map(|(root, real)| file.strip_prefix(real).map(|below| root.join(below)));
    std::iter::once(file.clone()).chain(by_link).collect()
}
