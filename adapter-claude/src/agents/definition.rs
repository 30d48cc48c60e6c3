use std::collections::BTreeMap;

use memory_core::AbsPath;
use memory_core::fs::FileKind;
use memory_core::model::{Fields, Value};

use crate::context::Context;
use crate::memory::is_markdown;
use crate::text::frontmatter::{self, is_space};
use crate::text::json;

/// How many bytes of an agent's definition are read.
const MAX_LEN: u64 = 512 * 1024;

/// How many folders of definitions may lie in each other.
const MAX_DEPTH: usize = 16;

/// The tool without which nothing is told of skills.
pub(crate) const SKILL_TOOL: &str = "Skill";

/// A sub-agent that can be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Definition {
    pub(crate) name: String,
    /// The file; `None` for those of the command line and of the client.
    pub(crate) path: Option<AbsPath>,
    /// What it is for.
    pub(crate) description: String,
    /// Its own text; `None` for those of the client.
    pub(crate) prompt: Option<String>,
    /// Where its memory is kept; `None` for an agent without one.
    pub(crate) memory: Option<&'static str>,
    /// Whether it has the tool that uses skills.
    pub(crate) has_skill_tool: bool,
    /// The skills whose text it is given at once.
    pub(crate) skills: Vec<String>,
    pub(crate) given: Given,
}

/// What of the session's start a sub-agent is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// Instructions, the memory index, the state of the repository.
    All,
    /// The state of the repository alone.
    Repository,
    /// None of it.
    Nothing,
}

/// The sub-agents that a start can use, by name.
pub(crate) fn defined(context: &Context<'_>) -> BTreeMap<String, Definition> {
    let builtin = context.profile.builtin_agents.iter().map(|(name, given)| Definition {
        name: (*name).to_owned(),
        path: None,
        description: String::new(),
        prompt: None,
        memory: None,
        has_skill_tool: true,
        skills: Vec::new(),
        given: if *given { Given::All } else { Given::Nothing },
    });
    // The nearer definition of a name stands in front of the others.
    let files = definition_files(context).into_iter();
    let files = files.filter_map(|path| read(context, &path).ok());
    let all = builtin.chain(files).chain(of_command_line(context));
    all.map(|agent| (agent.name.clone(), agent)).collect()
}

/// The files that may define an agent, weakest first.
pub(crate) fn definition_files(context: &Context<'_>) -> Vec<AbsPath> {
    let folders = folders(context).into_iter();
    folders.flat_map(|dir| markdown_below(context, &dir.join("agents"))).collect()
}

/// The folders that hold an `agents` folder, weakest first.
fn folders(context: &Context<'_>) -> Vec<AbsPath> {
    let (layout, sources) = (context.layout, context.settings.sources);
    let mut folders = Vec::new();
    if sources.user {
        folders.push(layout.config.clone());
    }
    if sources.project {
        let top = layout.repository.as_ref().map_or_else(AbsPath::root, |found| found.root.clone());
        let projects = context.added.iter().cloned().chain(layout.cwd.from_top(&top));
        folders.extend(projects.map(|dir| dir.join(".claude")));
    }
    folders
}

