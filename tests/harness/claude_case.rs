//! Fixtures of Claude Code's instructions: absolute places on a recorded machine.

use std::collections::BTreeMap;
use std::time::{Duration, UNIX_EPOCH};

use adapter_claude::{Claude, Profile, Query, Resolution, ToolUse};
use memory_core::fs::Fs;
use memory_core::{AbsPath, Env, World};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use crate::case::WorldKind;
use crate::chroot::Chroot;
use crate::content::{bytes_of, path};
use crate::{Node, Result, Tree};

/// The placeholders, longest place first, as the recording replaced them.
const PLACES: [(&str, &str); 4] = [
    ("<PROJECT>", "/srv/w/project"),
    ("<ROOT>", "/srv/w"),
    ("<HOME>", "/home/u"),
    ("<MANAGED>", "/etc/claude-code"),
];
/// About when the cases were recorded, after 1970.
const RECORDED: Duration = Duration::from_secs(1_796_000_000);

/// The tools that a recording allows when the fixture does not say.
const TOOLS: [&str; 10] = [
    "Read",
    "Write",
    "Edit",
    "NotebookEdit",
    "Bash",
    "Glob",
    "Grep",
    "Skill",
    "Agent",
    "ToolSearch",
];

/// A recorded case of Claude Code's instructions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaudeCase {
    #[serde(rename = "note")]
    _note: Option<IgnoredAny>,
    #[serde(rename = "name")]
    _name: Option<IgnoredAny>,
    #[serde(rename = "keep_text")]
    _keep_text: Option<IgnoredAny>,
    #[serde(rename = "result_chars")]
    _result_chars: Option<IgnoredAny>,
    #[serde(rename = "after")]
    _after: Option<IgnoredAny>,
    #[serde(rename = "want_after")]
    _want_after: Option<IgnoredAny>,
    #[serde(default)]
    pub(crate) strip_content: bool,
    #[serde(default)]
    files: Map<String, Value>,
    #[serde(default)]
    symlinks: Map<String, Value>,
    #[serde(default)]
    dirs: Vec<String>,
    #[serde(default)]
    git: Vec<String>,
    #[serde(default)]
    setup: Vec<String>,
    cwd: Option<String>,
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, Option<String>>,
    allow: Option<Vec<String>>,
    prompt: Option<String>,
    #[serde(default)]
    steps: Vec<Step>,
}

