//! The memory files that a recorded session leaves behind.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use adapter_claude::{Claude, Profile, Resolution, Stamp, ToolUse, TopicEdit};
use memory_core::AbsPath;
use memory_core::fs::Fs;
use serde_json::Value;

/// A session of no particular name.
const SESSION: &str = "00000000-0000-4000-8000-000000000000";
/// When the session writes, in seconds, and as the client writes it.
const NOW: (u64, &str) = (2_147_483_647, "2038-01-19T03:14:07.000Z");
/// How the time of a recording is written in its golden.
const RECORDED_NOW: &str = "<ISO-MS-Z>";

/// What the client writes in a session: the index that it rebuilds at the start,
/// then what its Write and Edit tools leave of the scripted texts.
pub(crate) fn written(
    profile: Profile,
    resolution: &Resolution,
    usual_root: &AbsPath,
    steps: &[Vec<ToolUse>],
    fs: &dyn Fs,
) -> BTreeMap<AbsPath, String> {
    let rebuilt = resolution.memory.would_create.iter();
    let mut files: BTreeMap<AbsPath, String> =
        rebuilt.map(|index| (index.path.clone(), index.content.clone())).collect();
    // The tools treat the usual folder so even where memory is switched off.
    let root = resolution.memory.root.as_ref().unwrap_or(usual_root);
    let claude = Claude { profile };
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW.0);
    let stamp = Stamp { session: SESSION, time };
    for tool_use in steps.iter().flatten() {
        let text = |key: &str| tool_use.input.get(key).and_then(Value::as_str);
        let file = text("file_path").and_then(|path| AbsPath::new(path).ok());
        let Some(file) = file.filter(|file| allowed(resolution, root, file)) else { continue };
        let after = match (tool_use.tool.as_str(), text("content"), text("old_string")) {
            ("Write", Some(content), _) => {
                Some(claude.topic_after_write(root, &file, content, stamp))
            }
            ("Edit", _, Some(old)) => {
                let all = tool_use.input.get("replace_all").and_then(Value::as_bool);
                let edit = TopicEdit {
                    old: old.to_owned(),
                    new: text("new_string").unwrap_or_default().to_owned(),
                    all: all.unwrap_or_default(),
                };
                let before = files.get(&file).cloned().or_else(|| read(fs, &file));
                before
                    .and_then(|before| claude.topic_after_edit(root, &file, &before, &edit, stamp))
            }
            _ => None,
        };
        if let Some(after) = after {
            files.insert(file, after);
        }
    }
    for text in files.values_mut() {
        *text = text.replace(NOW.1, RECORDED_NOW);
    }
    files
}

/// Whether the tools may write a file in a session that nobody watches.
fn allowed(resolution: &Resolution, root: &AbsPath, file: &AbsPath) -> bool {
    let agents = resolution.agent_memory.iter().map(|agent| &agent.dir);
    let inside = std::iter::once(root).chain(agents).any(|folder| file.starts_with(folder));
    let name = file.file_name().unwrap_or_default();
    inside && name.rsplit_once('.').is_some_and(|(_, ending)| ending == "md")
}

fn read(fs: &dyn Fs, file: &AbsPath) -> Option<String> {
    String::from_utf8(fs.read_up_to(file, u64::MAX).ok()?).ok()
}
