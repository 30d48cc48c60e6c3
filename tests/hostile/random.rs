//! Random trees and bytes.

use memory_core::fs::MemFs;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{claude, codex, path, repository};

/// Names that mean something to a client, and some that do not.
const NAMES: [&str; 30] = [
    ".agents",
    ".claude",
    ".codex",
    ".git",
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.local.md",
    "CLAUDE.md",
    "HEAD",
    "MEMORY.md",
    "SKILL.md",
    "a",
    "agents",
    "commands",
    "config.toml",
    "gitdir",
    "managed_config.toml",
    "memories",
    "memories_v2",
    "memory",
    "memory_summary.md",
    "objects",
    "openai.yaml",
    "projects",
    "refs",
    "rules",
    "settings.json",
    "settings.local.json",
    "skills",
    "topic.md",
];

/// Pieces of text that mean something to a reader.
const PIECES: [&str; 36] = [
    "\n",
    "\r\n",
    "---\n",
    "---",
    "name: s\n",
    "description: d\n",
    "paths: \"**/*.rs\"\n",
    "metadata:\n  type: user\n",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "@a",
    "@topic.md",
    "@../CLAUDE.md",
    "`",
    "```\n",
    "<!--",
    "-->",
    "*",
    "\\",
    "\"",
    "'",
    "#",
    ":",
    "&a ",
    "*a ",
    "|\n  x\n",
    "日本",
    "\u{feff}",
    "\u{200b}",
    "\0",
    "gitdir: ../a\n",
    "project_doc_max_bytes = 9\n",
    "[features]\nmemories = true\n",
];

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => select(&PIECES[..]).prop_map(|piece| piece.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..8),
    ];
    vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn place() -> impl Strategy<Value = String> {
    let root =
        select(&["/repo", "/repo/a", "/home/mio", "/etc/codex", "/etc/claude-code", "/"][..]);
    (root, vec(select(&NAMES[..]), 1..5))
        .prop_map(|(root, names)| format!("{root}/{}", names.join("/")))
}

fn tree() -> impl Strategy<Value = MemFs> {
    let link = prop_oneof![place(), select(&NAMES[..]).prop_map(str::to_owned), Just("..".into())];
    let files = vec((place(), bytes()), 0..20);
    let links = vec((place(), link), 0..4);
    let modes = vec((place(), select(&[0, 0o200, 0o400, 0o600][..])), 0..2);
    (files, links, vec(place(), 0..2), modes).prop_map(|(files, links, pipes, modes)| {
        let mut fs = repository();
        for (path, bytes) in files {
            fs.file(path, bytes);
        }
        for (path, target) in links {
            fs.link(path, target);
        }
        for path in pipes {
            fs.special(path);
        }
        for (path, mode) in modes {
            fs.mode(path, mode);
        }
        fs.dir("/repo").dir("/home/mio");
        fs
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_tree_has_an_answer(fs in tree(), touched in place()) {
        codex(&fs, &path("/repo"));
        claude(&fs, &path("/repo"), &[path(&touched)]);
    }

    #[test]
    fn any_bytes_have_an_answer(bytes in bytes(), place in place()) {
        let mut fs = repository();
        fs.file(place, bytes);
        codex(&fs, &path("/repo"));
        claude(&fs, &path("/repo"), &[path("/repo/a/x.rs")]);
    }

    #[test]
    fn an_answer_is_the_same_every_time(fs in tree()) {
        prop_assert_eq!(codex(&fs, &path("/repo")), codex(&fs, &path("/repo")));
        prop_assert_eq!(claude(&fs, &path("/repo"), &[]), claude(&fs, &path("/repo"), &[]));
    }
}
