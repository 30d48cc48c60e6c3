//! What lies in a tree, without opening it and without following links.

use memory_core::fs::FileKind;
use memory_core::{AbsPath, Code, Diagnostic, Severity, World};

/// Names looked at in one tree, at most.
const MAX_NAMES: usize = 50_000;
/// Folders below the root, at most.
const MAX_DEPTH: usize = 16;

/// The list of what changed since the client last worked on a tree; there only
/// while it works.
pub(crate) const WORKSPACE_DIFF: &str = "phase2_workspace_diff.md";

/// One name in a tree.
pub(crate) struct Found {
    /// Relative to the root, `/` between the parts.
    pub(crate) name: String,
    pub(crate) kind: FileKind,
}

/// All that lies below a root, folder by folder, names in ascending order.
///
/// Folders that the client keeps for itself are named and not entered.
pub(crate) fn walk(
    world: World<'_>,
    root: &AbsPath,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Found> {
    let mut found = Vec::new();
    let mut left = MAX_NAMES;
    let mut folders = vec![(String::new(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let path = if folder.is_empty() { root.clone() } else { root.join(&folder) };
        let listing = match world.fs.read_dir(&path) {
            Ok(listing) => listing,
            Err(error) => {
                diagnostics.push(unlisted(&path, &format!("the folder cannot be listed: {error}")));
                continue;
            }
        };
        let mut names: Vec<_> = listing.filter_map(Result::ok).take(left + 1).collect();
        let is_full = names.len() > left;
        if is_full {
            diagnostics
                .push(unlisted(&path, &format!("only {MAX_NAMES} names of a tree are looked at")));
            names.truncate(left);
            folders.clear();
        }
        left -= names.len();
        names.sort_by(|a, b| a.name.cmp(&b.name));
        let mut below = Vec::new();
        for entry in names {
            let name =
                if folder.is_empty() { entry.name } else { format!("{folder}/{}", entry.name) };
            if entry.kind == FileKind::Dir && !is_machinery(&name) {
                if depth < MAX_DEPTH {
                    below.push((name, depth + 1));
                } else {
                    diagnostics.push(unlisted(
                        &root.join(&name),
                        "the folder lies too deep to be looked at",
                    ));
                }
            } else {
                found.push(Found { name, kind: entry.kind });
            }
        }
        if !is_full {
            folders.extend(below.into_iter().rev());
        }
    }
    found
}

/// Whether a name is one that the client keeps for itself.
pub(crate) fn is_machinery(name: &str) -> bool {
    let first = name.split('/').next().unwrap_or(name);
    matches!(first, ".git" | ".codex-baseline")
        || name == WORKSPACE_DIFF
        || (!name.contains('/') && has_ending(name, ".lock"))
}

/// Whether a name ends so, whatever its case.
pub(crate) fn has_ending(name: &str, ending: &str) -> bool {
    let at = name.len().checked_sub(ending.len());
    at.and_then(|at| name.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
}

fn unlisted(path: &AbsPath, why: &str) -> Diagnostic {
    Diagnostic::new(Code("codex/memory-tree-not-listed"), Severity::Warning, why).at(path)
}
