//! Skills that Codex lists or that can be started by name.

use std::collections::HashSet;

use memory_core::model::{Applies, Invocation, Reach, Skill, SkillForm};
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, RelPath, Scope};

use super::Reading;
use super::files::collect;
use super::walk::{Walk, foreign};
use crate::port::ground::Ground;
use crate::skills::carry::{Found, SkillRoot, carried};

/// Reads the skills.
pub(super) fn read(ground: &Ground<'_>, walk: &Walk, reading: &mut Reading) {
    let found =
        carried(ground.world.fs, ground.profile, &roots(ground, walk), &ground.config.skills.rules);
    reading.diagnostics.extend(found.diagnostics);
    for (file, why) in found.hidden {
        reading.hint("codex/skill-not-carried", &file, format!("the skill is not carried: {why}"));
    }
    let folders: Vec<AbsPath> =
        found.skills.iter().filter_map(|skill| skill.real.parent()).collect();
    let others: HashSet<AbsPath> = folders.iter().cloned().collect();
    let mut skills = found.skills;
    // The listing's own order; the sort keeps that of the roots beside it.
    skills.sort_by(|a, b| (rank(a.scope), &a.name).cmp(&(rank(b.scope), &b.name)));
    for skill in skills {
        let foreign = skill.folder.as_ref().and_then(|dir| foreign(ground, dir));
        if let Some(why) = foreign {
            let what = format!("skill `{}`", skill.name);
            reading.lose(Loss::new(what, &skill.shown, LossKind::Dropped, why));
        } else {
            let skill = whole(ground, &skill, &others, reading);
            reading.bundle.skills.extend(skill);
        }
    }
}

fn whole(
    ground: &Ground<'_>,
    found: &Found,
    others: &HashSet<AbsPath>,
    reading: &mut Reading,
) -> Option<Skill> {
    let (shown, real) = (found.shown.parent()?, found.real.parent()?);
    let files = collect(ground, &shown, &real, others, reading);
    let reach = match &found.folder {
        None => Reach::everywhere(found.scope),
        Some(folder) if ground.leads_out(&found.real) => Reach::below(Scope::Local, folder.clone()),
        Some(folder) if folder.starts_with(&ground.project) => {
            Reach::below(found.scope, folder.clone())
        }
        // What lies above the project is not checked in with it.
        Some(folder) => Reach::below(Scope::User, folder.clone()),
    };
    let invocation =
        if found.only_by_name { Invocation::UserOnly } else { Invocation::ModelAndUser };
    Some(Skill {
        name: found.name.clone(),
        description: found.description.clone(),
        reach,
        applies: Applies::Always,
        invocation,
        form: SkillForm::Folder,
        path: shown,
        files,
        main: RelPath::new(found.shown.file_name()?)?,
        extras: Vec::new(),
    })
}

/// The roots in the client's order, those of nested folders last.
fn roots(ground: &Ground<'_>, walk: &Walk) -> Vec<SkillRoot> {
    let mut roots: Vec<SkillRoot> = Vec::new();
    let mut add = |path: AbsPath, scope: Scope, folder: Option<&AbsPath>| {
        if roots.iter().all(|root| root.path != path) {
            roots.push(SkillRoot { path, scope, folder: folder.cloned() });
        }
    };
    for dir in &ground.config.layer_dirs {
        add(dir.join(".codex/skills"), Scope::Project, Some(dir));
    }
    add(ground.codex_home.join("skills"), Scope::User, None);
    add(ground.home.join(".agents/skills"), Scope::User, None);
    add(AbsPath::root().join("etc/codex/skills"), Scope::Managed, None);
    for dir in ground.project.from_top(&ground.root) {
        add(dir.join(".agents/skills"), Scope::Project, Some(&dir));
    }
    for (path, folder) in &walk.skills {
        add(path.clone(), Scope::Project, Some(folder));
    }
    roots
}

fn rank(scope: Scope) -> u8 {
    match scope {
        Scope::Managed => 0,
        Scope::Project | Scope::Directory => 1,
        _ => 2,
    }
}
