//! Plans on a real disk: programs that are killed, owners, names.
#![cfg(all(test, unix))]
#![expect(clippy::print_stderr, reason = "says what the system does not let it test")]

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use memory_core::fs::{Fs as _, FsMut as _, IoErrorKind, OsFs};
use memory_core::plan::{Change, Journal, WritePlan, apply, undo};
use memory_core::{AbsPath, Error};
use tests::Result;

/// What the process that is killed works on.
const FOLDER: &str = "MEMPORT_TEST_FOLDER";

/// How often a program is killed.
const KILLS: u64 = 80;

/// The files that always have the same number.
const FILES: [&str; 4] = ["a.md", "b.md", "c.md", "d.md"];

fn path(folder: &Path) -> Result<AbsPath> {
    Ok(AbsPath::new(folder.to_str().ok_or("the folder has a strange name")?)?)
}

fn journal(folder: &Path) -> Result<Journal> {
    Ok(Journal::new(path(folder)?.join("state")))
}

/// The next number in all files, and a file that is there for odd numbers only.
fn next(folder: &Path) -> Result<WritePlan> {
    let root = path(folder)?.join("notes");
    let mut plan = WritePlan::new([root.clone()]);
    let now = OsFs.read_up_to(&root.join("a.md"), 99)?;
    let next: u64 = std::str::from_utf8(&now)?.parse::<u64>()? + 1;
    for name in FILES {
        plan.add(Change::replace(root.join(name), &now, next.to_string()))?;
    }
    plan.add(if next % 2 == 1 {
        Change::create(root.join("deep/odd.md"), "odd")
    } else {
        Change::remove(root.join("deep/odd.md"), b"odd")
    })?;
    Ok(plan)
}

#[test]
fn a_program_that_is_killed_at_any_moment_leaves_all_or_nothing() -> Result<()> {
    // Where the system keeps a folder in memory, much happens before the end.
    let in_memory = Path::new("/dev/shm");
    let base = if in_memory.is_dir() { in_memory.to_owned() } else { env::temp_dir() };
    let folder = tempfile::tempdir_in(base)?;
    let notes = folder.path().join("notes");
    fs::create_dir(&notes)?;
    for name in FILES {
        fs::write(notes.join(name), "0")?;
    }
    let mut ends = 0;
    let mut numbers = BTreeSet::new();
    for kill in 0..KILLS {
        let mut command = Command::new(env::current_exe()?);
        command.args(["--exact", "a_program_that_is_killed"]).env(FOLDER, folder.path());
        let mut program = command.spawn()?;
        // It takes a while until it begins, and then it works for some time, each
        // time another one.
        while !folder.path().join("begun").exists() {
            sleep(Duration::from_millis(1));
        }
        sleep(Duration::from_micros(kill * 709 % 20_011));
        program.kill()?;
        program.wait()?;
        fs::remove_file(folder.path().join("begun"))?;
        ends += journal(folder.path())?.recover(&OsFs)?.len();
        let found: BTreeSet<String> = FILES
            .iter()
            .map(|name| fs::read_to_string(notes.join(name)))
            .collect::<std::io::Result<_>>()?;
        assert_eq!(found.len(), 1, "a mixture: {found:?}");
        let number: u64 = found.into_iter().collect::<String>().parse()?;
        assert_eq!(notes.join("deep/odd.md").exists(), number % 2 == 1, "{number}");
        let left: Vec<_> = fs::read_dir(&notes)?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.starts_with(".memport-"))
            .collect();
        assert_eq!(left, [""; 0]);
        numbers.insert(number);
    }
    assert!(numbers.len() > 5 && ends > 5, "{numbers:?}, {ends} interruptions");
    Ok(())
}

/// What is killed; alone it does nothing.
#[test]
fn a_program_that_is_killed() -> Result<()> {
    let Some(folder) = env::var_os(FOLDER).map(PathBuf::from) else { return Ok(()) };
    fs::write(folder.join("begun"), "")?;
    loop {
        apply(&OsFs, &next(&folder)?, &journal(&folder)?)?;
    }
}

