//! Scripted tool uses: what each of them touches.

use std::collections::{HashMap, HashSet};

use memory_core::fs::Metadata;
use memory_core::{AbsPath, Layer};
use serde_json::Value;

use super::load::{Documents, Item};
use super::shell::{self, ReadFile};
use super::touch::{Session, Touch};
use crate::agents::Agents;
use crate::claude::ToolUse;
use crate::context::Context;
use crate::resolution::{AgentStart, Step};
use crate::skills::{NewSkills, SkillSession, Wait};
use crate::text::prompt;

/// The largest file of which an edit is tried out, in bytes.
const MAX_LEN: u64 = 16 * 1024 * 1024;

/// The names of the tool that starts a sub-agent.
const AGENT_TOOLS: [&str; 2] = ["Agent", "Task"];

/// The largest file whose reading by a shell command loads anything, in bytes.
const MAX_SHELL_LEN: u64 = 10_485_760;

/// What the tools of a session did to files: nothing is changed on disk.
pub(crate) struct Tools<'a> {
    context: &'a Context<'a>,
    documents: &'a Documents,
    /// What tools wrote.
    written: HashMap<AbsPath, String>,
    /// Files whose content the model knows.
    known: HashSet<AbsPath>,
    agents: Agents<'a>,
    /// The present directory of the shell.
    shell_cwd: AbsPath,
}

/// What became of a tool use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    /// It is done.
    Done(Touch),
    /// It failed.
    Failed,
}

impl<'a> Tools<'a> {
    pub(crate) fn new(
        context: &'a Context<'a>,
        documents: &'a Documents,
        agents: Agents<'a>,
    ) -> Self {
        Self {
            context,
            documents,
            written: HashMap::new(),
            known: HashSet::new(),
            agents,
            shell_cwd: context.layout.cwd.clone(),
        }
    }

    /// The sub-agents that were started.
    pub(crate) fn into_started(self) -> Vec<AgentStart> {
        self.agents.into_started()
    }

