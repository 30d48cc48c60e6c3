//! Programs add memories to one folder while a client rewrites its index: nobody
//! loses what another one wrote.
#![cfg(test)]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, UNIX_EPOCH};

use adapter_claude::{Claude, IndexFile, NewMemory};
use memory_core::fs::{Fs as _, OsFs};
use memory_core::plan::{Change, Journal, WritePlan, apply_until_done};
use memory_core::{AbsPath, Env, Error, World};
use tests::Result;

/// How many memories each program adds.
const EACH: usize = 500;

/// How many it adds where nobody rewrites the index.
const EACH_ALONE: usize = 200;

/// How many lines are added beside a hasty client.
const LINES: usize = 50;

/// How often a plan is made again before a program gives up.
const ATTEMPTS: u32 = 100;

/// How long the client rests between two writings of the index, and longer than
/// it takes between reading and writing it.
const THINKING: Duration = Duration::from_millis(100);

/// What a process of this test does, in which folder, with which journal, and
/// how many times or how long.
const ROLE: &str = "MEMPORT_TEST_ROLE";
const FOLDER: &str = "MEMPORT_TEST_FOLDER";
const JOURNAL: &str = "MEMPORT_TEST_JOURNAL";
const AMOUNT: &str = "MEMPORT_TEST_AMOUNT";

/// How the client says which of its writings it knows of.
const SEEN: &str = "Written by the client: 0";

/// A client that takes no time to think, which no real one does, and a program
/// that adds lines as fast as it can.
#[test]
fn nothing_that_a_hasty_client_wrote_is_lost() -> Result<()> {
    let folder = folder()?;
    let index = folder.path().join("memory/MEMORY.md");
    fs::write(&index, format!("{SEEN}\n"))?;
    let mut client = spawn("client", folder.path(), "state", 0)?;
    let lines = spawn("lines", folder.path(), "state", LINES)?.wait()?;
    fs::write(folder.path().join("stop"), "")?;
    assert!(client.wait()?.success() && lines.success());
    let rewritten: u64 = fs::read_to_string(folder.path().join("rewritten"))?.parse()?;
    assert!(rewritten > 100, "the client rewrote the index only {rewritten} times");
    let mut versions = vec![fs::read_to_string(&index)?];
    for kept in fs::read_to_string(folder.path().join("told"))?.lines() {
        for entry in fs::read_dir(kept)? {
            let path = entry?.path();
            if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("aside-")) {
                versions.push(fs::read_to_string(path)?);
            }
        }
    }
    assert!(versions.len() < 20, "{} conflicts", versions.len());
    assert_nothing_lost(&versions, rewritten)
}

