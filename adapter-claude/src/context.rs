//! What every part of a resolution looks at.

use std::cell::OnceCell;
use std::time::SystemTime;

use memory_core::fs::Fs;
use memory_core::{AbsPath, World};
use serde_json::Value;

use crate::instructions::agents_md::Mode;
use crate::instructions::exclude::Excludes;
use crate::profile::Profile;
use crate::settings::approval;
use crate::settings::arguments::Arguments;
use crate::settings::layout::Layout;
use crate::settings::permissions::Denied;
use crate::settings::{Settings, SettingsLayer};
use crate::skills::Usage;
use crate::text::number;

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
    /// What permissions take away.
    pub(crate) denied: Denied,
    /// When the session starts; `None` when that is not known.
    pub(crate) now: Option<SystemTime>,
    usage: OnceCell<Usage>,
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
            denied: Denied::read(settings, arguments, layout, profile.denied_reads_hide),
            now: None,
            usage: OnceCell::new(),
            added,
        }
    }

    /// How much skills were used.
    pub(crate) fn usage(&self) -> &Usage {
        let read = || Usage::read(self.world.fs, &self.layout.state, self.now);
        self.usage.get_or_init(read)
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

    /// Whether the session has a tool of this name.
    pub(crate) fn has_tool(&self, name: &str) -> bool {
        let is_it = |rule: &String| rule.split('(').next() == Some(name);
        let all = |rule: &String| rule == "default";
        let is_given = |tools: &Vec<String>| tools.iter().any(|rule| is_it(rule) || all(rule));
        self.arguments.tools.as_ref().is_none_or(is_given)
            && !self.arguments.disallowed_tools.iter().any(|rule| rule == name)
    }

    /// What turns loading on touch off, or `None` when nothing does.
    pub(crate) fn touch_off(&self) -> Option<&'static str> {
        let attachments = Some("CLAUDE_CODE_DISABLE_ATTACHMENTS");
        self.instructions_off().or_else(|| attachments.filter(|name| self.settings.is_on(name)))
    }

    /// What turns the listing of skills off, or `None` when nothing does.
    pub(crate) fn skills_off(&self) -> Option<String> {
        const SWITCHES: [&str; 3] =
            ["CLAUDE_CODE_SIMPLE", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_DISABLE_ATTACHMENTS"];
        let switch = match () {
            () if self.arguments.bare => Some("`--bare`"),
            () if self.arguments.safe_mode => Some("`--safe-mode`"),
            () if self.arguments.no_skills => Some("`--disable-slash-commands`"),
            () => SWITCHES.into_iter().find(|name| self.settings.is_on(name)),
        };
        switch.map(str::to_owned).or_else(|| self.denied.skill_tool.clone())
    }

    /// How long the listing of skills may be, in UTF-16 units.
    pub(crate) fn skill_budget(&self) -> usize {
        let given = self.settings.var("SLASH_COMMAND_TOOL_CHAR_BUDGET").and_then(number::number);
        if let Some(given) = given.filter(|given| *given != 0.0) {
            return whole(given);
        }
        let chosen = self.settings.find("model", Value::is_string);
        let model = self.arguments.model.as_deref();
        let model = model.or_else(|| self.settings.var("ANTHROPIC_MODEL"));
        let model = model.or_else(|| chosen.and_then(|(_, value)| value.as_str()));
        let is_fraction = |value: &Value| value.as_f64().is_some_and(|n| n > 0.0 && n <= 1.0);
        let fraction = self.settings.find("skillListingBudgetFraction", is_fraction);
        let fraction = fraction.and_then(|(_, value)| value.as_f64());
        whole(self.profile.skills.budget(model, fraction))
    }

    /// The longest description in the listing, in UTF-16 units.
    pub(crate) fn max_description(&self) -> usize {
        let limit = |value: &Value| value.as_u64().filter(|limit| *limit > 0);
        let given = self.settings.find("skillListingMaxDescChars", |value| limit(value).is_some());
        let given = given.and_then(|(_, value)| limit(value));
        given
            .and_then(|limit| usize::try_from(limit).ok())
            .unwrap_or(self.profile.skills.max_description)
    }

    /// The length of the bundled skills' part of the listing, in UTF-16 units.
    pub(crate) fn bundled_skills(&self) -> usize {
        let is_off = |layer: &SettingsLayer| {
            layer.values.get("disableBundledSkills") == Some(&Value::Bool(true))
        };
        if self.settings.is_on("CLAUDE_CODE_DISABLE_BUNDLED_SKILLS")
            || self.settings.layers.iter().any(is_off)
        {
            let (name, description) = self.profile.skills.builtin_units;
            name + description.min(self.max_description())
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

/// The whole columns of a length; 0 for one below.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
fn whole(length: f64) -> usize {
    length as usize
}
