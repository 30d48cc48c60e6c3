//! Two programs add memories to one folder while a third rewrites its index:
//! none is lost.
#![cfg(test)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};

use adapter_claude::{Claude, IndexFile, NewMemory};
use memory_core::{AbsPath, Env, Error, Journal, OsFs, World, apply_until_done};
use tests::Result;

/// How many memories each program adds.
const EACH: usize = 500;

/// How often a plan is made again before a program gives up.
const ATTEMPTS: u32 = 100;

/// How long the client takes between reading the index and writing it; a real
/// one takes seconds.
const THINKING: Duration = Duration::from_millis(20);

/// What a process of this test does, and in which folder.
const ROLE: &str = "MEMPORT_TEST_ROLE";
const FOLDER: &str = "MEMPORT_TEST_FOLDER";

#[test]
fn none_is_lost_when_two_programs_add_and_a_third_rewrites_the_index() -> Result<()> {
    // Where the system keeps a folder in memory, nothing waits for a disk, unless
    // somebody names another one.
    let in_memory = Path::new("/dev/shm");
    let is_named = env::var_os("TMPDIR").is_some() || !in_memory.is_dir();
    let base = if is_named { env::temp_dir() } else { in_memory.to_owned() };
    let folder = tempfile::tempdir_in(base)?;
    let memory = folder.path().join("memory");
    fs::create_dir(&memory)?;
    fs::write(memory.join("MEMORY.md"), "# Index\n\n- [client](client.md) — 0\n\nThe end.\n")?;

    let mut client = spawn("client", folder.path())?;
    let adding = [spawn("a", folder.path())?, spawn("b", folder.path())?];
    for mut program in adding {
        assert!(program.wait()?.success());
    }
    fs::write(folder.path().join("stop"), "")?;
    assert!(client.wait()?.success());
    let rewritten: u64 = fs::read_to_string(folder.path().join("rewritten"))?.parse()?;
    assert!(rewritten > 20, "the client rewrote the index only {rewritten} times");

    // No topic is ever lost; a line that the client wrote over comes back when
    // its memory is added again.
    let names: BTreeSet<String> =
        ["a", "b"].iter().flat_map(|who| (0..EACH).map(move |at| name(who, at))).collect();
    assert_eq!(topics(&memory)?, names);
    let listed_now = listed(&memory)?;
    for who in ["a", "b"] {
        // The first few are added again although nothing is missing.
        let again = (0..EACH).filter(|at| *at < 20 || !listed_now.contains(&name(who, *at)));
        add_all(who, folder.path(), again)?;
    }
    assert_eq!(listed(&memory)?.intersection(&names).count(), names.len());

    let index = fs::read_to_string(memory.join("MEMORY.md"))?;
    assert!(
        index.starts_with("# Index\n\n- [client](client.md) — ")
            && index.ends_with("\n\nThe end.\n")
    );
    for name in &names {
        assert_eq!(index.matches(&format!("({name}.md)")).count(), 1, "{name}");
    }
    let left: Vec<_> = fs::read_dir(&memory)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    assert_eq!(left.len(), names.len() + 1, "something else is left: {left:?}");
    Ok(())
}

/// What each started process runs; alone it does nothing.
#[test]
fn a_program_of_this_test() -> Result<()> {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER).map(PathBuf::from)) else {
        return Ok(());
    };
    if role == "client" { rewrite_until_stopped(&folder) } else { add_all(&role, &folder, 0..EACH) }
}

fn spawn(role: &str, folder: &Path) -> Result<Child> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["--exact", "a_program_of_this_test"]).env(ROLE, role).env(FOLDER, folder);
    Ok(command.spawn()?)
}

fn name(who: &str, at: usize) -> String {
    format!("program-{who}-{at}")
}

/// Adds memories of one program, each until it is there with its line.
fn add_all(who: &str, folder: &Path, which: impl Iterator<Item = usize>) -> Result<()> {
    let base = AbsPath::new(folder.to_str().ok_or("the folder has a strange name")?)?;
    let (root, journal) = (base.join("memory"), Journal::new(base.join("state")));
    let env = Env::default();
    let world = World { fs: &OsFs, env: &env };
    let claude = Claude::default();
    for at in which {
        let mut memory = NewMemory::new(format!("Fact {at} of {who}"), UNIX_EPOCH);
        memory.name = Some(name(who, at));
        apply_until_done(&OsFs, &journal, ATTEMPTS, || {
            Ok::<_, Error>(claude.plan_add(world, &root, &memory)?.plan)
        })?;
    }
    Ok(())
}

/// Rewrites the index as the client's Edit tool does: reads it, thinks, makes sure
/// that nobody changed it since, writes a file beside it and renames that.
fn rewrite_until_stopped(folder: &Path) -> Result<()> {
    let index = folder.join("memory/MEMORY.md");
    let staged = folder.join("memory/MEMORY.md.tmp.4711.0123456789ab");
    let mut count = 0_u64;
    while !folder.join("stop").exists() {
        let before = fs::read_to_string(&index)?;
        sleep(THINKING);
        let (head, rest) = before.split_once(" — ").ok_or("the client's line is gone")?;
        let (_, tail) = rest.split_once('\n').ok_or("the client's line has no end")?;
        let after = format!("{head} — {count}\n{tail}");
        if fs::read_to_string(&index)? == before {
            fs::write(&staged, after)?;
            fs::rename(&staged, &index)?;
            count += 1;
        }
    }
    Ok(fs::write(folder.join("rewritten"), count.to_string())?)
}

/// The names of all topics.
fn topics(memory: &Path) -> Result<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(memory)? {
        let name = entry?.file_name().into_string().map_err(|_| "a strange name")?;
        names.extend(name.strip_suffix(".md").filter(|stem| *stem != "MEMORY").map(str::to_owned));
    }
    Ok(names)
}

/// The names that the index lists.
fn listed(memory: &Path) -> Result<BTreeSet<String>> {
    let bytes = fs::read(memory.join("MEMORY.md"))?;
    let index = IndexFile::parse(AbsPath::root(), bytes);
    let files = index.entries().flat_map(|(_, entry)| entry.files.clone());
    Ok(files.filter_map(|file| file.strip_suffix(".md").map(str::to_owned)).collect())
}
