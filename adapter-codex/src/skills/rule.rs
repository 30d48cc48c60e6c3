//! `[[skills.config]]`: which skills the configuration turns off.

use std::collections::HashMap;

use memory_core::AbsPath;
use memory_core::fs::Fs;

use super::SkillRule;
use super::root::real;

/// The rules, ready to be asked.
pub(super) struct Rules {
    /// Number of the last rule for a file or a name, with its answer.
    by_path: HashMap<AbsPath, (usize, bool)>,
    by_name: HashMap<String, (usize, bool)>,
}

impl Rules {
    /// Takes the rules in their order; one that names both a name and a path,
    /// or neither, counts for nothing.
    pub(super) fn new(fs: &dyn Fs, rules: &[SkillRule]) -> Self {
        let (mut by_path, mut by_name) = (HashMap::new(), HashMap::new());
        for (number, rule) in rules.iter().enumerate() {
            let answer = (number, rule.enabled);
            match (&rule.path, rule.name.as_deref().map(str::trim)) {
                (Some(path), None) => {
                    by_path.insert(real(fs, path), answer);
                }
                (None, Some(name)) if !name.is_empty() => {
                    by_name.insert(name.to_owned(), answer);
                }
                _ => {}
            }
        }
        Self { by_path, by_name }
    }

    /// The paths of rules that name a folder, which no skill's file ever is.
    pub(super) fn of_folders(&self, fs: &dyn Fs) -> Vec<AbsPath> {
        let is_dir = |path: &&AbsPath| fs.metadata(path).is_ok_and(|found| found.is_dir());
        let mut paths: Vec<AbsPath> = self.by_path.keys().filter(is_dir).cloned().collect();
        paths.sort();
        paths
    }

    /// The rule that turns a skill off, as it stands in the configuration.
    pub(super) fn disables(&self, name: &str, file: &AbsPath) -> Option<String> {
        let by_path = self.by_path.get(file);
        let by_name = self.by_name.get(name);
        let named = by_name > by_path;
        match by_path.max(by_name) {
            Some((_, false)) if named => Some(format!("[[skills.config]] name = \"{name}\"")),
            Some((_, false)) => Some(format!("[[skills.config]] path = \"{file}\"")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn rule(name: Option<&str>, file: Option<&str>, enabled: bool) -> SkillRule {
        SkillRule { name: name.map(str::to_owned), path: file.map(path), enabled }
    }

    #[test]
    fn the_last_rule_wins_whether_it_names_a_name_or_a_file() {
        let mut fs = MemFs::from_files([("/s/a/SKILL.md", "")]);
        fs.link("/ln", "/s");
        let off = |rules: &[SkillRule]| {
            Rules::new(&fs, rules).disables("a", &path("/s/a/SKILL.md")).is_some()
        };
        let by_link = Some("/ln/a/SKILL.md");
        assert!(off(&[rule(Some(" a "), None, false)]));
        assert!(off(&[rule(None, by_link, false)]));
        assert!(!off(&[rule(Some("a"), None, false), rule(None, by_link, true)]));
        assert!(off(&[rule(None, by_link, true), rule(Some("a"), None, false)]));
        assert!(!off(&[rule(Some("a"), by_link, false), rule(None, None, false)]));
        assert!(!off(&[rule(None, Some("/s/a"), false), rule(Some("A"), None, false)]));
        let folders = Rules::new(&fs, &[rule(None, Some("/ln/a"), false)]).of_folders(&fs);
        assert_eq!(folders, [path("/s/a")]);
    }
}
