//! Pins down which instructions resolve in a repository, as a snapshot test.
//!
//! Copy the test into a repository of yours, replace the tree in memory by
//! `OsFs` and the path of the repository, and let `insta` keep the picture.
//! `cargo test -p examples --example snapshot_chain`

use adapter_codex::{Codex, Query};
use memory_core::fs::MemFs;
use memory_core::{AbsPath, Env, Error, Snapshot, World};

/// The picture of what Codex loads in `/repo/api`.
fn picture() -> Result<String, Error> {
    let fs = MemFs::from_files([
        ("/home/mio/.codex/AGENTS.md", "Answer in Japanese.\n"),
        ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
        ("/repo/AGENTS.md", "Run the tests before every commit.\n"),
        ("/repo/api/AGENTS.override.md", ""),
        ("/repo/api/AGENTS.md", "Keep the schema stable.\n"),
    ]);
    let repo = AbsPath::new("/repo")?;
    let home = AbsPath::new("/home/mio")?;

    // An empty environment: the developer's own settings must not decide.
    let env = Env::with_home(home);
    let query = Query::new(repo.join("api"));
    let answer = Codex::default().resolve(World { fs: &fs, env: &env }, &query)?;

    // Home and project are redacted, so the picture is the same on every machine.
    Ok(Snapshot::of(&answer).to_string())
}

fn main() -> Result<(), Error> {
    print!("{}", picture()?);
    Ok(())
}

#[test]
fn the_api_folder_loads_its_instructions() {
    insta::assert_snapshot!(picture().unwrap(), @r"
    codex@0.171.0
    1. user <home>/.codex/AGENTS.md
    2. project <project>/AGENTS.md
    -  project <project>/api/AGENTS.override.md [blank] it holds nothing, and still hides `AGENTS.md` beside it
    -  project <project>/api/AGENTS.md [shadowed] `AGENTS.override.md` in the same folder is read instead
    skill 1. imagegen builtin <home>/.codex/skills/.system/imagegen/SKILL.md name only
    skill 2. openai-docs builtin <home>/.codex/skills/.system/openai-docs/SKILL.md name only
    skill 3. skill-creator builtin <home>/.codex/skills/.system/skill-creator/SKILL.md name only
    skill 4. skill-installer builtin <home>/.codex/skills/.system/skill-installer/SKILL.md name only
    memory off
    warning[codex/empty-file-hides] it holds nothing, and still hides `AGENTS.md` beside it
    ");
}
