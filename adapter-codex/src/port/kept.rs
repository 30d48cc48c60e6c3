//! Which paths are Codex's own.

use memory_core::port::PortPlace;
use memory_core::{AbsPath, World};

use crate::config::home;
use crate::instructions::NAMES;
use crate::resolution::MemoryVersion;

/// Folders of skills in a project's folder.
const SKILLS: [[&str; 2]; 2] = [[".agents", "skills"], [".codex", "skills"]];

/// Whether Codex keeps instructions, skills or memory at this path.
pub(super) fn keeps(world: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
    if path.parts().any(|part| part.eq_ignore_ascii_case(".git") || part == ".codex-baseline") {
        return false;
    }
    let name = path.file_name().unwrap_or_default();
    let real = world.fs.canonicalize(&place.project).unwrap_or_else(|_| place.project.clone());
    let codex_home = home::codex_home(world, &real).ok().and_then(Result::ok);
    let codex_home = codex_home.unwrap_or_else(|| place.home.join(".codex"));
    if let Some(below) = path.strip_prefix(&codex_home) {
        let first = below.split('/').next().unwrap_or_default();
        let is_memory = [MemoryVersion::V1, MemoryVersion::V2]
            .iter()
            .any(|version| version.folder() == first && below.len() > first.len());
        let is_skill = below.starts_with("skills/") && !below.starts_with("skills/.system/");
        return NAMES.contains(&below) || is_memory || is_skill;
    }
    if path.strip_prefix(&place.home.join(".agents/skills")).is_some_and(|below| !below.is_empty())
    {
        return true;
    }
    // A session may read what stands above the project too; outside of the home
    // it is other people's.
    let mut above = real.ancestors().skip(1).take_while(|dir| dir.starts_with(&place.home));
    if above.any(|dir| path.strip_prefix(&dir).is_some_and(is_of_folder)) {
        return true;
    }
    let below = path.strip_prefix(&real).or_else(|| path.strip_prefix(&place.project));
    below.is_some_and(|below| {
        let parts: Vec<&str> = below.split('/').collect();
        let in_skills = |pair: &[&str]| SKILLS.iter().any(|folder| folder == pair);
        let folders = parts.get(..parts.len().saturating_sub(1)).unwrap_or_default();
        NAMES.contains(&name) || folders.windows(2).any(in_skills)
    })
}

/// Whether a path below a folder is one that Codex reads for that folder.
fn is_of_folder(below: &str) -> bool {
    let is_skill = |[top, name]: &[&str; 2]| {
        let rest = below.strip_prefix(top).and_then(|rest| rest.strip_prefix('/'));
        rest.and_then(|rest| rest.strip_prefix(name)).is_some_and(|rest| rest.starts_with('/'))
    };
    NAMES.contains(&below) || SKILLS.iter().any(is_skill)
}