#[test]
fn owner_group_and_permission_bits_of_a_replaced_file_stay_and_come_back() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let notes = folder.path().join("notes");
    fs::create_dir(&notes)?;
    let file = notes.join("a.md");
    fs::write(&file, "old")?;
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640))?;
    if fs::metadata(&file)?.uid() != 0 {
        eprintln!("skipped: only root can give a file away");
        return Ok(());
    }
    chown(&file, Some(1234), Some(5678))?;
    let kept = |file: &Path| -> Result<_> {
        let found = fs::metadata(file)?;
        Ok((found.uid(), found.gid(), found.mode() & 0o7777))
    };
    let root = path(&notes)?;
    let mut plan = WritePlan::new([root.clone()]);
    plan.add(Change::replace(root.join("a.md"), b"old", "new"))?;
    let run = apply(&OsFs, &plan, &journal(folder.path())?)?.run;
    assert_eq!((fs::read_to_string(&file)?.as_str(), kept(&file)?), ("new", (1234, 5678, 0o640)));
    undo(&OsFs, &journal(folder.path())?, run)?;
    assert_eq!((fs::read_to_string(&file)?.as_str(), kept(&file)?), ("old", (1234, 5678, 0o640)));

    // A removed one comes back to its owner too.
    let mut plan = WritePlan::new([root.clone()]);
    plan.add(Change::remove(root.join("a.md"), b"old"))?;
    let run = apply(&OsFs, &plan, &journal(folder.path())?)?.run;
    assert!(!file.exists());
    undo(&OsFs, &journal(folder.path())?, run)?;
    assert_eq!((fs::read_to_string(&file)?.as_str(), kept(&file)?), ("old", (1234, 5678, 0o640)));
    Ok(())
}

#[test]
fn another_name_of_a_replaced_file_keeps_the_old_bytes() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let notes = folder.path().join("notes");
    fs::create_dir(&notes)?;
    fs::write(notes.join("a.md"), "old")?;
    fs::hard_link(notes.join("a.md"), folder.path().join("twin"))?;
    let root = path(&notes)?;
    assert_eq!(OsFs.ownership(&root.join("a.md"))?.names, 2);
    let mut plan = WritePlan::new([root.clone()]);
    plan.add(Change::replace(root.join("a.md"), b"old", "new"))?;
    apply(&OsFs, &plan, &journal(folder.path())?)?;
    assert_eq!(fs::read_to_string(notes.join("a.md"))?, "new");
    assert_eq!(fs::read_to_string(folder.path().join("twin"))?, "old");
    Ok(())
}

/// The system's own operations behave as those in memory do.
#[test]
fn names_are_swapped_in_one_step_and_a_taken_name_stays() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let at = path(folder.path())?;
    OsFs.create_file(&at.join("a"), b"1", None)?;
    OsFs.create_link(&at.join("b"), "a")?;
    match OsFs.exchange(&at.join("a"), &at.join("b")) {
        Err(error) if error.kind == IoErrorKind::Unsupported => {
            eprintln!("skipped: this file system cannot swap names");
            return Ok(());
        }
        swapped => swapped?,
    }
    assert_eq!(OsFs.read_link(&at.join("a"))?, "a");
    assert_eq!(OsFs.read_up_to(&at.join("b"), 9)?, b"1");
    let taken = OsFs.rename_new(&at.join("b"), &at.join("a")).map_err(|error| error.kind);
    assert_eq!(taken, Err(IoErrorKind::AlreadyExists));
    let missing = OsFs.exchange(&at.join("b"), &at.join("no")).map_err(|error| error.kind);
    assert_eq!(missing, Err(IoErrorKind::NotFound));
    OsFs.rename_new(&at.join("b"), &at.join("c"))?;
    assert_eq!(OsFs.read_up_to(&at.join("c"), 9)?, b"1");
    Ok(())
}

#[test]
fn a_folder_that_may_not_be_written_is_named_as_such() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let notes = folder.path().join("notes");
    fs::create_dir(&notes)?;
    if fs::metadata(&notes)?.uid() == 0 {
        eprintln!("skipped: root may write everywhere");
        return Ok(());
    }
    fs::set_permissions(&notes, fs::Permissions::from_mode(0o555))?;
    let root = path(&notes)?;
    let mut plan = WritePlan::new([root.clone()]);
    plan.add(Change::create(root.join("a.md"), "new"))?;
    let refused = apply(&OsFs, &plan, &journal(folder.path())?);
    assert!(
        matches!(
            &refused,
            Err(Error::Write { source, .. }) if source.kind == IoErrorKind::PermissionDenied
        ),
        "{refused:?}"
    );
    Ok(())
}
