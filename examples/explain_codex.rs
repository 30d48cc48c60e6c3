//! Prints what Codex would load in a folder, and what it leaves out.
//!
//! `cargo run -p examples --example explain_codex -- [FOLDER] [-- CODEX ARGS…]`

use std::env;
use std::error::Error;

use adapter_codex::{Codex, Query};
use memory_core::fs::{OsFs, name_from_bytes};
use memory_core::{AbsPath, Env, World};

fn main() -> Result<(), Box<dyn Error>> {
    let args = env::args_os().skip(1).map(|arg| name_from_bytes(arg.as_encoded_bytes()));
    let args: Vec<String> = args.collect();
    // What follows the dashes is the client's own command line.
    let mut halves = args.splitn(2, |arg| arg == "--");
    let folder = halves.next().and_then(<[String]>::first);
    let codex_args = halves.next().unwrap_or_default().to_vec();

    let here = AbsPath::from_bytes(env::current_dir()?.as_os_str().as_encoded_bytes())?;
    let cwd = here.join(folder.map_or("", String::as_str));

    // The library looks at nothing by itself: hand it the world.
    let env = Env::from_vars(env::vars_os());
    let world = World { fs: &OsFs, env: &env };

    let query = Query::new(cwd).with_args(codex_args);
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
    let injected = answer.memory.content.as_ref().map_or(0, |content| content.len());
    println!("memory: {injected} bytes");
    let memory = answer.memory.diagnostics.iter();
    let told = answer.diagnostics.iter().chain(&answer.chain.diagnostics);
    for told in told.chain(&answer.skills.diagnostics).chain(memory) {
        println!("{}[{}] {}", told.severity.as_str(), told.code, told.message);
    }
    Ok(())
}