/// One step of a session: a tool use, or several at once.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Step {
    One(Use),
    Parallel(Vec<Use>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Use {
    tool: String,
    input: Value,
    #[serde(default)]
    failed: bool,
    #[serde(default)]
    agent_steps: Vec<Step>,
    #[serde(rename = "usage")]
    _usage: Option<IgnoredAny>,
}

impl Step {
    fn uses(&self) -> Vec<ToolUse> {
        match self {
            Self::One(one) => vec![tool_use(one)],
            Self::Parallel(all) => all.iter().map(tool_use).collect(),
        }
    }
}

impl ClaudeCase {
    /// What the library makes of the case.
    pub(crate) fn resolve(&self, profile: Profile, kind: WorldKind) -> Result<Resolution> {
        let tree = self.tree()?;
        if kind == WorldKind::Memory && self.setup.is_empty() {
            return self.answer(profile, &tree.in_memory());
        }
        let root = Chroot::new()?;
        tree.on_disk(&root.jail())?;
        if !self.setup.is_empty() {
            let lines = self.git.iter().map(|folder| {
                format!("git -c init.defaultBranch=main init -q '{}'", fill_outside(folder, &root))
            });
            let lines = lines.chain(self.setup.iter().map(|line| fill_outside(line, &root)));
            let script = lines.collect::<Vec<_>>().join("\n");
            root.run("bash", &["-c", &script], &AbsPath::root(), "/home/u")?;
            root.forget_host()?;
        }
        match kind {
            WorldKind::Memory => self.answer(profile, &root.read()?.in_memory()),
            WorldKind::Disk => self.answer(profile, &root.jail()),
        }
    }

    fn tree(&self) -> Result<Tree> {
        let mut tree = Tree::default();
        for folder in ["/home/u/.claude", "/srv/w/project", "/tmp", "/etc", "/root", "/var/tmp"] {
            tree.put(path(folder)?, Node::Dir);
        }
        for folder in &self.dirs {
            tree.put(path(&fill(folder))?, Node::Dir);
        }
        for (at, spec) in &self.files {
            // Permission bits are left out: the client ran as a user whom they do not stop.
            tree.put(path(&fill(at))?, Node::File(content(spec)?));
        }
        for (at, target) in &self.symlinks {
            let target = target.as_str().ok_or("a link needs a target")?;
            tree.put(path(&fill(at))?, Node::Link(fill(target)));
        }
        // Where lines are to be run, git makes its own folders.
        for folder in self.git.iter().filter(|_| self.setup.is_empty()) {
            put_repository(&mut tree, &path(&fill(folder))?);
        }
        Ok(tree)
    }

    fn answer(&self, profile: Profile, fs: &dyn Fs) -> Result<Resolution> {
        let vars = self.env();
        let home = vars.get("HOME").map(AbsPath::new).transpose()?;
        let env = Env { home, vars };
        let query = Query::new(path(&fill(self.cwd.as_deref().unwrap_or("<PROJECT>")))?)
            .with_args(self.command_line())
            .at(UNIX_EPOCH + RECORDED)
            .with_steps(self.steps.iter().map(Step::uses).collect());
        Ok(Claude { profile }.resolve(World { fs, env: &env }, &query)?)
    }

    fn env(&self) -> BTreeMap<String, String> {
        let usual = [
            ("HOME", "/home/u"),
            ("PATH", "/usr/bin:/bin"),
            ("TERM", "dumb"),
            ("LANG", "C.UTF-8"),
            ("ANTHROPIC_API_KEY", "sk-ant-dummy-0000"),
            ("ANTHROPIC_BASE_URL", "http://127.0.0.1:8765"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("DISABLE_TELEMETRY", "1"),
            ("DISABLE_ERROR_REPORTING", "1"),
            ("DISABLE_AUTOUPDATER", "1"),
            ("CLAUDE_CODE_DISABLE_BUNDLED_SKILLS", "1"),
        ];
        with_changes(&usual, &self.env, fill)
    }

    /// The command line with which the case was recorded.
    fn command_line(&self) -> Vec<String> {
        let tools = self.allow.as_ref().map_or_else(|| TOOLS.join(","), |tools| tools.join(","));
        let mut line =
            ["-p", "--output-format", "json", "--allowedTools", &tools].map(str::to_owned).to_vec();
        line.extend(self.args.iter().map(|arg| fill(arg)));
        line.push("--".to_owned());
        line.push(self.prompt.clone().unwrap_or_else(|| "hi".to_owned()));
        line
    }
}

/// The environment of a recording: the usual variables, then the fixture's; null removes one.
pub(crate) fn with_changes(
    usual: &[(&str, &str)],
    changes: &BTreeMap<String, Option<String>>,
    fill: impl Fn(&str) -> String,
) -> BTreeMap<String, String> {
    let mut vars: BTreeMap<String, String> =
        usual.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    for (name, value) in changes {
        match value {
            Some(value) => vars.insert(name.clone(), fill(value)),
            None => vars.remove(name),
        };
    }
    vars
}

/// Changes every text inside a value, names of fields too.
pub(crate) fn deep(value: &Value, change: &impl Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => change(text).into(),
        Value::Array(items) => items.iter().map(|item| deep(item, change)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(key, item)| (change(key), deep(item, change))).collect()
        }
        other => other.clone(),
    }
}

/// Puts what `git init` leaves behind.
pub(crate) fn put_repository(tree: &mut Tree, folder: &AbsPath) {
    let git = folder.join(".git");
    for name in
        ["branches", "hooks", "info", "objects/info", "objects/pack", "refs/heads", "refs/tags"]
    {
        tree.put(git.join(name), Node::Dir);
    }
    for (name, text) in [
        ("HEAD", "ref: refs/heads/main\n"),
        (
            "config",
            "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n",
        ),
        (
            "description",
            "Unnamed repository; edit this file 'description' to name the repository.\n",
        ),
    ] {
        tree.put(git.join(name), Node::File(text.as_bytes().to_vec()));
    }
}

fn tool_use(one: &Use) -> ToolUse {
    ToolUse::new(one.tool.clone(), deep(&one.input, &fill))
        .with_failure(one.failed)
        .with_agent_steps(one.agent_steps.iter().map(Step::uses).collect())
}

fn content(spec: &Value) -> Result<Vec<u8>> {
    if let Some(value) = spec.get("json") {
        return Ok(serde_json::to_vec(&deep(value, &fill))?);
    }
    if let Some([line, count]) = spec.get("gen_lines").and_then(Value::as_array).map(Vec::as_slice)
    {
        let line = line.as_str().unwrap_or_default();
        let count = count.as_u64().unwrap_or_default();
        let lines = (0..count).map(|at| line.replace("%d", &at.to_string()) + "\n");
        return Ok(lines.collect::<String>().into_bytes());
    }
    bytes_of(spec)
}

/// Puts paths for the placeholders.
fn fill(text: &str) -> String {
    let text = PLACES.iter().fold(text.to_owned(), |text, (name, place)| text.replace(name, place));
    text.replace("<FSROOT>", "")
}

/// The same for a line that runs outside the temporary root.
fn fill_outside(text: &str, root: &Chroot) -> String {
    let text = PLACES
        .iter()
        .fold(text.to_owned(), |text, (name, place)| text.replace(name, &root.host(place)));
    text.replace("<FSROOT>", &root.host("/"))
}

/// Puts placeholders for the paths, as the recording did.
pub(crate) fn mask(text: &str) -> String {
    PLACES.iter().fold(text.to_owned(), |text, (name, place)| text.replace(place, name))
}
