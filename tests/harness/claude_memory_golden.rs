//! What was recorded of Claude Code's memory, beside what the library computes.

use std::collections::BTreeMap;

use adapter_claude::{AgentMemory, IndexCut, Profile, Resolution};
use memory_core::AbsPath;
use memory_core::fs::Fs;
use serde_json::{Map, Value, json};

use crate::claude_memory_case::ClaudeMemoryCase;
use crate::claude_memory_session::written;
use crate::difference::report;

/// Files larger than this are recorded by their size alone.
const LONGEST: usize = 3_000;

/// The differences between a golden and an answer, or `None` without any.
pub(crate) fn compare(
    golden: &Value,
    case: &ClaudeMemoryCase,
    profile: Profile,
    resolution: &Resolution,
    fs: &dyn Fs,
) -> Option<String> {
    let mut recorded = Map::new();
    let mut computed = Map::new();
    let mut field = |name: &str, want: Value, have: Value| {
        recorded.insert(name.to_owned(), want);
        computed.insert(name.to_owned(), have);
    };
    let memory = &resolution.memory;
    let launched = launched(case, resolution);
    field("starts", true.into(), resolution.refusal.is_none().into());
    field("memory_on", want(golden, "memory_on"), memory.enabled.into());
    let root = memory.root.iter().filter(|_| memory.enabled);
    let folders = root.chain(launched.iter().map(|agent| &agent.dir));
    let folders = folders.map(|folder| folder_name(case, folder)).collect::<Value>();
    field("memory_dirs", want(golden, "memory_dirs"), folders);
    let content = memory.content.as_deref().map(|text| case.mask(text));
    field("memory_loaded", want(golden, "memory_loaded"), content.into());
    field("warning", want(golden, "warning"), warning(case, memory.cut.as_ref()));
    if let Some(want) = golden.get("agent_memory") {
        let have = launched.iter().map(|agent| {
            json!({
                "dir": folder_name(case, &agent.dir),
                "index": agent.content.as_deref().map(|text| case.mask(text)),
                "warning": warning(case, agent.cut.as_ref()),
            })
        });
        field("agent_memory", want.clone(), have.collect());
    }
    let usual_root = AbsPath::new(case.fill("<MEM>")).unwrap_or_else(|_| AbsPath::root());
    let written = written(profile, resolution, &usual_root, &case.steps(), fs);
    for (at, want) in golden.get("files").and_then(Value::as_object).into_iter().flatten() {
        if let Some(have) = file(case, &written, fs, at) {
            field(&format!("files {at}"), want.clone(), have);
        }
    }
    report(&recorded, &computed)
}

fn want(golden: &Value, key: &str) -> Value {
    golden.get(key).cloned().into()
}

fn folder_name(case: &ClaudeMemoryCase, folder: &AbsPath) -> String {
    case.mask(&format!("{folder}/"))
}

/// The memories of the sub-agents that the session starts, in that order.
fn launched<'a>(case: &ClaudeMemoryCase, resolution: &'a Resolution) -> Vec<&'a AgentMemory> {
    let uses = case.steps().into_iter().flatten().filter(|one| one.tool == "Agent");
    let names = uses.filter_map(|one| Some(one.input.get("subagent_type")?.as_str()?.to_owned()));
    let find = |name: String| resolution.agent_memory.iter().find(|agent| agent.agent == name);
    names.filter_map(find).collect()
}

/// A cut as the client's warning tells it, what it does not tell left out.
fn warning(case: &ClaudeMemoryCase, cut: Option<&IndexCut>) -> Value {
    let Some(cut) = cut else { return Value::Null };
    let fields = [
        ("lines", cut.lines.map(Value::from)),
        ("kb", cut.kb.clone().map(Value::from)),
        ("cut_lines", cut.cut_lines.map(Value::from)),
        ("total_lines", cut.total_lines.map(Value::from)),
        ("first_cut_line", cut.first_cut_line.map(Value::from)),
        ("first_cut_text", cut.first_cut_text.as_deref().map(|text| case.mask(text).into())),
        ("cut_inside_line_1_after", cut.cut_inside_line_1_after.map(Value::from)),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

/// A recorded file as the client would leave it, in the form in which files are
/// recorded; `None` where that is not computed.
fn file(
    case: &ClaudeMemoryCase,
    written: &BTreeMap<AbsPath, String>,
    fs: &dyn Fs,
    at: &str,
) -> Option<Value> {
    let path = AbsPath::new(case.fill(at)).ok()?;
    let bytes = match written.get(&path) {
        Some(text) => text.clone().into_bytes(),
        None => fs.read_up_to(&path, u64::MAX).ok()?,
    };
    if bytes.len() > LONGEST {
        return Some(format!("<{} bytes>", bytes.len()).into());
    }
    Some(case.mask(&String::from_utf8(bytes).ok()?).into())
}
