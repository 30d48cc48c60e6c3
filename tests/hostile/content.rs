//! Contents and names made to confuse a reader.

use std::fmt::Write as _;

use memory_core::AbsPath;
use memory_core::fs::MemFs;

use super::{both_answer, repository};

const PLACES: [&str; 6] = [
    "/repo/.agents/skills/s/SKILL.md",
    "/repo/.codex/skills/s/SKILL.md",
    "/repo/.claude/skills/s/SKILL.md",
    "/repo/.claude/rules/r.md",
    "/repo/.claude/agents/a.md",
    "/home/mio/.claude/projects/-repo/memory/topic.md",
];

fn with_everywhere(bytes: &[u8]) -> MemFs {
    let mut fs = repository();
    for place in PLACES {
        fs.file(place, bytes);
    }
    fs
}

fn frontmatter(text: &str) -> Vec<u8> {
    format!("---\nname: s\n{text}\n---\nbody\n").into_bytes()
}

#[test]
fn five_thousand_levels_of_yaml_are_read_or_refused_in_time() {
    let flow = format!("description: {}x{}", "[".repeat(5_000), "]".repeat(5_000));
    let open = format!("description: {}", "{a: ".repeat(5_000));
    let list = format!("description:\n  {}x", "- ".repeat(5_000));
    let mut block = String::from("description:\n");
    for level in 1..5_000 {
        let _ = writeln!(block, "{}a:", " ".repeat(level));
    }
    for text in [flow, open, list, block] {
        both_answer(&with_everywhere(&frontmatter(&text)));
    }
}

#[test]
fn ten_megabytes_of_frontmatter_are_read_or_refused_in_time() {
    let long = format!("description: {}", "x".repeat(10_000_000));
    let many = (0..500_000).fold(String::new(), |mut text, at| {
        let _ = writeln!(text, "key{at:07}: value");
        text
    });
    let unclosed = format!("description: \"{}", "y ".repeat(5_000_000));
    for text in [long, many, unclosed] {
        let mut fs = repository();
        fs.file("/repo/.agents/skills/s/SKILL.md", frontmatter(&text));
        both_answer(&fs);
        let mut fs = repository();
        fs.file("/repo/.claude/skills/s/SKILL.md", frontmatter(&text));
        both_answer(&fs);
        let mut fs = repository();
        fs.file("/repo/.claude/rules/r.md", frontmatter(&text));
        both_answer(&fs);
    }
}

#[test]
fn aliases_that_multiply_do_not() {
    let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for at in 1..30 {
        let before = at - 1;
        let all = vec![format!("*a{before}"); 10].join(", ");
        let _ = writeln!(text, "a{at}: &a{at} [{all}]");
    }
    text.push_str("description: *a29");
    both_answer(&with_everywhere(&frontmatter(&text)));
}

#[test]
fn broken_configuration_is_said_and_not_fatal() {
    for text in ["[", "= 1", "\u{feff}", "{\"a\":", "[[[[", "\0", "a.b.c.d = {"] {
        let mut fs = repository();
        fs.file("/home/mio/.codex/config.toml", text).file("/repo/.codex/config.toml", text);
        fs.file("/home/mio/.claude/settings.json", text);
        fs.file("/repo/.claude/settings.json", text);
        fs.file("/etc/claude-code/managed-settings.json", text);
        fs.file("/etc/codex/managed_config.toml", text);
        both_answer(&fs);
    }
    let nested = "[".repeat(200_000);
    let mut fs = repository();
    fs.file("/home/mio/.codex/config.toml", format!("a = {nested}"));
    fs.file("/home/mio/.claude/settings.json", &nested);
    both_answer(&fs);
}

#[test]
fn names_that_are_no_text_or_hold_escapes_are_names_like_others() {
    let names: [&[u8]; 6] =
        [b"\xff\xfe", b"a\x1b[31mred", b"line\nend", b"\xe3\x81", "\u{202e}rtl".as_bytes(), b"-x"];
    let mut fs = repository();
    for name in names {
        let name = memory_core::fs::name_from_bytes(name);
        for root in ["/repo/.agents/skills", "/repo/.claude/skills"] {
            let text = "---\nname: s\ndescription: d\n---\nbody\n";
            fs.file(format!("{root}/{name}/SKILL.md"), text);
        }
        fs.file(format!("/repo/.claude/rules/{name}.md"), "rule\n");
        fs.file(format!("/home/mio/.claude/projects/-repo/memory/{name}.md"), "topic\n");
    }
    let (codex, claude) = both_answer(&fs);
    assert!(claude.chain.loaded().count() >= 4, "{:?}", claude.chain);
    let escape = AbsPath::new("/repo/.agents/skills/a\u{1b}[31mred/SKILL.md").unwrap();
    assert!(codex.skills.listed.iter().any(|skill| skill.file == escape));
}
