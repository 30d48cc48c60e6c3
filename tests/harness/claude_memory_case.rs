//! Fixtures of Claude Code's memory: steps that build a tree, then a session.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use adapter_claude::{Claude, Profile, Query, Resolution, ToolUse};
use memory_core::fs::Fs;
use memory_core::{AbsPath, Env, World};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::case::WorldKind;
use crate::chroot::Chroot;
use crate::claude_case::{deep, with_changes};
use crate::content::{bytes_of, path, unknown};
use crate::{Node, Result, Tree};

const ROOT: &str = "/mnt";
const DAY: f64 = 86_400.0;

/// A recorded case of Claude Code's memory.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaudeMemoryCase {
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(rename = "timeout")]
    _timeout: Option<IgnoredAny>,
    #[serde(rename = "observe")]
    _observe: Option<IgnoredAny>,
    #[serde(default)]
    pub(crate) keep_ts: bool,
    home: Option<String>,
    project: Option<String>,
    cwd: Option<String>,
    mem: Option<String>,
    #[serde(default)]
    setup: Vec<Value>,
    #[serde(default)]
    env: BTreeMap<String, Option<String>>,
    #[serde(default)]
    args: Vec<String>,
    prompt: Option<String>,
    #[serde(default)]
    script: Script,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Script {
    /// The assistant's replies in order.
    #[serde(default)]
    steps: Vec<Vec<Value>>,
}

impl ClaudeMemoryCase {
    /// What the library makes of the case, and the file system after the set-up.
    pub(crate) fn resolve(
        &self,
        profile: Profile,
        kind: WorldKind,
    ) -> Result<(Resolution, Box<dyn Fs>, Option<Chroot>)> {
        let now = SystemTime::now();
        let on_disk =
            kind == WorldKind::Disk || self.setup.iter().any(|step| step.get("git").is_some());
        if !on_disk {
            let mut tree = self.start()?;
            for (step, number) in self.setup.iter().zip(0..) {
                self.put(&mut tree, step, now + Duration::from_millis(number))?;
            }
            tree.put(self.cwd()?, Node::Dir);
            let fs = tree.in_memory();
            return Ok((self.answer(profile, &fs)?, Box::new(fs), None));
        }
        let root = Chroot::new()?;
        self.start()?.on_disk(&root.jail())?;
        for (step, number) in self.setup.iter().zip(0..) {
            if let Some(args) = step.get("git").and_then(Value::as_array) {
                self.git(&root, step, args)?;
            } else {
                let mut tree = Tree::default();
                self.put(&mut tree, step, now + Duration::from_millis(number))?;
                tree.on_disk(&root.jail())?;
            }
        }
        root.forget_host()?;
        let mut last = Tree::default();
        last.put(self.cwd()?, Node::Dir);
        last.on_disk(&root.jail())?;
        match kind {
            WorldKind::Memory => {
                let fs = root.read()?.in_memory();
                Ok((self.answer(profile, &fs)?, Box::new(fs), None))
            }
            WorldKind::Disk => {
                let fs = root.jail();
                Ok((self.answer(profile, &fs)?, Box::new(fs), Some(root)))
            }
        }
    }

    fn start(&self) -> Result<Tree> {
        let mut tree = Tree::default();
        for folder in [self.home(), self.project()] {
            tree.put(path(folder)?, Node::Dir);
        }
        Ok(tree)
    }

    /// Adds what one set-up step makes; `now` is later for each, as it was when it was recorded.
    fn put(&self, tree: &mut Tree, step: &Value, now: SystemTime) -> Result<()> {
        let text = |key: &str| step.get(key).and_then(Value::as_str);
        if let Some(at) = text("write") {
            let at = path(&self.fill(at))?;
            let mut bytes = Self::bytes(step)?;
            if step.get("subst").and_then(Value::as_bool).unwrap_or_default() {
                bytes = self.fill(&String::from_utf8(bytes)?).into_bytes();
            }
            let days = step.get("mtime_days_ago").and_then(Value::as_f64).unwrap_or_default();
            tree.put(at.clone(), Node::File(bytes));
            // Permission bits are left out: the client ran as a user whom they do not stop.
            let ago = Duration::from_secs_f64(days.abs() * DAY);
            let time = if days < 0.0 { now + ago } else { now - ago };
            tree.modified(at, time);
        } else if let Some(at) = text("mkdir") {
            tree.put(path(&self.fill(at))?, Node::Dir);
        } else if let (Some(at), Some(to)) = (text("symlink"), text("to")) {
            tree.put(path(&self.fill(at))?, Node::Link(self.fill(to)));
        } else {
            return Err(unknown(step));
        }
        Ok(())
    }

