//! Random skills, for both clients.

use memory_core::AbsPath;

use super::draft::Draft;

const NAMES: [&str; 10] = [
    "review",
    "csv-parser",
    "deploy",
    "文字コード",
    "My Skill",
    "a.b_c",
    "Review",
    "release-notes-for-every-package-of-this-repository-and-the-next-one",
    "x",
    "tests",
];

/// Some skills in a folder of skills.
pub(super) fn skills(draft: &mut Draft, root: &AbsPath, is_private: bool, more_keys: &[&str]) {
    for _ in 0..=draft.chance.below(3) {
        let name = draft.chance.pick(&NAMES);
        let folder = root.join(name);
        if draft.chance.one_in(9) {
            let real = draft.base.join("srv/shared/skills").join(name);
            let target = real.as_str().to_owned();
            if skill(draft, &real, name, is_private, more_keys) {
                draft.link(&folder, &target);
            }
        } else {
            skill(draft, &folder, name, is_private, more_keys);
        }
    }
}

/// One skill, unless there is one already; says whether it was put.
fn skill(
    draft: &mut Draft,
    folder: &AbsPath,
    name: &str,
    is_private: bool,
    more_keys: &[&str],
) -> bool {
    let front = front(draft, name, is_private, more_keys);
    let body = draft.body("skill", is_private);
    if !draft.text(&folder.join("SKILL.md"), &format!("{front}{body}")) {
        return false;
    }
    if draft.chance.one_in(2) {
        let script = folder.join("scripts/run.sh");
        let word = draft_word(draft, "skill's script", is_private);
        draft.bytes(&script, format!("#!/bin/sh\necho {word}\n"));
        draft.mode(&script, 0o755);
    }
    if draft.chance.one_in(3) {
        draft.bytes(&folder.join("assets/logo.png"), b"\x89PNG\r\n\x1a\n\x00\xff\xfe\x80");
    }
    if draft.chance.one_in(3) {
        let text = draft.body("skill's reference", is_private);
        draft.text(&folder.join("references/手順.md"), &text);
    }
    if draft.chance.one_in(5) {
        draft.link(&folder.join("again.md"), "SKILL.md");
    }
    if draft.chance.one_in(8) {
        let outside = draft.base.join("srv/shared/outside.md");
        draft.bytes(&outside, "# Outside\n");
        let target = outside.as_str().to_owned();
        draft.link(&folder.join("outside.md"), &target);
    }
    true
}

fn draft_word(draft: &mut Draft, kind: &'static str, is_private: bool) -> String {
    if is_private { draft.private(kind) } else { draft.word(kind) }
}

fn front(draft: &mut Draft, name: &str, is_private: bool, more_keys: &[&str]) -> String {
    if draft.chance.one_in(8) {
        return String::new();
    }
    let word = draft_word(draft, "skill's description", is_private);
    let mut front = String::from("---\n");
    match draft.chance.below(6) {
        0 => {}
        1 => front.push_str("name: another-name\n"),
        _ => front.extend([format!("name: {name}\n")]),
    }
    let description = match draft.chance.below(9) {
        0 => format!("description: \"{word} quoted: with a colon\"\n"),
        1 => format!("description: {word} plain: with a colon\n"),
        2 => format!("description: >\n  {word} folded\n  over two lines\n"),
        3 => format!("description: |\n  {word} kept\n  over two lines\n"),
        4 => format!("description: {word} 文字コードを調べる\n"),
        5 => format!("description: {word} {}\n", "long ".repeat(250)),
        6 => format!("# a comment\ndescription: '{word} it''s quoted' # said\n"),
        _ => format!("description: {word} does one thing\n"),
    };
    front.push_str(&description);
    for key in more_keys {
        if draft.chance.one_in(4) {
            let word = draft_word(draft, "skill's key", is_private);
            front.push_str(&key.replace("WORD", &word));
        }
    }
    front + "---\n"
}
