//! Resolves AGENTS.md for a tool of one's own: the convention without a client.
//!
//! `cargo run -p examples --example agents_md_of_another_tool -- [FOLDER]`

use std::env;
use std::error::Error;

use adapter_agents_md::{BlankFiles, Convention, Trim, resolve};
use memory_core::fs::{OsFs, name_from_bytes};
use memory_core::{AbsPath, ClientId, Env, World};

fn main() -> Result<(), Box<dyn Error>> {
    let here = AbsPath::from_bytes(env::current_dir()?.as_os_str().as_encoded_bytes())?;
    let folder = env::args_os().nth(1).unwrap_or_default();
    let cwd = here.join(name_from_bytes(folder.as_encoded_bytes()));

    // This tool also reads CLAUDE.md, takes at most 16 KiB, and passes over
    // empty files.
    let convention = Convention {
        client: ClientId("my-tool"),
        fallbacks: vec!["CLAUDE.md".to_owned()],
        max_bytes: Some(16 * 1024),
        blank_files: BlankFiles::FallThrough,
        trim: Trim::BothEnds,
        ..Convention::default()
    };
    let env = Env::default();
    let chain = resolve(World { fs: &OsFs, env: &env }, &convention, &cwd);

    for (layer, loaded) in chain.loaded() {
        let path = layer.provenance.path.as_ref().map(ToString::to_string).unwrap_or_default();
        println!("## {path}\n\n{}\n", loaded.text);
    }
    for told in &chain.diagnostics {
        println!("{}[{}] {}", told.severity.as_str(), told.code, told.message);
    }
    println!("{} paths to watch for changes", chain.probes.read.len() + chain.probes.missing.len());
    Ok(())
}
