//! Memory trees of both versions.

use memory_core::AbsPath;

use crate::random::draft::Draft;

/// Threads with the stem of their summary: time, thread, a word for it.
const THREADS: [(&str, &str, &str); 3] = [
    (
        "2026-11-02T08-15-30-t0gT-fix_flaky",
        "01a19b53-e8d0-7abc-8000-1a2b3c4d5e6f",
        "2026-11-02T09:40:00+00:00",
    ),
    (
        "2026-11-09T13-02-11-vGo5-csv",
        "01a1c066-e438-7abc-a222-333344445555",
        "2026-11-09T14:30:59+00:00",
    ),
    (
        "2026-11-20T01-00-00-JeEh",
        "01a1f677-aa80-7abc-8fed-cba987654321",
        "2026-11-20T02:22:02+00:00",
    ),
];

/// A tree of the first version: a handbook, raw memories, skills.
pub(super) fn v1(draft: &mut Draft, root: &AbsPath) {
    let there: Vec<_> = THREADS.into_iter().filter(|_| draft.chance.percent(70)).collect();
    let cwd = cwd(draft);
    let mut handbook = String::new();
    for (at, (stem, thread, time)) in there.iter().enumerate() {
        let words: Vec<_> = (0..4).map(|_| draft.private("handbook")).collect();
        let [tip, wish, fail, scope] = words.as_slice() else { continue };
        handbook.extend([format!(
            "# Task Group: group {at}\n\nscope: {scope}\napplies_to: cwd={cwd}; reuse_rule=safe\n\n\
             ## Task 1: do it, success\n\n### rollout_summary_files\n\n\
             - rollout_summaries/{stem}.md (cwd={cwd}, rollout_path=/r.jsonl, updated_at={time}, thread_id={thread})\n\n\
             ### keywords\n\n- csv, 文字コード\n\n## User preferences\n\n- {wish} [Task 1]\n\n\
             ## Reusable knowledge\n\n- {tip} [Task 1]\n\n\
             ## Failures and how to do differently\n\n- {fail} [Task 1]\n\n"
        )]);
    }
    if draft.chance.one_in(4) {
        let body = draft.body("hand-written handbook", true);
        handbook = format!("# My notes\n\n{body}{handbook}");
    }
    draft.text(&root.join("MEMORY.md"), &handbook);
    for (stem, thread, time) in &there {
        rollout(draft, root, (stem, thread, time), &cwd);
    }
    summary(
        draft,
        root,
        |(stem, thread, _)| format!("- topic {stem}: csv, thread {thread}\n  - desc: known\n"),
        &there,
    );
    raw_memories(draft, root, &cwd);
    if draft.chance.one_in(3) {
        let word = draft.private("skill of the memory");
        let body = draft.body("skill of the memory", true);
        let skill = root.join("skills/csv-encoding");
        draft.bytes(
            &skill.join("SKILL.md"),
            format!("---\nname: csv-encoding\ndescription: {word}\n---\n{body}"),
        );
        draft.bytes(&skill.join("scripts/sniff.py"), "print('cp932')\n");
    }
    extensions(draft, root);
}

/// A tree of the second version: a summary that points to what happened.
pub(super) fn v2(draft: &mut Draft, root: &AbsPath) {
    let there: Vec<_> = THREADS.into_iter().filter(|_| draft.chance.percent(70)).collect();
    let cwd = cwd(draft);
    summary(
        draft,
        root,
        |(stem, thread, _)| {
            format!("- rollout_summaries/{stem}.md — what was done; thread_id={thread}\n")
        },
        &there,
    );
    for (stem, thread, time) in &there {
        rollout(draft, root, (stem, thread, time), &cwd);
    }
    extensions(draft, root);
}

/// The project mostly, else another one.
fn cwd(draft: &mut Draft) -> String {
    match draft.chance.below(4) {
        0 => "/srv/other".to_owned(),
        _ => draft.project.as_str().to_owned(),
    }
}

