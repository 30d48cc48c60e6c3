//! Resolves AGENTS.md for a tool of one's own: the convention without a client.
//!
//! `cargo run -p examples --example agents_md_of_another_tool [FOLDER]`

use std::env;
use std::error::Error;

use adapter_agents_md::{BlankFiles, Convention, Trim, resolve};
use memory_core::{AbsPath, ClientId, Env, OsFs, World};

fn main() -> Result<(), Box<dyn Error>> {
    let here = AbsPath::new(env::current_dir()?.to_string_lossy())?;
    let cwd = here.join(env::args().nth(1).unwrap_or_default());

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
    println!("{} paths to watch for changes", chain.probes.read.len() + chain.probes.missing.len());
    Ok(())
}
