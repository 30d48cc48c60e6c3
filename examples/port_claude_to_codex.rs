//! Carries a project from Claude Code to Codex, and shows what would be lost.
//!
//! `cargo run -p examples --example port_claude_to_codex`

use adapter_claude::Claude;
use adapter_codex::Codex;
use memory_core::fs::MemFs;
use memory_core::plan::{Change, Journal, apply};
use memory_core::port::{Port, PortPlace, PortRequest, port};
use memory_core::{AbsPath, Env, Error, World};

/// A small project in memory; `OsFs` is the real world.
fn project() -> MemFs {
    MemFs::from_files([
        ("/home/mio/.claude/CLAUDE.md", "Answer in Japanese.\n"),
        ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
        ("/repo/CLAUDE.md", "---\nowner: platform\n---\n# Shop\n\nRead @docs/style.md first.\n"),
        ("/repo/docs/style.md", "Use tabs.\n"),
        ("/repo/.claude/rules/csv.md", "---\npaths: \"*.csv\"\n---\nCodes are text: 00042.\n"),
        (
            "/repo/.claude/skills/deploy/SKILL.md",
            "---\nname: deploy\ndescription: Deploys the shop.\nallowed-tools: Bash\n---\nDeploy.\n",
        ),
    ])
}

fn planned(fs: &MemFs) -> Result<Port, Error> {
    let home = AbsPath::new("/home/mio")?;
    let env = Env::with_home(home.clone());
    let request = PortRequest::new(PortPlace { project: AbsPath::new("/repo")?, home });
    port(World { fs, env: &env }, &Claude::default(), &Codex::default(), &request)
}

fn main() -> Result<(), Error> {
    let fs = project();
    let port = planned(&fs)?;
    for change in port.plan.changes() {
        match change {
            Change::Create { path, bytes, .. } | Change::Replace { path, bytes, .. } => {
                println!("== {path}\n{}", String::from_utf8_lossy(bytes));
            }
            other => println!("== {other:?}"),
        }
    }
    for loss in &port.losses.losses {
        let line = loss.line.map(|line| format!(":{line}")).unwrap_or_default();
        println!("{} {}{line}: {}", loss.how.as_str(), loss.path, loss.message);
    }
    // Nothing is written until here. A piece without a place or a loss would
    // be a reason to stop.
    assert!(port.unaccounted.is_empty());
    let run = apply(&fs, &port.plan, &Journal::new(AbsPath::new("/state")?))?.run;
    println!("written as run {run}");
    Ok(())
}

#[test]
fn a_second_port_has_nothing_to_write() {
    let fs = project();
    let first = planned(&fs).unwrap();
    assert!(first.unaccounted.is_empty());
    let codes: std::collections::BTreeSet<_> =
        first.losses.losses.iter().map(|loss| loss.how.as_str()).collect();
    // The rule waits for no file in Codex, and the skill may use any tool.
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), ["not-enforced"]);
    apply(&fs, &first.plan, &Journal::new(AbsPath::new("/state").unwrap())).unwrap();
    assert!(planned(&fs).unwrap().plan.is_empty());
}
