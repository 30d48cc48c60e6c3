//! Finding and reading the skills of all roots.

use std::collections::HashMap;

use memory_core::fs::Fs;
use memory_core::{AbsPath, Diagnostic, Omission, OmittedSkill, Quirk, Scope, counted};

use super::limits::WalkLimits;
use super::line::Description;
use super::namespace::Namespaces;
use super::notice;
use super::policy;
use super::policy::Policy;
use super::root::Root;
use super::skill;
use super::skill::{Skill, Unusable};
use super::walk::{Candidate, Found, Passed, PassedWhy, SKILL_FILE, walk};
use crate::profile::Profile;
use crate::quirks::skills as quirks;

/// What the roots searched so far hold.
pub(super) struct Search<'a> {
    fs: &'a dyn Fs,
    profile: &'a Profile,
    namespaces: Namespaces<'a>,
    /// Under which path each real file was found first.
    known: HashMap<AbsPath, AbsPath>,
    /// The skills, in the order in which they were found.
    pub(super) skills: Vec<Skill>,
    /// The real roots, in order, each once.
    pub(super) roots: Vec<AbsPath>,
    /// What looks like a skill and is none.
    pub(super) omitted: Vec<OmittedSkill>,
    /// What is worth telling.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Search<'a> {
    /// Nothing is searched yet.
    pub(super) fn new(fs: &'a dyn Fs, profile: &'a Profile) -> Self {
        Self {
            fs,
            profile,
            namespaces: Namespaces::new(fs),
            known: HashMap::new(),
            skills: Vec::new(),
            roots: Vec::new(),
            omitted: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Searches one root.
    pub(super) fn look_in(&mut self, root: &Root) {
        if !self.roots.contains(&root.path) {
            self.roots.push(root.path.clone());
        }
        if root.scope == Scope::Builtin {
            self.add_bundled(root);
            return;
        }
        let walk = walk(self.fs, &root.path, &WalkLimits::of(self.profile));
        for found in walk.found {
            self.consider(root, found);
        }
        for passed in walk.passed {
            self.pass(root, &passed);
        }
        for (folder, error) in &walk.unreadable {
            self.diagnostics.push(notice::unreadable_folder(folder, error));
        }
        if walk.cut_short {
            self.diagnostics.push(notice::walk_cut_short(&root.path, self.profile));
        }
    }

    /// Adds the client's own skills, which it unpacks before it looks.
    fn add_bundled(&mut self, root: &Root) {
        for (name, chars) in self.profile.bundled_skills {
            let folder = root.path.join(name);
            let file = folder.join(SKILL_FILE);
            if self.known.contains_key(&file) {
                continue;
            }
            self.known.insert(file.clone(), file.clone());
            let name = self.qualified(&folder, (*name).to_owned());
            self.skills.push(Skill {
                name,
                description: Description::Ascii(*chars),
                cut_chars: 0,
                scope: root.scope,
                root: root.path.clone(),
                shown: file.clone(),
                real: file,
                policy: Policy::Open,
                repaired: Vec::new(),
            });
        }
    }

    fn consider(&mut self, root: &Root, found: Found) {
        let (reason, quirk) = match found.what {
            Candidate::Skill => {
                self.read(root, found);
                return;
            }
            Candidate::LinkedFile => {
                let why = "a `SKILL.md` that is a link is ignored".to_owned();
                self.diagnostics.push(notice::linked_file(&found.path));
                (Omission::NotListed { why }, Some(&quirks::LINKED_SKILL_FILE))
            }
            Candidate::WrongCase => {
                let why = "only the exact name `SKILL.md` counts".to_owned();
                self.diagnostics.push(notice::wrong_case(&found.path));
                (Omission::NotListed { why }, Some(&quirks::SKILL_FILE_CASE))
            }
            Candidate::BrokenLink => {
                self.diagnostics.push(notice::broken_link(&found.path));
                (Omission::BrokenLink, None)
            }
            Candidate::FlatFile => {
                if !self.begins_with_frontmatter(&found.path) {
                    return;
                }
                let why = "a skill is a folder with a `SKILL.md`, not a file".to_owned();
                self.diagnostics.push(notice::flat_file(&found.path));
                (Omission::NotListed { why }, None)
            }
            Candidate::Special => (Omission::NotAFile, None),
        };
        self.omit(root, found.path, reason, quirk);
    }

    /// Whether a file looks like a skill: others may well lie in the folder.
    fn begins_with_frontmatter(&self, path: &AbsPath) -> bool {
        self.fs.read_up_to(path, 4).is_ok_and(|bytes| bytes.starts_with(b"---"))
    }

    /// Tells of a skill in a folder that is not looked into.
    fn pass(&mut self, root: &Root, passed: &Passed) {
        let file = passed.folder.join(SKILL_FILE);
        if !self.fs.symlink_metadata(&file).is_ok_and(|found| found.is_file()) {
            return;
        }
        let not_listed = |why: String| Omission::NotListed { why };
        let (reason, quirk) = match &passed.why {
            PassedWhy::SeenAs(first) => {
                let real = self.fs.canonicalize(&file).unwrap_or_else(|_| file.clone());
                let reason = match self.known.get(&real) {
                    Some(of) => Omission::Duplicate { of: of.clone() },
                    None => not_listed(format!("its folder is looked at already as `{first}`")),
                };
                (reason, None)
            }
            PassedWhy::TooDeep => {
                let depth = counted(self.profile.skill_max_depth as u64, "folder");
                let why = format!("skills are looked for {depth} down, not deeper");
                (not_listed(why), Some(&quirks::WALK_LIMITS))
            }
            PassedWhy::Hidden => {
                let why = "a folder whose name begins with a dot is not looked into";
                (not_listed(why.to_owned()), None)
            }
            PassedWhy::OddName => {
                let why = "a folder with a tab, a line break or an invalid character in its name is not looked into";
                (not_listed(why.to_owned()), Some(&quirks::FOLDER_NAMES))
            }
        };
        self.omit(root, file, reason, quirk);
    }

    fn read(&mut self, root: &Root, found: Found) {
        let (shown, real) = (found.path, found.folder.join(SKILL_FILE));
        if let Some(of) = self.known.get(&real).cloned() {
            self.omit(root, shown, Omission::Duplicate { of }, None);
            return;
        }
        match self.load(root, &shown, &real) {
            Ok(skill) => {
                self.known.insert(real, shown);
                self.skills.push(skill);
            }
            Err(unusable) => {
                let quirk = notice::quirk_of(&unusable.reason);
                self.diagnostics.push(notice::unusable(&shown, &unusable));
                self.omit(root, shown, unusable.reason, quirk);
            }
        }
    }

    fn load(&mut self, root: &Root, shown: &AbsPath, real: &AbsPath) -> Result<Skill, Unusable> {
        let front = skill::read(self.fs, real, self.profile)?;
        let folder = real.parent().unwrap_or_else(AbsPath::root);
        let name = self.qualified(&folder, front.name);
        let (chars, limit) = (name.chars().count(), self.profile.skill_qualified_name_max_chars);
        if chars > limit {
            return Err(skill::too_long(chars, limit).into());
        }
        Ok(Skill {
            name,
            description: Description::Text(front.description),
            cut_chars: front.cut_chars,
            scope: root.scope,
            root: root.path.clone(),
            shown: shown.clone(),
            real: real.clone(),
            policy: policy::read(self.fs, &folder),
            repaired: front.repaired,
        })
    }

    fn qualified(&mut self, folder: &AbsPath, name: String) -> String {
        match self.namespaces.of(folder) {
            Some(plugin) => format!("{plugin}:{name}"),
            None => name,
        }
    }

    fn omit(
        &mut self,
        root: &Root,
        file: AbsPath,
        reason: Omission,
        quirk: Option<&'static Quirk>,
    ) {
        self.omitted.push(OmittedSkill { file, scope: root.scope, reason, quirk });
    }
}