/// Adds lines to the index, whatever becomes of them.
fn add_lines(folder: &Path, journal: &str, count: usize) -> Result<()> {
    let base = AbsPath::new(folder.to_str().ok_or("the folder has a strange name")?)?;
    let (root, journal) = (base.join("memory"), Journal::new(base.join(journal)));
    let index = root.join("MEMORY.md");
    let mut told = Vec::new();
    for at in 0..count {
        let mut is_done = false;
        let applied = apply_until_done(&OsFs, &journal, ATTEMPTS, || {
            let mut plan = WritePlan::new([root.clone()]);
            if !is_done {
                let now = OsFs.read_up_to(&index, u64::MAX).unwrap_or_default();
                let new = [&now[..], format!("line {at}\n").as_bytes()].concat();
                plan.add(Change::replace(index.clone(), &now, new))?;
            }
            is_done = OsFs
                .read_up_to(&index, u64::MAX)
                .is_ok_and(|now| String::from_utf8_lossy(&now).contains(&format!("line {at}\n")));
            Ok(plan)
        });
        match applied {
            // Where the client is always faster, nothing is written, and nothing lost.
            Ok(_) | Err(Error::Stale { .. }) => {}
            // It wrote twice in the moment of a swap: the first one is kept, and told.
            Err(Error::Conflict { kept, .. }) => told.push(kept.to_string()),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(fs::write(folder.join("told"), told.join("\n"))?)
}

/// Whether every writing of the client is in one of the versions.
fn assert_nothing_lost(versions: &[String], rewritten: u64) -> Result<()> {
    let mut known: BTreeSet<u64> = BTreeSet::new();
    for version in versions {
        for count in seen(version)?.split(' ') {
            known.insert(count.parse()?);
        }
    }
    let lost: Vec<u64> = (0..=rewritten).filter(|count| !known.contains(count)).collect();
    assert_eq!(lost, [0; 0], "of {rewritten}");
    Ok(())
}

#[test]
fn none_is_lost_when_two_programs_add_and_a_client_rewrites_the_index() -> Result<()> {
    let folder = folder()?;
    let memory = folder.path().join("memory");
    fs::write(
        memory.join("MEMORY.md"),
        format!("# Index\n\n{SEEN}\n\n- [client](client.md)\n\nThe end.\n"),
    )?;

    let thinking = usize::try_from(THINKING.as_millis())?;
    let mut client = spawn("client", folder.path(), "state", thinking)?;
    let adding = ["a", "b"].map(|who| spawn(who, folder.path(), "state", EACH));
    for program in adding {
        assert!(program?.wait()?.success());
    }
    fs::write(folder.path().join("stop"), "")?;
    assert!(client.wait()?.success());
    let rewritten: u64 = fs::read_to_string(folder.path().join("rewritten"))?.parse()?;
    assert!(rewritten > 20, "the client rewrote the index only {rewritten} times");

    // Whatever the client wrote, it finds again.
    assert_nothing_lost(&[fs::read_to_string(memory.join("MEMORY.md"))?], rewritten)?;

    // No topic is ever lost; a line that the client wrote over comes back when
    // its memory is added again.
    let names = names(EACH);
    assert_eq!(topics(&memory)?, names);
    let listed_now = listed(&memory)?;
    for who in ["a", "b"] {
        // The first few are added again although nothing is missing.
        let again = (0..EACH).filter(|at| *at < 20 || !listed_now.contains(&name(who, *at)));
        add_all(who, folder.path(), "state", again)?;
    }
    let index = fs::read_to_string(memory.join("MEMORY.md"))?;
    assert!(index.starts_with(&format!("# Index\n\n{SEEN}")) && index.ends_with("\n\nThe end.\n"));
    assert_each_once(&memory, &names)
}

/// Programs of two people, or of one with another `XDG_STATE_HOME`.
#[test]
fn none_is_lost_when_two_programs_with_journals_of_their_own_add() -> Result<()> {
    let folder = folder()?;
    let memory = folder.path().join("memory");
    fs::write(memory.join("MEMORY.md"), "# Index\n\n- [client](client.md)\n")?;
    let adding = ["a", "b"].map(|who| spawn(who, folder.path(), who, EACH_ALONE));
    for program in adding {
        assert!(program?.wait()?.success());
    }
    let names = names(EACH_ALONE);
    assert_eq!(topics(&memory)?, names);
    assert_each_once(&memory, &names)
}

fn assert_each_once(memory: &Path, names: &BTreeSet<String>) -> Result<()> {
    assert_eq!(listed(memory)?.intersection(names).count(), names.len());
    let index = fs::read_to_string(memory.join("MEMORY.md"))?;
    for name in names {
        assert_eq!(index.matches(&format!("({name}.md)")).count(), 1, "{name}");
    }
    let left: Vec<_> = fs::read_dir(memory)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    assert_eq!(left.len(), names.len() + 1, "something else is left: {left:?}");
    Ok(())
}

/// A folder with a memory in it.
fn folder() -> Result<tempfile::TempDir> {
    // Where the system keeps a folder in memory, nothing waits for a disk, unless
    // somebody names another one.
    let in_memory = Path::new("/dev/shm");
    let is_named = env::var_os("TMPDIR").is_some() || !in_memory.is_dir();
    let base = if is_named { env::temp_dir() } else { in_memory.to_owned() };
    let folder = tempfile::tempdir_in(base)?;
    fs::create_dir(folder.path().join("memory"))?;
    Ok(folder)
}

/// What each started process runs; alone it does nothing.
#[test]
fn a_program_of_this_test() -> Result<()> {
    let (Ok(role), Some(folder)) = (env::var(ROLE), env::var_os(FOLDER).map(PathBuf::from)) else {
        return Ok(());
    };
    let amount: usize = env::var(AMOUNT)?.parse()?;
    if role == "client" {
        return rewrite_until_stopped(&folder, Duration::from_millis(amount.try_into()?));
    }
    let journal = env::var(JOURNAL)?;
    if role == "lines" {
        return add_lines(&folder, &journal, amount);
    }
    add_all(&role, &folder, &journal, 0..amount)
}

fn spawn(role: &str, folder: &Path, journal: &str, amount: usize) -> Result<Child> {
    let mut command = Command::new(env::current_exe()?);
    command.args(["--exact", "a_program_of_this_test"]).env(ROLE, role).env(FOLDER, folder);
    command.env(JOURNAL, journal).env(AMOUNT, amount.to_string());
    Ok(command.spawn()?)
}

fn name(who: &str, at: usize) -> String {
    format!("program-{who}-{at}")
}

fn names(each: usize) -> BTreeSet<String> {
    ["a", "b"].iter().flat_map(|who| (0..each).map(move |at| name(who, at))).collect()
}

/// Adds memories of one program, each until it is there with its line.
fn add_all(
    who: &str,
    folder: &Path,
    journal: &str,
    which: impl Iterator<Item = usize>,
) -> Result<()> {
    let base = AbsPath::new(folder.to_str().ok_or("the folder has a strange name")?)?;
    let (root, journal) = (base.join("memory"), Journal::new(base.join(journal)));
    let env = Env::default();
    let world = World { fs: &OsFs, env: &env };
    let claude = Claude::default();
    for at in which {
        let mut memory = NewMemory::new(format!("Fact {at} of {who}"), UNIX_EPOCH);
        memory.name = Some(name(who, at));
        let applied = apply_until_done(&OsFs, &journal, ATTEMPTS, || {
            Ok::<_, Error>(claude.plan_add(world, &root, &memory)?.plan)
        })?;
        assert!(applied.iter().all(|applied| applied.recovered.is_empty()), "{applied:?}");
    }
    Ok(())
}

/// Rewrites the index as the client's Edit tool does: reads it, thinks, makes sure
/// that nobody changed it since, writes a file beside it and renames that.
fn rewrite_until_stopped(folder: &Path, thinking: Duration) -> Result<()> {
    let index = folder.join("memory/MEMORY.md");
    let staged = folder.join("memory/MEMORY.md.tmp.4711.0123456789ab");
    let mut count = 0_u64;
    for turn in 0_u32.. {
        if folder.join("stop").exists() {
            break;
        }
        // It rests in between, so that the others get their turn, and is quick
        // now and then, so that it gets its own.
        sleep(thinking);
        let before = fs::read_to_string(&index)?;
        sleep(thinking * (turn % 4) / 8);
        let known = seen(&before)?;
        let next = count + 1;
        let after = before.replacen(known, &format!("{known} {next}"), 1);
        if fs::read_to_string(&index)? == before {
            fs::write(&staged, after)?;
            fs::rename(&staged, &index)?;
            count = next;
        }
    }
    Ok(fs::write(folder.join("rewritten"), count.to_string())?)
}

/// The numbers of the client's writings that an index has.
fn seen(index: &str) -> Result<&str> {
    let line = index.lines().find(|line| line.starts_with(SEEN));
    let numbers = line.and_then(|line| line.strip_prefix("Written by the client: "));
    Ok(numbers.ok_or("the client's line is gone")?)
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
