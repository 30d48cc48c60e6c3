//! What the client uses and no other one has.

use memory_core::AbsPath;
use memory_core::fs::FileKind;
use memory_core::port::{Loss, LossKind};
use serde_json::Value;

use super::Reading;
use crate::memory::is_markdown;
use crate::port::ground::Ground;

/// How many folders may lie in each other.
const DEEPEST: usize = 16;

/// The output style that changes nothing.
const USUAL_STYLE: &str = "default";

/// Tells of sub-agents and of the output style in use.
pub(super) fn read(ground: &Ground<'_>, reading: &mut Reading) {
    let layout = ground.context.layout;
    let own = ground.project().join(".claude");
    let mut homes = vec![layout.config.clone()];
    if own != layout.config {
        homes.push(own);
    }
    for home in &homes {
        for file in definitions(ground, &home.join("agents")) {
            let why = "sub-agents are not carried; copy what you need of its text";
            reading.lose(Loss::new("sub-agent", &file, LossKind::Dropped, why));
        }
    }
    let style = ground.context.settings.find("outputStyle", Value::is_string);
    let Some((layer, Some(name))) = style.map(|(layer, value)| (layer, value.as_str())) else {
        return;
    };
    let files = homes.iter().map(|home| home.join(format!("output-styles/{name}.md")));
    let file = files.filter(|file| ground.is_file(file)).last();
    let Some(path) = file.or_else(|| layer.path.clone()).filter(|_| name != USUAL_STYLE) else {
        return;
    };
    let why = "output styles are not carried; copy what you need of its text";
    reading.lose(Loss::new(format!("output style `{name}`"), &path, LossKind::Dropped, why));
}

/// The files that define sub-agents.
fn definitions(ground: &Ground<'_>, top: &AbsPath) -> Vec<AbsPath> {
    let mut found = Vec::new();
    let mut open = vec![(top.clone(), 0)];
    while let Some((dir, depth)) = open.pop() {
        let Ok(entries) = ground.context.unrecorded.read_dir(&dir) else { continue };
        for entry in entries.flatten() {
            let path = dir.join(&entry.name);
            match entry.kind {
                FileKind::Dir if depth < DEEPEST => open.push((path, depth + 1)),
                FileKind::File | FileKind::Symlink if is_markdown(&entry.name) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}
