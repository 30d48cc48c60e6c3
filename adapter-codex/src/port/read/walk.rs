//! The folders of a project in which Codex finds something.

use adapter_agents_md::{MarkerErrors, find_root};
use memory_core::fs::FileKind;
use memory_core::{AbsPath, Code, Diagnostic, Severity};

use crate::port::folder;
use crate::port::ground::Ground;

/// The file that makes a folder a skill.
const SKILL_FILE: &str = "SKILL.md";
/// Where packages of others lie.
const PACKAGES: &str = "node_modules";

/// What the folders below the project hold; the project itself is not among them.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Names that are looked for in each folder.
    pub(super) names: Vec<String>,
    /// Folders with an instruction file, in order of their paths.
    pub(super) texts: Vec<AbsPath>,
    /// Folders of skills with the folder that they serve, in order of their paths.
    pub(super) skills: Vec<(AbsPath, AbsPath)>,
}

impl Walk {
    /// Looks through the project, following no link.
    pub(super) fn of(ground: &Ground<'_>, told: &mut Vec<Diagnostic>) -> Self {
        let mut walk = Self { names: folder::names(ground), ..Self::default() };
        let mut open = vec![ground.project.clone()];
        while let Some(dir) = open.pop() {
            walk.look_at(ground, &dir, &mut open, told);
        }
        walk.texts.sort();
        walk.skills.sort();
        walk
    }

    fn look_at(
        &mut self,
        ground: &Ground<'_>,
        dir: &AbsPath,
        open: &mut Vec<AbsPath>,
        told: &mut Vec<Diagnostic>,
    ) {
        let fs = ground.world.fs;
        let entries = match fs.read_dir(dir) {
            Ok(entries) => entries,
            Err(error) => {
                let message = format!("the folder cannot be listed: {error}");
                told.push(
                    Diagnostic::new(Code("codex/folder-not-listed"), Severity::Warning, message)
                        .at(dir)
                        .help("what stands in it is not carried"),
                );
                return;
            }
        };
        let nested = *dir != ground.project;
        let is_client = matches!(dir.file_name(), Some(".agents" | ".codex"));
        let mut has_text = false;
        let mut is_skill = false;
        let mut below = Vec::new();
        for entry in entries.filter_map(Result::ok) {
            let name = entry.name.as_str();
            let is_folder = entry.kind == FileKind::Dir;
            if !is_folder {
                has_text |= self.names.iter().any(|known| known == name);
                is_skill |= name == SKILL_FILE;
            }
            let may_be_folder = is_folder || entry.kind == FileKind::Symlink;
            if nested && may_be_folder && matches!(name, ".agents" | ".codex") {
                let skills = dir.join(name).join("skills");
                if fs.metadata(&skills).is_ok_and(|found| found.is_dir()) {
                    self.skills.push((skills, dir.clone()));
                }
            }
            let is_skipped = name == ".git" || is_client && name == "skills";
            let path = dir.join(name);
            if is_folder && !is_skipped && path != ground.codex_home {
                below.push(path);
            }
        }
        // What stands in a skill's folder is about the skill, for whatever
        // client it is, and goes where the skill goes.
        if nested && is_skill {
            return;
        }
        open.append(&mut below);
        if nested && has_text {
            self.texts.push(dir.clone());
        }
    }
}

/// Why what a folder holds belongs to something else than the project.
pub(super) fn foreign(ground: &Ground<'_>, dir: &AbsPath) -> Option<String> {
    let below = dir.strip_prefix(&ground.project).unwrap_or_default();
    if below.split('/').any(|part| part == PACKAGES) {
        return Some("it belongs to a package of others; port that package by itself".to_owned());
    }
    let root = find_root(ground.world, &ground.config.markers, dir, MarkerErrors::Absent);
    let root = root.filter(|root| *root != ground.root && root.starts_with(&ground.project))?;
    Some(format!("it belongs to the project `{root}`; run the port there"))
}
