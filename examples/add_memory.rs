//! Adds a memory to Claude Code's memory folder, and shows the plan first.
//!
//! `cargo run -p examples --example add_memory FOLDER FACT [WHY] [--write]`

use std::env;
use std::error::Error;
use std::time::SystemTime;

use adapter_claude::{Claude, NewMemory, Query};
use memory_core::fs::OsFs;
use memory_core::plan::{Change, Journal, apply_until_done};
use memory_core::{AbsPath, Env, World};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = env::args().skip(1).collect();
    let write = args.iter().any(|arg| arg == "--write");
    args.retain(|arg| arg != "--write");
    let [folder, fact, rest @ ..] = args.as_slice() else {
        return Err("name a folder and a fact".into());
    };

    let home = AbsPath::new(env::var("HOME")?)?;
    let env = Env { home: Some(home.clone()), vars: env::vars().collect() };
    let world = World { fs: &OsFs, env: &env };
    let cwd = AbsPath::new(env::current_dir()?.to_string_lossy())?.join(folder);
    let claude = Claude::default();
    let root = claude.memory_folder(world, &Query::new(cwd))?;

    let mut memory = NewMemory::new(fact, SystemTime::now());
    memory.type_name = Some("feedback".to_owned());
    memory.why = rest.first().cloned();

    // A plan is data: look at it, keep its digest, throw it away.
    let addition = claude.plan_add(world, &root, &memory)?;
    for change in addition.plan.changes() {
        match change {
            Change::Create { path, bytes, .. } | Change::Replace { path, bytes, .. } => {
                println!("{path}\n{}", String::from_utf8_lossy(bytes));
            }
            other => println!("{other:?}"),
        }
    }
    for told in &addition.diagnostics {
        println!("{}[{}] {}", told.severity.as_str(), told.code, told.message);
    }
    if write {
        // Somebody may write at the same time: plan again until it is there.
        let journal = Journal::new(home.join(".local/state/memport"));
        let done = apply_until_done(&OsFs, &journal, 10, || {
            Ok(claude.plan_add(world, &root, &memory)?.plan)
        })?;
        println!("done in {} run(s)", done.len());
    }
    Ok(())
}
