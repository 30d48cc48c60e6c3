//! Carries a project from Codex to Claude Code, its memory included.
//!
//! `cargo run -p examples --example port_codex_to_claude`

use std::collections::BTreeSet;

use adapter_claude::Claude;
use adapter_codex::Codex;
use memory_core::fs::MemFs;
use memory_core::plan::Change;
use memory_core::port::{Port, PortPlace, PortRequest, port};
use memory_core::store::ItemKind;
use memory_core::{AbsPath, Env, Error, World};

/// A small project in memory; `OsFs` is the real world.
fn project() -> MemFs {
    MemFs::from_files([
        ("/home/mio/.codex/AGENTS.md", "Answer in Japanese.\n"),
        (
            "/home/mio/.codex/memories_v2/memory_summary.md",
            "v1\n\n## User Profile\n\nMio keeps the shop's data.\n",
        ),
        ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
        ("/repo/CLAUDE.md", "Written by hand.\n"),
        ("/repo/AGENTS.md", "Run the tests.\n\n<!-- for people -->\n\nUse tabs.\n"),
        (
            "/repo/.agents/skills/deploy/SKILL.md",
            "---\nname: deploy\ndescription: Deploys the shop.\n---\nDeploy.\n",
        ),
    ])
}

/// The port of these kinds of things; of all when there are none.
fn planned(only: &[ItemKind]) -> Result<Port, Error> {
    let fs = project();
    let home = AbsPath::new("/home/mio")?;
    let env = Env::with_home(home.clone());
    let place = PortPlace { project: AbsPath::new("/repo")?, home };
    let only = BTreeSet::from_iter(only.iter().copied());
    let request = PortRequest { only, ..PortRequest::new(place) };
    port(World { fs: &fs, env: &env }, &Codex::default(), &Claude::default(), &request)
}

fn main() -> Result<(), Error> {
    let port = planned(&[])?;
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
    Ok(())
}

#[test]
fn what_is_written_by_hand_stays_and_gets_a_part_behind_it() {
    let port = planned(&[ItemKind::Instruction]).unwrap();
    assert!(port.unaccounted.is_empty() && port.conflicts.is_empty());
    let file = AbsPath::new("/repo/CLAUDE.md").unwrap();
    let change = port.plan.changes().iter().find(|change| *change.path() == file);
    let Some(Change::Replace { bytes, .. }) = change else { panic!("{change:?}") };
    let text = String::from_utf8_lossy(bytes);
    assert!(text.starts_with("Written by hand.\n\n<!-- memport:begin AGENTS.md -->\n"), "{text}");
    // Claude Code hides comments that stand alone: that is told, with the line.
    let lost = port.losses.losses.iter().map(|loss| (loss.path.as_str(), loss.line));
    assert_eq!(lost.collect::<Vec<_>>(), [("/repo/AGENTS.md", Some(3))]);
}

#[test]
fn every_memory_becomes_a_file_of_its_own() {
    let port = planned(&[ItemKind::Memory]).unwrap();
    let said = |text: &str| {
        port.plan.changes().iter().any(|change| match change {
            Change::Create { path, bytes, .. } => {
                path.as_str().contains("/.claude/projects/-repo/memory/")
                    && String::from_utf8_lossy(bytes).contains(text)
            }
            _ => false,
        })
    };
    assert!(said("Mio keeps the shop's data."));
}
