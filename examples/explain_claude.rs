//! Prints what Claude Code would load in a folder, at start and when a file is read.
//!
//! `cargo run -p examples --example explain_claude -- [FOLDER] [FILE-THAT-IS-READ]`

use std::env;
use std::error::Error;

use adapter_claude::{Claude, Query, ToolUse};
use memory_core::fs::{OsFs, name_from_bytes};
use memory_core::{AbsPath, Env, Layer, Outcome, World};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args_os().skip(1).map(|arg| name_from_bytes(arg.as_encoded_bytes()));
    let here = AbsPath::from_bytes(env::current_dir()?.as_os_str().as_encoded_bytes())?;
    let cwd = here.join(args.next().unwrap_or_default());

    // A step is what the model does with its tools; nothing is really run.
    let read = args.next().map(|file| {
        ToolUse::new("Read", serde_json::json!({ "file_path": cwd.join(file).as_str() }))
    });
    let query = Query::new(cwd).with_steps(read.map(|read| vec![read]).into_iter().collect());

    let env = Env::from_vars(env::vars_os());
    let answer = Claude::default().resolve(World { fs: &OsFs, env: &env }, &query)?;

    if let Some(message) = &answer.refusal {
        println!("Claude Code would not start:\n{message}");
    }
    println!("At start:");
    answer.chain.layers.iter().for_each(show);
    for step in &answer.steps {
        println!("When the file is read:");
        step.loads.iter().for_each(show);
    }
    if let Some(index) = &answer.memory.path {
        let loaded = answer.memory.content.as_ref().map_or(0, |content| content.len());
        println!("Memory: {loaded} bytes of {index}");
    }
    let memory = answer.memory.diagnostics.iter();
    let told = answer.diagnostics.iter().chain(&answer.chain.diagnostics);
    for told in told.chain(&answer.skills.diagnostics).chain(memory) {
        println!("{}[{}] {}", told.severity.as_str(), told.code, told.message);
    }
    Ok(())
}

fn show(layer: &Layer) {
    let path = layer.provenance.path.as_ref().map(ToString::to_string).unwrap_or_default();
    match &layer.outcome {
        Outcome::Loaded(loaded) => println!("  {:>7} bytes  {path}", loaded.text.len()),
        Outcome::Omitted { reason, .. } => println!("  left out       {path}: {reason}"),
    }
}
