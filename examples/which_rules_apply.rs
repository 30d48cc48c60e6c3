//! Tells which rules of a repository Claude Code would load for each of some files.
//!
//! `cargo run -p examples --example which_rules_apply`

use std::error::Error;

use adapter_claude::{Claude, Query, ToolUse};
use memory_core::fs::MemFs;
use memory_core::{AbsPath, Env, LayerKind, Outcome, World};

fn main() -> Result<(), Box<dyn Error>> {
    // A small repository in memory; `OsFs` is the real one.
    let fs = MemFs::from_files([
        ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
        ("/repo/.claude/rules/all.md", "Keep commits small.\n"),
        (
            "/repo/.claude/rules/api.md",
            "---\npaths: src/api/**/*.ts\n---\nNever break the schema.\n",
        ),
        (
            "/repo/.claude/rules/sql.md",
            "---\npaths:\n  - \"*.sql\"\n---\nWrite keywords in capitals.\n",
        ),
        ("/repo/src/api/user.ts", ""),
        ("/repo/db/schema.sql", ""),
        ("/repo/README.md", ""),
    ]);
    let env = Env::with_home(AbsPath::new("/home/mio")?);
    let repo = AbsPath::new("/repo")?;

    for file in ["src/api/user.ts", "db/schema.sql", "README.md"] {
        let read =
            ToolUse::new("Read", serde_json::json!({ "file_path": repo.join(file).as_str() }));
        let query = Query::new(repo.clone()).with_steps(vec![vec![read]]);
        let answer = Claude::default().resolve(World { fs: &fs, env: &env }, &query)?;

        println!("{file}");
        let on_touch = answer.steps.iter().flat_map(|step| &step.loads);
        for layer in answer.chain.layers.iter().chain(on_touch) {
            let is_rule = layer.kind == LayerKind::Rule;
            if let (true, Outcome::Loaded(loaded)) = (is_rule, &layer.outcome) {
                println!("  {}", loaded.text.trim());
            }
        }
    }
    Ok(())
}