    /// Starts a sub-agent and runs its steps; gives what it came to know of skills.
    fn start_agent(
        &mut self,
        skills: &SkillSession<'a>,
        one: &ToolUse,
        at: &str,
    ) -> Option<SkillSession<'a>> {
        let named = one.input.get("subagent_type").and_then(Value::as_str).unwrap_or_default();
        let definition = self.agents.named(named)?.clone();
        let (listing, mut agent_skills) = skills.of_agent(definition.has_skill_tool);
        let place = self.agents.start(&definition, at.to_owned(), skills, listing);
        let mut session = self.agents.session();
        let known = std::mem::take(&mut self.known);
        let steps = one.agent_steps.iter().zip(0_usize..).map(|(uses, number)| {
            self.step(&mut session, &mut agent_skills, uses, &format!("{at}_{number}"))
        });
        let steps = steps.collect();
        self.known = known;
        if let Some(started) = self.agents.get_mut(place) {
            started.steps = steps;
        }
        Some(agent_skills)
    }

    /// What the files add that the prompt mentions.
    ///
    /// First what stands before the pieces of the start, which is AGENTS.md files,
    /// then what stands after them.
    pub(crate) fn mentions(&mut self, session: &mut Session<'_>) -> (Vec<Layer>, Vec<Layer>) {
        if self.context.settings.is_on("CLAUDE_CODE_DISABLE_FILE_MENTIONS") {
            return (Vec::new(), Vec::new());
        }
        let prompt = self.context.arguments.prompt.as_deref().unwrap_or_default();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (file, touch) in self.mentioned(prompt) {
            if touch == Touch::Read {
                session.give(&file);
            }
            let (items, agents_md) = session.touch(&file, touch);
            before.extend(agents_md.into_iter().map(|item| item.layer));
            after.extend(items.into_iter().map(|item| item.layer));
        }
        (before, after)
    }

    /// The files that a text for the model mentions, which the client reads for it.
    fn mentioned(&mut self, text: &str) -> Vec<(AbsPath, Touch)> {
        let mut files = Vec::new();
        for named in prompt::mentioned(text) {
            let file = self.context.layout.file(&named);
            if self.context.world.fs.metadata(&file).is_ok_and(|found| found.is_dir()) {
                continue;
            }
            if self.exists(&file) {
                self.known.insert(file.clone());
                files.push((file, Touch::Read));
            } else if self.context.profile.every_file_tool_loads {
                files.push((file, Touch::Failed));
            }
        }
        files
    }

    /// What one step of tool uses adds; `at` is its place in the script.
    pub(crate) fn step(
        &mut self,
        session: &mut Session<'_>,
        skills: &mut SkillSession<'a>,
        uses: &[ToolUse],
        at: &str,
    ) -> Step {
        let mut step = Step::default();
        let mut agents = Vec::new();
        let mut new_skills = NewSkills::default();
        let mut all_failed = !uses.is_empty();
        // Agents of one step start together: none knows what another one finds.
        let mut ended = Vec::new();
        let is_shell = |one: &ToolUse| one.tool == "Bash";
        let uses = uses.iter().zip(0_usize..);
        let mut uses: Vec<_> = uses.filter(|(one, _)| self.context.has_tool(&one.tool)).collect();
        // Shell commands end last.
        uses.sort_by_key(|(one, _)| is_shell(one));
        for (one, number) in uses {
            if AGENT_TOOLS.contains(&one.tool.as_str()) {
                all_failed = false;
                ended.extend(self.start_agent(skills, one, &format!("{at}_{number}")));
                continue;
            }
            if is_shell(one) {
                all_failed = false;
                for file in self.shell(one) {
                    session.give(&file);
                    let (items, _) = session.touch(&file, Touch::Shell);
                    step.loads.extend(items.into_iter().map(|item| item.layer));
                }
                continue;
            }
            if one.tool == "Skill" {
                all_failed = false;
                for (file, touch) in self.mentioned(&skill_prompt(skills, one)) {
                    if touch == Touch::Read {
                        session.give(&file);
                    }
                    skills.touch(&file, &mut new_skills);
                    let (items, agents_md) = session.touch(&file, touch);
                    step.loads.extend(items.into_iter().map(|item| item.layer));
                    agents.extend(agents_md.into_iter().map(|item| item.layer));
                }
                continue;
            }
            let touched = self.file(one).and_then(|file| Some((self.touch(one, &file)?, file)));
            let Some((touch, file)) = touched else {
                all_failed = false;
                continue;
            };
            if one.tool == "Read" && touch == Touch::Read {
                session.give(&file);
            }
            all_failed &= touch == Touch::Failed;
            skills.touch(&file, &mut new_skills);
            if touch != Touch::Read && !self.context.profile.every_file_tool_loads {
                continue;
            }
            let (items, agents_md) = session.touch(&file, touch);
            step.loads.extend(items.into_iter().map(|item| item.layer));
            agents.extend(agents_md.into_iter().map(|item: Item| item.layer));
        }
        step.loads.extend(agents);
        for agent in ended {
            skills.take_over(agent, &mut new_skills);
        }
        let wait = match () {
            () if all_failed => Wait::Never,
            () if self.context.profile.skills.late_beside_items && !step.loads.is_empty() => {
                Wait::WithChange
            }
            () => Wait::Always,
        };
        (step.skills, step.skills_rendered) = skills.render(new_skills, wait);
        step
    }

    /// The file that a tool use is about.
    fn file(&self, one: &ToolUse) -> Option<AbsPath> {
        let path = one.input.get("file_path").and_then(Value::as_str)?;
        Some(self.named(path))
    }

    /// A file as a tool names it, from the present directory of the shell.
    fn named(&self, name: &str) -> AbsPath {
        let layout = self.context.layout;
        if name.starts_with("~/") {
            layout.file(name)
        } else {
            layout.file(self.shell_cwd.join(name).as_str())
        }
    }

    /// The files that a shell command reads.
    fn shell(&mut self, one: &ToolUse) -> Vec<AbsPath> {
        let Some(command) = one.input.get("command").and_then(Value::as_str) else {
            return Vec::new();
        };
        let in_background = one.input.get("run_in_background") == Some(&Value::Bool(true));
        let loads = self.context.profile.shell_reads_load && !one.failed && !in_background;
        let files = if loads { shell::reads(command, &self.shell_cwd) } else { Vec::new() };
        let files: Vec<AbsPath> = files.iter().filter_map(|file| self.shell_file(file)).collect();
        self.known.extend(files.iter().cloned());
        for dir in shell::changes(command) {
            self.change_directory(dir.as_deref());
        }
        files
    }

    /// The file that a command reads, if it shows anything of it.
    fn shell_file(&self, file: &ReadFile) -> Option<AbsPath> {
        let layout = self.context.layout;
        let path = match file.name.strip_prefix("~/").filter(|_| file.is_in_home) {
            Some(below) => layout.file(layout.home.join(below).as_str()),
            None => layout.file(self.shell_cwd.join(&file.name).as_str()),
        };
        let lines = match self.written.get(&path) {
            Some(text) => text.len() as u64,
            None => self.context.world.fs.metadata(&path).ok().filter(Metadata::is_file)?.len,
        };
        if lines > MAX_SHELL_LEN {
            return None;
        }
        let is_shown = match file.first_line {
            Some(1) => true,
            Some(line) => {
                let text = self.content(&path)?;
                text.lines().count() as u64 >= line
            }
            None => lines > 0,
        };
        is_shown.then_some(path)
    }

    /// Moves the shell, which comes back when it leaves the project.
    fn change_directory(&mut self, dir: Option<&str>) {
        let layout = self.context.layout;
        let target = match dir {
            None | Some("~") => layout.home.clone(),
            Some(dir) => match dir.strip_prefix("~/") {
                Some(below) => layout.home.join(below),
                None => self.shell_cwd.join(dir),
            },
        };
        let Ok(real) = self.context.world.fs.canonicalize(&target) else { return };
        if self.context.world.fs.metadata(&real).is_ok_and(|found| found.is_dir()) {
            self.shell_cwd = if self.context.is_reached(&real) { real } else { layout.cwd.clone() };
        }
    }

    /// Tries a tool use; `None` when it touches nothing.
    fn touch(&mut self, one: &ToolUse, file: &AbsPath) -> Option<Touch> {
        // What may not be read is refused before anything is touched.
        let real = self.context.real(file);
        if one.tool == "Read" && self.context.denied.read_of(file, &real).is_some() {
            return None;
        }
        match (one.tool.as_str(), self.run(one, file)) {
            (_, Effect::Done(touch)) => Some(touch),
            ("Read", Effect::Failed) => Some(Touch::Failed),
            (_, Effect::Failed) => None,
        }
    }

    fn run(&mut self, one: &ToolUse, file: &AbsPath) -> Effect {
        let text = |key| one.input.get(key).and_then(Value::as_str);
        match one.tool.as_str() {
            "Read" if self.exists(file) => {
                self.known.insert(file.clone());
                Effect::Done(Touch::Read)
            }
            "Write" => {
                let Some(content) = text("content") else { return Effect::Failed };
                self.write(file, content.to_owned())
            }
            "Edit" => {
                let (Some(old), Some(new)) = (text("old_string"), text("new_string")) else {
                    return Effect::Failed;
                };
                match self.content(file) {
                    None if old.is_empty() => self.write(file, new.to_owned()),
                    Some(content) if !old.is_empty() && content.contains(old) => {
                        self.write(file, content.replacen(old, new, 1))
                    }
                    _ => Effect::Failed,
                }
            }
            _ => Effect::Failed,
        }
    }

    fn write(&mut self, file: &AbsPath, content: String) -> Effect {
        self.documents.forget(file);
        self.known.insert(file.clone());
        self.written.insert(file.clone(), content);
        Effect::Done(Touch::Written)
    }

    fn exists(&self, file: &AbsPath) -> bool {
        self.written.contains_key(file)
            || self.context.world.fs.metadata(file).as_ref().is_ok_and(Metadata::is_file)
    }

    fn content(&self, file: &AbsPath) -> Option<String> {
        if let Some(written) = self.written.get(file) {
            return Some(written.clone());
        }
        let bytes = self.context.world.fs.read_up_to(file, MAX_LEN).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// What the model is told when it uses a skill; nothing when it may not.
fn skill_prompt(skills: &SkillSession<'_>, one: &ToolUse) -> String {
    let text = |key| one.input.get(key).and_then(Value::as_str);
    let prompt =
        text("skill").and_then(|name| skills.prompt(name, text("args").unwrap_or_default()));
    prompt.unwrap_or_default()
}
