//! A memory folder with topics of all generations.

use memory_core::AbsPath;

use crate::random::draft::Draft;

const NAMES: [&str; 8] = [
    "feedback_customer_code.md",
    "user_role.md",
    "project_release.md",
    "reference-wiki.md",
    "取引先.md",
    "sub/deeper.md",
    "sub/other/LOUD.MD",
    "a b.md",
];

pub(super) fn memory(draft: &mut Draft, folder: &AbsPath) {
    let mut index = String::new();
    if draft.chance.one_in(3) {
        let word = draft.private("memory index");
        index.extend([format!("# Memory\n\n{word} stands above the list.\n\n")]);
    }
    for _ in 0..=draft.chance.below(5) {
        let name = draft.chance.pick(&NAMES);
        let text = topic(draft, name);
        if draft.text(&folder.join(name), &text) && !draft.chance.one_in(4) {
            let word = draft.private("memory index");
            index.extend([format!("- [{name}]({name}) — {word} says when it matters\n")]);
        }
    }
    if draft.chance.one_in(4) {
        let word = draft.private("memory index");
        index.extend([format!("- [gone](gone.md) — {word} leads nowhere\n")]);
    }
    if draft.chance.one_in(12) {
        for at in 0..210 {
            index.extend([format!("- [old {at}](old_{at}.md) — one of many\n")]);
        }
        let word = draft.private("memory index");
        index.extend([format!("- [last](last.md) — {word} is never shown at start\n")]);
    }
    if !draft.chance.one_in(6) {
        draft.text(&folder.join("MEMORY.md"), &index);
    }
    if draft.chance.one_in(4) {
        let word = draft.private("file in the memory folder");
        draft.bytes(&folder.join("notes.txt"), format!("{word}\n"));
    }
    if draft.chance.one_in(4) {
        let old = topic(draft, "old");
        draft.text(&folder.join("archive/old.md"), &old);
        draft.text(&folder.join("MEMORY_ARCHIVED.md"), "- [old](archive/old.md)\n");
    }
}

fn topic(draft: &mut Draft, name: &str) -> String {
    let stem = name.trim_end_matches(".md");
    let body = draft.body("memory", true);
    let kind = draft.chance.pick(&["user", "feedback", "project", "reference", "custom"]);
    let described = draft.chance.one_in(2);
    let word = if described { draft.private("memory's description") } else { String::new() };
    match draft.chance.below(5) {
        0 => body,
        1 => format!(
            "---\nname: {stem}\ndescription: {word} first: second\ntype: {kind}\n---\n{body}"
        ),
        2 => format!(
            "---\nname: \"{stem}\"\ndescription: \"{word}\"\nmetadata:\n  type: {kind}\n  modified: 2026-01-20T14:30:00Z\n---\n\n{body}"
        ),
        3 => format!(
            "---\nname: {stem}\ndescription: {word}\ntype: {kind}\nmodified: \"2025-11-02T08:00:00Z\"\noriginSessionId: 01a19b53\n---\n{body}See [[user_role]] and [more](user_role.md).\n"
        ),
        _ => format!("---\ntype: {kind}\nowner: me\n---\n{body}"),
    }
}
