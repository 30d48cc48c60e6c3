//! What permissions take away: instruction files that may not be read, and skills.

use memory_core::AbsPath;
use serde_json::Value;

use super::arguments::Arguments;
use super::layout::Layout;
use super::{Settings, SettingsLayer, SettingsSource};
use crate::rules::Globs;

/// The tool that uses skills.
const SKILL: &str = "Skill";

/// What is denied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Denied {
    reads: Vec<DeniedRead>,
    /// The rule that denies the use of skills, or the option that leaves it out.
    pub(crate) skill_tool: Option<String>,
}

/// A rule `Read(…)`.
#[derive(Clone, Debug)]
struct DeniedRead {
    /// The rule and where it stands, for people.
    name: String,
    /// The directory that its pattern counts from, and the pattern; `None` for all files.
    pattern: Option<(AbsPath, Globs)>,
}

impl Denied {
    /// Reads the rules of all settings and of the command line.
    pub(crate) fn read(
        settings: &Settings,
        arguments: &Arguments,
        layout: &Layout,
        denies_reads: bool,
    ) -> Self {
        let mut denied = Self::default();
        for layer in &settings.layers {
            let rules =
                layer.values.get("permissions").and_then(|permissions| permissions.get("deny"));
            for rule in
                rules.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
            {
                let name = format!("`{rule}` of {}", layer.name("permissions.deny"));
                denied.add(rule, name, &base(layer, layout), layout);
            }
        }
        for rule in &arguments.disallowed_tools {
            let name = format!("`--disallowedTools {rule}`");
            denied.add(rule, name, &layout.cwd, layout);
        }
        if let Some(tools) = &arguments.tools
            && !tools.iter().any(|tool| tool == SKILL || tool == "default")
        {
            denied.skill_tool.get_or_insert_with(|| "`--tools` without Skill".to_owned());
        }
        if !denies_reads {
            denied.reads.clear();
        }
        denied
    }

    fn add(&mut self, rule: &str, name: String, base: &AbsPath, layout: &Layout) {
        if rule == SKILL {
            self.skill_tool.get_or_insert(name);
        } else if rule == "Read" {
            self.reads.push(DeniedRead { name, pattern: None });
        } else if let Some(pattern) = inside(rule, "Read") {
            let (root, pattern) = rooted(pattern, base, layout);
            // A rule that takes something back denies nothing.
            if !pattern.starts_with('!') {
                let pattern = Some((root, Globs::new(std::slice::from_ref(&pattern))));
                self.reads.push(DeniedRead { name, pattern });
            }
        }
    }

    /// The rule that denies reading a file, by its name or where it leads.
    pub(crate) fn read_of(&self, path: &AbsPath, real: &AbsPath) -> Option<&str> {
        let denies = |read: &&DeniedRead| match &read.pattern {
            None => true,
            Some((root, globs)) => [path, real]
                .iter()
                .any(|path| path.strip_prefix(root).is_some_and(|below| globs.matches(below))),
        };
        self.reads.iter().find(denies).map(|read| read.name.as_str())
    }
}

/// What stands in the parentheses of a rule for a tool.
fn inside<'r>(rule: &'r str, tool: &str) -> Option<&'r str> {
    rule.strip_prefix(tool)?
        .strip_prefix('(')?
        .strip_suffix(')')
        .filter(|inside| !inside.is_empty())
}

/// The directory that a pattern with one slash in front counts from.
fn base(layer: &SettingsLayer, layout: &Layout) -> AbsPath {
    match (&layer.source, &layer.path) {
        (SettingsSource::User, _) => layout.config.clone(),
        (SettingsSource::Project | SettingsSource::Local, Some(path)) => {
            path.parent().and_then(|dir| dir.parent()).unwrap_or_else(AbsPath::root)
        }
        (SettingsSource::Managed, Some(path)) => path.parent().unwrap_or_else(AbsPath::root),
        _ => layout.cwd.clone(),
    }
}

/// A pattern, and the directory that it counts from.
fn rooted(pattern: &str, base: &AbsPath, layout: &Layout) -> (AbsPath, String) {
    let (root, pattern) = if let Some(absolute) = pattern.strip_prefix("//") {
        (AbsPath::root(), format!("/{absolute}"))
    } else if let Some(below) = pattern.strip_prefix("~/") {
        (layout.home.clone(), format!("/{below}"))
    } else if pattern.starts_with('/') {
        (base.clone(), pattern.to_owned())
    } else {
        (layout.cwd.clone(), pattern.strip_prefix("./").unwrap_or(pattern).to_owned())
    };
    match pattern.strip_suffix("/**") {
        Some("") => (root, "*".to_owned()),
        Some(dir) => (root, dir.to_owned()),
        None => (root, pattern),
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use memory_core::{Env, World};

    use super::*;

    #[track_caller]
    fn denied(rules: &str, path: &str) -> bool {
        let files =
            [("/w/.claude/settings.json", format!("{{\"permissions\": {{\"deny\": {rules}}}}}"))];
        let fs = MemFs::from_files(files);
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let world = World { fs: &fs, env: &env };
        let layout = Layout::find(world, &AbsPath::new("/w").unwrap()).unwrap();
        let arguments = Arguments::default();
        let settings = Settings::read(world, &layout, &arguments, &mut Vec::new());
        let denied = Denied::read(&settings, &arguments, &layout, true);
        let path = AbsPath::new(path).unwrap();
        denied.read_of(&path, &path).is_some()
    }

    #[test]
    fn a_pattern_counts_from_the_place_that_its_beginning_names() {
        for (rule, path, want) in [
            ("Read(x.md)", "/w/a/X.md", true),
            ("Read(./x.md)", "/x.md", false),
            ("Read(./a/x.md)", "/w/b/a/x.md", false),
            ("Read(a/**)", "/w/b/a/x.md", true),
            ("Read(/x.md)", "/w/a/x.md", false),
            ("Read(//x.md)", "/x.md", true),
            ("Read(~/**)", "/h/a/x.md", true),
            ("Read", "/x.md", true),
            ("Read(!x.md)", "/w/x.md", false),
            ("Read(x.md", "/w/x.md", false),
            ("read(x.md)", "/w/x.md", false),
            ("Edit(x.md)", "/w/x.md", false),
        ] {
            assert_eq!(denied(&format!("[{rule:?}]"), path), want, "{rule} {path}");
        }
    }
}