type Thread = (&'static str, &'static str, &'static str);

fn summary(draft: &mut Draft, root: &AbsPath, line: impl Fn(Thread) -> String, there: &[Thread]) {
    if draft.chance.one_in(8) {
        return;
    }
    let words: Vec<_> = (0..4).map(|_| draft.private("memory summary")).collect();
    let [profile, wish, tip, gone] = words.as_slice() else { return };
    let mut text = if draft.chance.one_in(6) { String::new() } else { "v1\n\n".to_owned() };
    text.extend([format!(
        "## User Profile\n\n{profile} maintains an API.\n\n## User preferences\n\n- {wish} 先に原因\n\n\
         ## General Tips\n\n- {tip} narrow tests first\n\n## What's in Memory\n\n### app\n\n#### 2026-11-09\n\n"
    )]);
    text.extend(there.iter().map(|thread| line(*thread)));
    if draft.chance.one_in(2) {
        text.extend([format!(
            "\n### Older Memory Topics\n\n#### site\n\n\
             - rollout_summaries/2020-01-01T00-00-00-aaaa.md — {gone} leads nowhere; thread_id=00000000-0000-7000-8000-000000000000\n"
        )]);
    }
    draft.text(&root.join("memory_summary.md"), &text);
}

fn rollout(draft: &mut Draft, root: &AbsPath, (stem, thread, time): (&str, &str, &str), cwd: &str) {
    let body = draft.body("rollout summary", true);
    let text = format!(
        "thread_id: {thread}\nupdated_at: {time}\nrollout_path: /r.jsonl\ncwd: {cwd}\n\n# What was done\n\n{body}"
    );
    draft.bytes(&root.join("rollout_summaries").join(format!("{stem}.md")), text);
}

/// Material of the client: nothing in it is marked but an entry of which nothing was made.
fn raw_memories(draft: &mut Draft, root: &AbsPath, cwd: &str) {
    let mut text =
        "# Raw Memories\n\nMerged stage-1 raw memories (stable ascending thread-id order):\n\n"
            .to_owned();
    for (stem, thread, time) in THREADS {
        text.extend([format!(
            "## Thread `{thread}`\nupdated_at: {time}\ncwd: {cwd}\nrollout_path: /r.jsonl\nrollout_summary_file: {stem}.md\n\nraw text\n\n"
        )]);
    }
    if draft.chance.one_in(2) {
        let word = draft.private("raw memory without a summary");
        text.extend([format!(
            "## Thread `ffffffff-0000-7000-8000-000000000000`\nupdated_at: 2026-11-21T00:00:00+00:00\ncwd: {cwd}\nrollout_path: /r.jsonl\nrollout_summary_file: 2026-11-21T00-00-00-zzzz.md\n\n{word} stands only here\n\n"
        )]);
    }
    draft.bytes(&root.join("raw_memories.md"), text);
}

fn extensions(draft: &mut Draft, root: &AbsPath) {
    let extensions = root.join("extensions");
    if draft.chance.one_in(2) {
        draft.bytes(&extensions.join("ad_hoc/instructions.md"), "Take the notes up.\n");
        for name in ["2026-11-21T09-30-00-dark-logs.md", "20260718-114309-日本語.md", "plain.md"]
        {
            if draft.chance.one_in(2) {
                let text = draft.body("note", true);
                draft.text(&extensions.join("ad_hoc/notes").join(name), &text);
            }
        }
    }
    if draft.chance.one_in(3) {
        draft.bytes(&extensions.join("chronicle/instructions.md"), "Screen notes.\n");
        let text = draft.body("resource of an extension", true);
        draft.text(
            &extensions
                .join("chronicle/resources/2026-11-20T10-00-00-abcd-10min-memory-summary.md"),
            &text,
        );
    }
    if draft.chance.one_in(3) {
        let import = extensions.join("external_agent_import");
        draft.bytes(&import.join("instructions.md"), "Imported.\n");
        for (key, cwd) in
            [("this", draft.project.as_str().to_owned()), ("other", "/srv/other".to_owned())]
        {
            if draft.chance.percent(70) {
                let folder = import.join("resources").join(key);
                draft.bytes(
                    &folder.join("scope.json"),
                    serde_json::json!({ "cwd": cwd }).to_string(),
                );
                let word = draft.private("imported index");
                draft.bytes(&folder.join("MEMORY.md"), format!("- [a](a.md) — {word}\n"));
                let body = draft.body("imported memory", true);
                draft.text(&folder.join("a.md"), &format!("---\nname: a\ntype: user\n---\n{body}"));
            }
        }
    }
}
