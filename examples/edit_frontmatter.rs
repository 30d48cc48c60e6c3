//! Sets a key of a topic's frontmatter; every other byte stays.
//!
//! `cargo run -p examples --example edit_frontmatter FILE KEY VALUE [--write]`
//!
//! A key below `metadata` is written as `metadata.type`.

use std::env;
use std::error::Error;

use adapter_claude::{Claude, MemoryEdit};
use memory_core::fs::OsFs;
use memory_core::plan::{Change, Journal, apply, undo};
use memory_core::{AbsPath, Env, World};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [file, key, value, rest @ ..] = args.as_slice() else {
        return Err("name a file, a key and a value".into());
    };
    let file = AbsPath::new(env::current_dir()?.to_string_lossy())?.join(file);
    let root = file.parent().ok_or("a folder is no file")?;

    let env = Env::default();
    let world = World { fs: &OsFs, env: &env };
    let edit = MemoryEdit::Set { key: key.clone(), value: value.clone() };
    let plan = Claude::default().plan_edit(world, &root, &file, &[edit])?;
    let Some(Change::Replace { bytes, .. }) = plan.changes().first() else {
        println!("it is so already");
        return Ok(());
    };
    print!("{}", String::from_utf8_lossy(bytes));

    if rest.iter().any(|arg| arg == "--write") {
        let journal = Journal::new(AbsPath::new(env::var("HOME")?)?.join(".local/state/memport"));
        // A file that changed since the plan was made is left alone.
        let run = apply(&OsFs, &plan, &journal)?.run;
        println!("written; run {run}");
        if rest.iter().any(|arg| arg == "--and-undo") {
            undo(&OsFs, &journal, run)?;
            println!("and as before, byte for byte");
        }
    }
    Ok(())
}
