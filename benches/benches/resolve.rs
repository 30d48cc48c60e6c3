//! What an answer costs in instructions, independent of how busy the machine is.

use std::fmt::Write as _;
use std::hint::black_box;

use adapter_claude::Claude;
use adapter_codex::Codex;
use gungraun::{library_benchmark, library_benchmark_group, main};
use memory_core::fs::MemFs;
use memory_core::{AbsPath, Env, World};

/// A repository with instruction files, rules and skills, and files beside them.
fn project(rules: usize, skills: usize, files: usize) -> MemFs {
    let mut fs = MemFs::from_files([
        ("/home/mio/.codex/AGENTS.md", "Answer in Japanese.\n"),
        ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
    ]);
    let mut text = String::new();
    for line in 0..400 {
        let _ = writeln!(text, "- Rule {line}: 変更の前に必ずテストを実行する。");
    }
    fs.file("/repo/CLAUDE.md", &text)
        .file("/repo/AGENTS.md", &text)
        .file("/repo/a/b/AGENTS.md", &text);
    for number in 0..rules {
        let rule = "---\npaths: src/**/*.ts\n---\nUse the strict mode.\n";
        fs.file(format!("/repo/.claude/rules/rule-{number:03}.md"), rule);
    }
    for number in 0..skills {
        let skill = format!(
            "---\nname: skill-{number:03}\ndescription: Use when: task {number} comes up\n---\nSteps.\n"
        );
        fs.file(format!("/repo/.agents/skills/skill-{number:03}/SKILL.md"), &skill);
        fs.file(format!("/repo/.claude/skills/skill-{number:03}/SKILL.md"), &skill);
    }
    for number in 0..files {
        fs.file(format!("/repo/a/b/source-{number}.ts"), "");
    }
    fs
}

#[library_benchmark]
#[bench::small(args = (0, 0, 0), setup = project)]
#[bench::rules_and_skills(args = (200, 100, 0), setup = project)]
#[bench::many_files(args = (0, 0, 50_000), setup = project)]
fn codex(fs: MemFs) -> adapter_codex::Resolution {
    let env = Env::with_home(AbsPath::new("/home/mio").unwrap());
    let query = adapter_codex::Query::new(AbsPath::new("/repo/a/b").unwrap());
    let answer = Codex::default().resolve(World { fs: &fs, env: &env }, &query);
    std::mem::forget(fs);
    black_box(answer.unwrap())
}

#[library_benchmark]
#[bench::small(args = (0, 0, 0), setup = project)]
#[bench::rules_and_skills(args = (200, 100, 0), setup = project)]
fn claude(fs: MemFs) -> adapter_claude::Resolution {
    let env = Env::with_home(AbsPath::new("/home/mio").unwrap());
    let cwd = AbsPath::new("/repo").unwrap();
    let query = adapter_claude::Query::new(cwd);
    let answer = Claude::default().resolve(World { fs: &fs, env: &env }, &query);
    std::mem::forget(fs);
    black_box(answer.unwrap())
}

library_benchmark_group!(name = resolve; benchmarks = codex, claude);
main!(library_benchmark_groups = resolve);