fn markdown_below(context: &Context<'_>, dir: &AbsPath) -> Vec<AbsPath> {
    let mut found = Vec::new();
    let mut folders = vec![(dir.clone(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let Ok(entries) = context.world.fs.read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = folder.join(&entry.name);
            match entry.kind {
                FileKind::Dir if depth < MAX_DEPTH => folders.push((path, depth + 1)),
                FileKind::File | FileKind::Symlink if is_markdown(&entry.name) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

impl Definition {
    /// Reads the text of a definition; what it lacks is the error.
    fn parse(text: &str, path: &AbsPath, reads_omission: bool) -> Result<Self, &'static str> {
        let text = text.replace("\r\n", "\n");
        let found = frontmatter::parse(&text).ok_or("it has no frontmatter")?;
        let fields = found.fields.ok_or("its frontmatter cannot be read")?;
        let field = |key: &str| fields.get(key).and_then(Value::as_text);
        let name = field("name").ok_or("it has no `name`")?;
        if !is_name(name) {
            return Err("its `name` is empty, begins with `-` or holds a `:`");
        }
        let description = field("description").ok_or("it has no `description`")?;
        let omits = reads_omission && fields.get("omitClaudeMd") == Some(&Value::Bool(true));
        let body = text.get(found.body..).unwrap_or_default();
        Ok(Self {
            name: name.to_owned(),
            path: Some(path.clone()),
            description: description.to_owned(),
            prompt: Some(body.trim_matches(is_space).to_owned()),
            memory: kept(field("memory")),
            has_skill_tool: has_tool(
                list(&fields, "tools").as_deref(),
                &list(&fields, "disallowedTools").unwrap_or_default(),
            ),
            skills: list(&fields, "skills").unwrap_or_default(),
            given: if omits { Given::Repository } else { Given::All },
        })
    }
}

/// The agent that a file defines, or why it defines none.
pub(crate) fn read(context: &Context<'_>, path: &AbsPath) -> Result<Definition, &'static str> {
    let bytes = context.world.fs.read_up_to(path, MAX_LEN).map_err(|_| "it cannot be read")?;
    let reads_omission = context.profile.agents_may_omit_instructions;
    Definition::parse(&String::from_utf8_lossy(&bytes), path, reads_omission)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('-') && !name.contains(':')
}

fn kept(scope: Option<&str>) -> Option<&'static str> {
    ["user", "project", "local"].into_iter().find(|known| scope == Some(known))
}

/// A list, or a text with commas between its items; `None` where the key is missing.
fn list(fields: &Fields, key: &str) -> Option<Vec<String>> {
    match fields.get(key)? {
        Value::Text(text) => Some(split(text)),
        Value::List(items) => {
            Some(items.iter().filter_map(Value::as_text).map(str::to_owned).collect())
        }
        _ => None,
    }
}

fn split(text: &str) -> Vec<String> {
    let items = text.split(',').map(|item| item.trim_matches(is_space));
    items.filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

/// Whether skills can be used with these tools; without a list all are there.
fn has_tool(tools: Option<&[String]>, without: &[String]) -> bool {
    let is_it = |tool: &String| tool.split('(').next() == Some(SKILL_TOOL);
    let has = tools.is_none_or(|tools| tools.iter().any(|tool| tool == "*" || is_it(tool)));
    has && !without.iter().any(|tool| tool == SKILL_TOOL)
}

/// The agents that the command line defines.
fn of_command_line(context: &Context<'_>) -> Vec<Definition> {
    let text = context.arguments.agents.as_deref().unwrap_or_default();
    let Ok(serde_json::Value::Object(agents)) = json::parse(text.as_bytes()) else {
        return Vec::new();
    };
    let one = |(name, agent): (&String, &serde_json::Value)| {
        let text = |key: &str| agent.get(key).and_then(serde_json::Value::as_str);
        let list = |key: &str| match agent.get(key)? {
            serde_json::Value::String(text) => Some(split(text)),
            serde_json::Value::Array(items) => {
                Some(items.iter().filter_map(|it| it.as_str()).map(str::to_owned).collect())
            }
            _ => None,
        };
        let omits = context.profile.agents_may_omit_instructions
            && agent.get("omitClaudeMd") == Some(&serde_json::Value::Bool(true));
        Definition {
            name: name.clone(),
            path: None,
            description: text("description").unwrap_or_default().to_owned(),
            prompt: text("prompt").map(|prompt| prompt.trim_matches(is_space).to_owned()),
            memory: kept(text("memory")),
            has_skill_tool: has_tool(
                list("tools").as_deref(),
                &list("disallowedTools").unwrap_or_default(),
            ),
            skills: list("skills").unwrap_or_default(),
            given: if omits { Given::Repository } else { Given::All },
        }
    };
    agents.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<Definition, &'static str> {
        Definition::parse(text, &AbsPath::new("/a.md").unwrap(), true)
    }

    #[test]
    fn only_three_words_give_an_agent_a_memory() {
        assert_eq!(kept(Some("local")), Some("local"));
        assert_eq!((kept(Some("Project")), kept(None)), (None, None));
    }

    #[test]
    fn a_definition_says_what_an_agent_is_given() {
        let agent = parsed(
            "---\r\nname: a\r\ndescription: d\r\ntools: Read, Grep\r\nskills: x, y\r\nomitClaudeMd: true\r\n---\r\n\r\n  do\r\n",
        )
        .unwrap();
        assert_eq!((agent.has_skill_tool, agent.given), (false, Given::Repository));
        assert_eq!(
            (agent.skills, agent.prompt.as_deref()),
            (vec!["x".into(), "y".into()], Some("do"))
        );
    }

    #[test]
    fn what_defines_no_agent_says_why() {
        for (text, why) in [
            ("text", "no frontmatter"),
            ("---\nname: a\n---\n", "no `description`"),
            ("---\ndescription: a\n---\n", "no `name`"),
            ("---\nname: a:b\ndescription: d\n---\n", "holds a `:`"),
        ] {
            assert!(parsed(text).unwrap_err().contains(why), "{text:?}");
        }
    }

    #[test]
    fn tools_decide_whether_skills_are_there() {
        let tools = |text: &str| split(text);
        assert!(has_tool(None, &[]) && has_tool(Some(&tools("Read, Skill(x)")), &[]));
        assert!(has_tool(Some(&tools("*")), &[]) && has_tool(None, &tools("Skill(x)")));
        assert!(!has_tool(Some(&tools("Read")), &[]) && !has_tool(None, &tools("Skill")));
        assert!(!has_tool(Some(&[]), &[]));
    }
}
