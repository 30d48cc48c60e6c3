//! Memory trees of Codex: what a new thread is given of them.

use std::path::Path;

use adapter_codex::{Codex, MemoryVersion, Profile, Query};
use memory_core::fs::{Fs, OsFs};
use memory_core::{AbsPath, Env, World};
use serde_json::{Map, Value, json};

use crate::case::WorldKind;
use crate::content::path;
use crate::difference::report;
use crate::place::temporary;
use crate::{Jail, Node, Result, Tree};

const CONFIG: &str = r#"model = "gpt-5.2-codex"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:8899/v1"
wire_api = "responses"
env_key = "STUB_KEY"
[features]
memories = true
[memories]
version = "VERSION"
"#;

/// Compares what is injected of the tree in `folder` with what was recorded.
pub(crate) fn run(folder: &Path, golden: &Value, kind: WorldKind) -> Result<Option<String>> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let version = if name.starts_with("v1") { MemoryVersion::V1 } else { MemoryVersion::V2 };
    match kind {
        WorldKind::Memory => {
            let home = path("/tmp/meminmemory")?;
            compare(golden, &home, &tree(folder, &home, version)?.in_memory())
        }
        WorldKind::Disk => {
            let (_folder, home) = temporary("mem")?;
            let all = Jail::new([(AbsPath::root(), AbsPath::root())]);
            tree(folder, &home, version)?.on_disk(&all)?;
            compare(golden, &home, &OsFs)
        }
    }
}

fn tree(folder: &Path, home: &AbsPath, version: MemoryVersion) -> Result<Tree> {
    let folder = std::fs::canonicalize(folder)?;
    let folder = path(folder.to_str().ok_or("the folder of cases has a strange name")?)?;
    let codex = home.join(".codex");
    let mut tree = Tree::read(&folder, &codex.join(version.folder()))?;
    let config = CONFIG.replace("VERSION", version.as_str());
    tree.put(codex.join("config.toml"), Node::File(config.into_bytes()));
    tree.put(home.join("cwd"), Node::Dir);
    Ok(tree)
}

fn compare(golden: &Value, home: &AbsPath, fs: &dyn Fs) -> Result<Option<String>> {
    let codex = home.join(".codex");
    let vars = [
        ("PATH", "/usr/bin:/bin"),
        ("HOME", home.as_str()),
        ("CODEX_HOME", codex.as_str()),
        ("LANG", "C.UTF-8"),
        ("TERM", "dumb"),
        ("STUB_KEY", "dummy"),
        ("TZ", "UTC"),
    ];
    let vars = vars.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let env = Env { home: Some(home.clone()), vars: vars.into() };
    let args = ["exec", "--ephemeral", "--skip-git-repo-check", "hi"];
    let query = Query::new(home.join("cwd")).with_args(args);
    let codex_client = Codex { profile: Profile::default() };
    let resolution = codex_client.resolve(World { fs, env: &env }, &query)?;
    let summary =
        resolution.memory.content.map(|text| text.replace(codex.as_str(), "<CODEX_HOME>"));
    let computed = json!({
        "refusal": resolution.refusal,
        "injected": summary.is_some(),
        "summary_bytes": summary.as_ref().map_or(0, String::len),
        "summary": summary,
    });
    let fields = ["injected", "summary_bytes", "summary"];
    let recorded = fields.map(|name| (name.to_owned(), golden.get(name).cloned().into()));
    let recorded: Map<String, Value> =
        std::iter::once(("refusal".to_owned(), Value::Null)).chain(recorded).collect();
    Ok(report(&recorded, computed.as_object().unwrap_or(&Map::new())))
}
