//! Trees made to stop, starve or confuse a resolver, for every client.
#![cfg(test)]

#[path = "hostile/content.rs"]
mod content;
#[path = "hostile/cost.rs"]
mod cost;
#[path = "hostile/disk.rs"]
mod disk;
#[path = "hostile/random.rs"]
mod random;
#[path = "hostile/scale.rs"]
mod scale;

use std::fs;
use std::time::Duration;

use adapter_claude::{Claude, ToolUse};
use adapter_codex::Codex;
use memory_core::fs::{Fs, MemFs};
use memory_core::{AbsPath, Env, World};
use serde_json::json;

/// How long an answer may compute in a build without optimisation.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long this thread has been computing: unlike the time on the clock, it does
/// not depend on what else the machine does.
fn computed() -> Duration {
    let status = fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    let nanoseconds = status.split_whitespace().next().unwrap();
    Duration::from_nanos(nanoseconds.parse().unwrap())
}

/// Fails when an answer takes too long.
fn in_good_time<T>(what: &str, patience: Duration, answer: impl FnOnce() -> T) -> T {
    let start = computed();
    let answer = answer();
    let took = computed().saturating_sub(start);
    assert!(took < patience, "{what} took {took:?}");
    answer
}

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// What Codex would be given in `cwd`.
fn codex(fs: &dyn Fs, cwd: &AbsPath) -> adapter_codex::Resolution {
    let args = ["debug", "prompt-input", "hi"];
    let query = adapter_codex::Query::new(cwd.clone()).with_args(args);
    Codex::default().resolve(World { fs, env: &env() }, &query).unwrap()
}

/// What Claude Code would be given in `cwd`, and then on reading each of these files.
fn claude(fs: &dyn Fs, cwd: &AbsPath, touched: &[AbsPath]) -> adapter_claude::Resolution {
    let read = |file: &AbsPath| ToolUse::new("Read", json!({ "file_path": file.as_str() }));
    let steps = touched.iter().map(|file| vec![read(file)]).collect();
    let query = adapter_claude::Query::new(cwd.clone()).with_args(["-p", "hi"]).with_steps(steps);
    Claude::default().resolve(World { fs, env: &env() }, &query).unwrap()
}

fn env() -> Env {
    Env::with_home(path("/home/mio"))
}

/// A repository at `/repo` and a home.
fn repository() -> MemFs {
    let mut fs = MemFs::new();
    fs.dir("/home/mio").dir("/repo/.git/objects").dir("/repo/.git/refs");
    fs.file("/repo/.git/HEAD", "ref: refs/heads/main\n");
    fs
}

/// Both clients, in `/repo`, in good time.
fn both_answer(fs: &MemFs) -> (adapter_codex::Resolution, adapter_claude::Resolution) {
    in_good_time("the answer", PATIENCE, || {
        (codex(fs, &path("/repo")), claude(fs, &path("/repo"), &[path("/repo/src/main.rs")]))
    })
}
