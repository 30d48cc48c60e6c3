//! Which paths are Codex's own.

use memory_core::{AbsPath, PortPlace, World};

use crate::chain::NAMES;
use crate::{MemoryVersion, home};

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
    let below = path.strip_prefix(&real).or_else(|| path.strip_prefix(&place.project));
    below.is_some_and(|below| {
        let parts: Vec<&str> = below.split('/').collect();
        let in_skills = |pair: &[&str]| SKILLS.iter().any(|folder| folder == pair);
        let folders = parts.get(..parts.len().saturating_sub(1)).unwrap_or_default();
        NAMES.contains(&name) || folders.windows(2).any(in_skills)
    })
}
