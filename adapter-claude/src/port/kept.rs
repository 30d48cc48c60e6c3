//! Which paths are the client's own.

use memory_core::AbsPath;

use super::ground::Ground;
use crate::memory;

/// Whether the client keeps anything at this path, there or not.
pub(super) fn keeps(ground: &Ground<'_>, path: &AbsPath) -> bool {
    let path = ground.real_name(path);
    let layout = ground.context.layout;
    if path.parts().any(|part| part.eq_ignore_ascii_case(".git")) {
        return false;
    }
    if let Some(below) = path.strip_prefix(&layout.config) {
        return below == "CLAUDE.md" || is_own(below) || in_memory(ground, &path);
    }
    if path.strip_prefix(ground.project()).is_some_and(is_of_project) {
        return true;
    }
    // Sessions read what stands above the project too; outside of the home it is
    // other people's.
    let above = ground.project().ancestors().skip(1);
    let mut above = above.take_while(|dir| dir.starts_with(&layout.home));
    if above.any(|dir| path.strip_prefix(&dir).is_some_and(is_of_folder)) {
        return true;
    }
    in_memory(ground, &path)
}

/// The folders below `.claude` whose files the client reads, with the extension
/// that they must have; `None` for any.
const FOLDERS: [(&str, Option<&str>); 5] = [
    ("rules", Some("md")),
    ("commands", Some("md")),
    ("skills", None),
    ("agent-memory", Some("md")),
    ("agent-memory-local", Some("md")),
];

/// Whether a path below the client's own folder is a rule, a skill, a command or
/// the memory of a sub-agent.
fn is_own(below: &str) -> bool {
    let Some((folder, rest)) = below.split_once('/') else { return false };
    let is_nested_enough = folder != "skills" || rest.contains('/');
    let ends = |extension: Option<&str>| extension.is_none_or(|own| has_extension(rest, own));
    is_nested_enough
        && FOLDERS.iter().any(|(known, extension)| *known == folder && ends(*extension))
}

/// Whether a path below a folder is one that the client reads for that folder.
fn is_of_folder(below: &str) -> bool {
    let own = below.strip_prefix(".claude/");
    matches!(below, "CLAUDE.md" | "CLAUDE.local.md" | ".claude/CLAUDE.md")
        || own.is_some_and(is_own)
}

/// Whether a path below the project is the client's: its own files in any folder,
/// and texts that they may import.
fn is_of_project(below: &str) -> bool {
    let own = below.strip_prefix(".claude/").or_else(|| Some(below.split_once("/.claude/")?.1));
    if let Some(own) = own {
        return matches!(own, "CLAUDE.md") || is_own(own);
    }
    let name = below.rsplit('/').next().unwrap_or_default();
    if matches!(name, "CLAUDE.md" | "CLAUDE.local.md") {
        return true;
    }
    (has_extension(name, "md") || has_extension(name, "txt"))
        && !below.split('/').any(|part| part.starts_with('.'))
}

/// Whether a path is a file of the project's memory.
fn in_memory(ground: &Ground<'_>, path: &AbsPath) -> bool {
    let below = path.strip_prefix(&memory::place(ground.context));
    below.is_some_and(|below| has_extension(below, "md"))
}

/// Whether a name has an extension, in any case.
fn has_extension(name: &str, extension: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(extension))
}