    /// The bytes of a written file: `text`, `base64` or `gen`, nothing without any.
    fn bytes(step: &Value) -> Result<Vec<u8>> {
        let Some(pieces) = step.get("gen").and_then(Value::as_array) else {
            let given = step.get("text").is_some() || step.get("base64").is_some();
            return if given { bytes_of(step) } else { Ok(Vec::new()) };
        };
        let mut text = String::new();
        for piece in pieces {
            if let Some(plain) = piece.as_str() {
                text.push_str(plain);
                continue;
            }
            let unit = piece.get("repeat").and_then(Value::as_str).ok_or_else(|| unknown(piece))?;
            let times = piece.get("times").and_then(Value::as_u64).ok_or_else(|| unknown(piece))?;
            for at in 1..=times {
                let unit = unit.replace("{i}", &at.to_string());
                text.push_str(&unit.replace("{i:4}", &format!("{at:04}")));
            }
        }
        Ok(text.into_bytes())
    }

    fn git(&self, root: &Chroot, step: &Value, args: &[Value]) -> Result<()> {
        let outside = |text: &str| {
            let filled = self.fill(text);
            if filled == text { filled } else { root.host(&filled) }
        };
        let args: Vec<String> = args
            .iter()
            .filter_map(Value::as_str)
            .map(|arg| if arg.starts_with('/') { root.host(arg) } else { outside(arg) })
            .collect();
        let folder = step.get("in").and_then(Value::as_str).unwrap_or("<PROJECT>");
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        root.run("git", &args, &path(&self.fill(folder))?, self.home())
    }

    fn answer(&self, profile: Profile, fs: &dyn Fs) -> Result<Resolution> {
        let cwd = self.cwd()?;
        let usual = [
            ("PATH", "/usr/bin:/bin"),
            ("HOME", self.home()),
            ("TERM", "dumb"),
            ("LANG", "C.UTF-8"),
            ("PWD", cwd.as_str()),
            ("ANTHROPIC_API_KEY", "sk-ant-dummy-0000"),
            ("ANTHROPIC_BASE_URL", "http://127.0.0.1:8765"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
        ];
        let vars = with_changes(&usual, &self.env, |text| self.fill(text));
        let home = vars.get("HOME").map(AbsPath::new).transpose()?;
        let env = Env { home, vars };
        let prompt = self.prompt.as_deref().unwrap_or("hi");
        let mut args = ["-p", prompt, "--output-format", "json"].map(str::to_owned).to_vec();
        args.extend(self.args.iter().map(|arg| self.fill(arg)));
        let query = Query::new(cwd).with_args(args).with_steps(self.steps());
        Ok(Claude { profile }.resolve(World { fs, env: &env }, &query)?)
    }

    /// The tool uses of each scripted reply.
    pub(crate) fn steps(&self) -> Vec<Vec<ToolUse>> {
        let tool_use = |block: &Value| {
            let tool = block.get("name")?.as_str()?.to_owned();
            let input = deep(block.get("input")?, &|text: &str| self.fill(text));
            Some(ToolUse::new(tool, input))
        };
        self.script.steps.iter().map(|step| step.iter().filter_map(tool_use).collect()).collect()
    }

    fn home(&self) -> &str {
        self.home.as_deref().unwrap_or("/mnt/home")
    }

    fn project(&self) -> &str {
        self.project.as_deref().unwrap_or("/mnt/proj")
    }

    fn cwd(&self) -> Result<AbsPath> {
        path(&self.fill(self.cwd.as_deref().unwrap_or("<PROJECT>")))
    }

    /// Puts paths for the placeholders.
    pub(crate) fn fill(&self, text: &str) -> String {
        let slug = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let memory = self.mem.clone().unwrap_or_else(|| {
            let slug: String = self.project().chars().map(slug).collect();
            format!("<HOME>/.claude/projects/{slug}/memory")
        });
        text.replace("<MEM>", &memory)
            .replace("<HOME>", self.home())
            .replace("<PROJECT>", self.project())
            .replace("<ROOT>", ROOT)
    }

    /// Puts placeholders for the paths and for what changes from run to run.
    pub(crate) fn mask(&self, text: &str) -> String {
        let mut text = replace_shapes(text, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh", "<UUID>");
        if !self.keep_ts {
            text = replace_shapes(&text, "20dd-dd-ddTdd:dd:dd.dddZ", "<ISO-MS-Z>");
            text = replace_shapes(&text, "20dd-dd-ddTdd:dd:ddZ", "<ISO-S-Z>");
            text = replace_shapes(&text, "20dd-dd-dd", "<DATE>");
        }
        text.replace(self.home(), "<HOME>").replace(self.project(), "<PROJECT>")
    }
}

/// Replaces what has a shape: `d` stands for a digit, `h` for a hexadecimal one in
/// lower case, all else for itself.
fn replace_shapes(text: &str, shape: &str, with: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let fits = |(want, have): (char, char)| match want {
            'd' => have.is_ascii_digit(),
            'h' => have.is_ascii_digit() || matches!(have, 'a'..='f'),
            other => other == have,
        };
        match rest.split_at_checked(shape.len()) {
            Some((head, tail)) if shape.chars().zip(head.chars()).all(fits) => {
                out.push_str(with);
                rest = tail;
            }
            _ => {
                out.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_found_between_wide_characters() {
        let text = "日2026-01-02本 20a6-01-02 2026-01-0";
        assert_eq!(replace_shapes(text, "20dd-dd-dd", "<DATE>"), "日<DATE>本 20a6-01-02 2026-01-0");
    }
}
