//! Prints what Codex would load in a folder, and what it leaves out.
//!
//! `cargo run -p examples --example explain_codex [FOLDER] [-- CODEX ARGS…]`

use std::env;
use std::error::Error;

use adapter_codex::{Codex, Query};
use memory_core::{AbsPath, Env, OsFs, World};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let here = AbsPath::new(env::current_dir()?.to_string_lossy())?;
    let cwd = here.join(args.next().unwrap_or_default());

    // The library looks at nothing by itself: hand it the world.
    let vars = env::vars().collect();
    let home = env::var("HOME").ok().and_then(|home| AbsPath::new(home).ok());
    let env = Env { home, vars };
    let world = World { fs: &OsFs, env: &env };

    let query = Query { cwd, args: args.collect() };
    let answer = Codex::default().resolve(world, &query)?;

    if let Some(message) = &answer.refusal {
        println!("Codex would not start:\n{message}");
    }
    for (layer, loaded) in answer.chain.loaded() {
        let path = layer.provenance.path.as_ref().map(ToString::to_string).unwrap_or_default();
        println!("{:8} {:>7} bytes  {path}", layer.provenance.scope.as_str(), loaded.text.len());
    }
    for (layer, reason, quirk) in answer.chain.omitted() {
        let path = layer.provenance.path.as_ref().map(ToString::to_string).unwrap_or_default();
        let quirk = quirk.map(|quirk| format!(" [{}]", quirk.id)).unwrap_or_default();
        println!("left out: {path}: {reason}{quirk}");
    }
    println!("skills: {}", answer.skills.listed.len());
    for told in answer.chain.diagnostics.iter().chain(&answer.skills.diagnostics) {
        println!("{}[{}] {}", told.severity.as_str(), told.code, told.message);
    }
    Ok(())
}
