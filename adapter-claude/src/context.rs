//! What every part of a resolution looks at.

use memory_core::fs::Fs;
use memory_core::{AbsPath, World};

use crate::instructions::agents_md::Mode;
use crate::instructions::exclude::Excludes;
use crate::profile::Profile;
use crate::settings::Settings;
use crate::settings::approval;
use crate::settings::arguments::Arguments;
use crate::settings::layout::Layout;

/// What every part of a resolution looks at.
pub(crate) struct Context<'a> {
    pub(crate) world: World<'a>,
    /// The file system, for looks on which the answer does not depend.
    pub(crate) unrecorded: &'a dyn Fs,
    pub(crate) profile: &'a Profile,
    pub(crate) layout: &'a Layout,
    pub(crate) settings: &'a Settings,
    pub(crate) arguments: &'a Arguments,
    pub(crate) excludes: Excludes,
    /// Which of a project's own files are read.
    pub(crate) mode: Mode,
    /// Whether imports from outside the start folder are approved.
    pub(crate) external_approved: bool,
    /// Folders added on the command line.
    pub(crate) added: Vec<AbsPath>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        world: World<'a>,
        unrecorded: &'a dyn Fs,
        profile: &'a Profile,
        layout: &'a Layout,
        settings: &'a Settings,
        arguments: &'a Arguments,
    ) -> Self {
        let added = arguments.add_dirs.iter().map(|dir| layout.named(dir)).collect();
        Self {
            world,
            unrecorded,
            profile,
            layout,
            settings,
            arguments,
            excludes: Excludes::read(settings),
            mode: Mode::of(profile, settings),
            external_approved: approval::is_given(world.fs, layout),
            added,
        }
    }

    /// What turns all instruction files off, or `None` when nothing does.
    pub(crate) fn instructions_off(&self) -> Option<&'static str> {
        const SWITCHES: [&str; 3] =
            ["CLAUDE_CODE_DISABLE_CLAUDE_MDS", "CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE"];
        match () {
            () if self.arguments.bare => Some("`--bare`"),
            () if self.arguments.safe_mode => Some("`--safe-mode`"),
            () => SWITCHES.into_iter().find(|name| self.settings.is_on(name)),
        }
    }

    /// What turns the listing of skills off, or `None` when nothing does.
    pub(crate) fn skills_off(&self) -> Option<&'static str> {
        match () {
            () if self.arguments.bare => Some("`--bare`"),
            () if self.arguments.safe_mode => Some("`--safe-mode`"),
            () if self.arguments.no_skills => Some("`--disable-slash-commands`"),
            () => None,
        }
    }

    /// How long the listing of skills may be, in UTF-16 units.
    pub(crate) fn skill_budget(&self) -> usize {
        let given = self.settings.var("SLASH_COMMAND_TOOL_CHAR_BUDGET");
        if let Some(given) = given.and_then(|text| text.trim().parse().ok()).filter(|n| *n > 0) {
            return given;
        }
        let chosen = self.settings.find("model", serde_json::Value::is_string);
        let model = self.arguments.model.as_deref();
        let model = model.or_else(|| self.settings.var("ANTHROPIC_MODEL"));
        let model = model.or_else(|| chosen.and_then(|(_, value)| value.as_str()));
        self.profile.skills.budget(model)
    }

    /// The length of the bundled skills' part of the listing, in UTF-16 units.
    pub(crate) fn bundled_skills(&self) -> usize {
        if self.settings.is_on("CLAUDE_CODE_DISABLE_BUNDLED_SKILLS") {
            self.profile.skills.builtin_units
        } else {
            self.profile.skills.bundled_units
        }
    }

    /// How a folder is named before its skills: relative to the start folder, or
    /// as much of its end as tells added folders apart.
    pub(crate) fn label(&self, dir: &AbsPath) -> String {
        if let Some(below) = dir.strip_prefix(&self.layout.cwd) {
            return below.to_owned();
        }
        let end = |dir: &AbsPath, count: usize| {
            let parts: Vec<String> = dir.parts().map(str::to_owned).collect();
            parts.get(parts.len().saturating_sub(count)..).unwrap_or_default().join("/")
        };
        let depth = dir.parts().count();
        let mut count = 1;
        while count < depth
            && self.added.iter().any(|other| other != dir && end(other, count) == end(dir, count))
        {
            count += 1;
        }
        end(dir, count)
    }

    /// Whether a path lies in the start folder; as written, links not followed.
    pub(crate) fn is_inside(&self, path: &AbsPath) -> bool {
        path.starts_with(&self.layout.cwd)
    }

    /// Whether a path lies in the start folder or an added one.
    pub(crate) fn is_reached(&self, path: &AbsPath) -> bool {
        self.is_inside(path) || self.added.iter().any(|dir| path.starts_with(dir))
    }

    /// The real path of a file that need not be there.
    pub(crate) fn real(&self, file: &AbsPath) -> AbsPath {
        let mut missing = Vec::new();
        for dir in file.ancestors() {
            if let Ok(real) = self.world.fs.canonicalize(&dir) {
                return missing.iter().rev().fold(real, |path, name: &String| path.join(name));
            }
            missing.extend(dir.file_name().map(str::to_owned));
        }
        file.clone()
    }
}
