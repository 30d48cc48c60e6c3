//! Plans are carried out as a whole or not at all, whatever happens on the way.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use memory_core::fs::{Fs, MemFs};
use memory_core::plan::{
    Change, Journal, Recovered, Reversal, RunId, WritePlan, apply, reversals, undo,
};
use memory_core::{AbsPath, Digest, Error};

#[path = "plan/double.rs"]
mod double;
#[path = "plan/meddled.rs"]
mod meddled;
#[path = "plan/refused.rs"]
mod refused;

use double::StopAfter;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

/// Everything below a folder: what it is, its bytes, its permission bits.
fn tree(fs: &MemFs, root: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut todo = vec![path(root)];
    while let Some(dir) = todo.pop() {
        for entry in fs.read_dir(&dir).unwrap() {
            let at = dir.join(entry.unwrap().name);
            let metadata = fs.symlink_metadata(&at).unwrap();
            let text = if metadata.is_dir() {
                todo.push(at.clone());
                String::new()
            } else if metadata.is_file() {
                String::from_utf8(fs.read_up_to(&at, 99).unwrap()).unwrap()
            } else {
                format!("-> {}", fs.read_link(&at).unwrap())
            };
            found.insert(at.to_string(), format!("{text} {:o}", metadata.mode.unwrap()));
        }
    }
    found
}

fn store() -> MemFs {
    let mut fs = MemFs::from_files([
        ("/m/a.md", "a"),
        ("/m/b.md", "b"),
        ("/m/c.md", "c"),
        ("/m/old/x.md", "x"),
        ("/m/gone.md", "gone"),
        ("/m/tool.sh", "tool"),
        ("/m/other.md", "untouched"),
    ]);
    fs.mode("/m/b.md", 0o600).dir("/state");
    fs.link("/m/turned.md", "a.md").link("/m/loose.md", "nowhere.md");
    fs
}

fn journal() -> Journal {
    Journal::new(path("/state/memport"))
}

/// Each kind of change: new files, changed ones, one in a new folder, one whose
/// permission bits alone change, one removed, one moved, links.
fn all_kinds() -> WritePlan {
    let at = |name: &str| path("/m").join(name);
    let mut plan = WritePlan::new([path("/m")]);
    for change in [
        Change::create(at("new1.md"), "1"),
        Change::create(at("new2.md"), "2"),
        Change::Create { path: at("run.sh"), bytes: b"#!"[..].into(), mode: Some(0o755) },
        Change::create(at("deep/er/new3.md"), "3"),
        Change::Symlink { path: at("link.md"), target: "a.md".to_owned(), expect: None },
        Change::Symlink {
            path: at("turned.md"),
            target: "b.md".to_owned(),
            expect: Some("a.md".to_owned()),
        },
        Change::RemoveSymlink { path: at("loose.md"), expect: "nowhere.md".to_owned() },
        Change::Replace {
            path: at("tool.sh"),
            expect: Digest::of(b"tool"),
            bytes: b"tool"[..].into(),
            mode: Some(0o700),
        },
        Change::replace(at("a.md"), b"a", "A"),
        Change::replace(at("b.md"), b"b", "B"),
        Change::replace(at("c.md"), b"c", ""),
        Change::remove(at("gone.md"), b"gone"),
        Change::Move { from: at("old"), to: at("moved") },
    ] {
        plan.add(change).unwrap();
    }
    plan
}

/// A plan that has nothing to do with the others.
fn another() -> WritePlan {
    let mut plan = WritePlan::new([path("/n")]);
    plan.add(Change::create(path("/n/x.md"), "x")).unwrap();
    plan
}

#[test]
fn a_plan_is_carried_out_and_undone_byte_for_byte() {
    let fs = store();
    let before = tree(&fs, "/m");
    let run = apply(&fs, &all_kinds(), &journal()).unwrap().run;
    let after = tree(&fs, "/m");
    assert_eq!(after["/m/b.md"], "B 600");
    assert_eq!(after["/m/run.sh"], "#! 755");
    assert_eq!(after["/m/deep/er/new3.md"], "3 644");
    assert_eq!(after["/m/moved/x.md"], "x 644");
    assert_eq!(after["/m/tool.sh"], "tool 700");
    assert!(after["/m/turned.md"].starts_with("-> b.md"));
    assert!(!after.contains_key("/m/loose.md"));
    assert_eq!(after.len(), 15);
    undo(&fs, &journal(), run).unwrap();
    assert_eq!(tree(&fs, "/m"), before);
    assert!(matches!(undo(&fs, &journal(), run), Err(Error::NoSuchRun { .. })));
}

#[test]
fn what_an_undo_would_do_is_told_before_and_touches_nothing() {
    let fs = store();
    let run = apply(&fs, &all_kinds(), &journal()).unwrap().run;
    let after = tree(&fs, "/m");
    let told = reversals(&fs, &journal(), run).unwrap();
    assert_eq!(told.len(), 13);
    let turned = Reversal::Relink { path: path("/m/turned.md"), target: "a.md".to_owned() };
    assert_eq!(told[0], turned);
    assert!(told.contains(&Reversal::MoveBack { from: path("/m/moved"), to: path("/m/old") }));
    let restored = |name: &str, bytes: &[u8], mode| Reversal::Restore {
        path: path(name),
        bytes: bytes.into(),
        mode,
    };
    assert!(told.contains(&restored("/m/gone.md", b"gone", Some(0o644))));
    assert!(told.contains(&restored("/m/tool.sh", b"tool", Some(0o644))));
    assert!(told.contains(&restored("/m/b.md", b"b", None)));
    assert_eq!(tree(&fs, "/m"), after);
    undo(&fs, &journal(), run).unwrap();
    assert!(matches!(reversals(&fs, &journal(), run), Err(Error::NoSuchRun { .. })));
}

#[test]
fn an_interrupted_run_can_be_settled_without_a_new_one() {
    let fs = store();
    let before = tree(&fs, "/m");
    assert_eq!(journal().recover(&fs).unwrap(), []);
    assert!(fs.metadata(&path("/state/memport")).is_err());
    // Stopped for good in the middle of the work, so that nothing could be taken back.
    let stops = 0..;
    let mut stops = stops.map(|stop| apply(&StopAfter::new(&fs, stop), &all_kinds(), &journal()));
    assert!(stops.any(|_| journal().unfinished(&fs).unwrap().is_some()));
    let recovered = journal().recover(&fs).unwrap();
    assert!(matches!(recovered[..], [Recovered::RolledBack { .. }]), "{recovered:?}");
    assert_eq!((journal().unfinished(&fs).unwrap(), tree(&fs, "/m")), (None, before));
}

#[test]
fn stopped_at_any_operation_the_next_run_finds_all_or_nothing() {
    let planned = {
        let fs = store();
        apply(&fs, &all_kinds(), &journal()).unwrap();
        tree(&fs, "/m")
    };
    for is_plain in [false, true] {
        let (mut as_before, mut completed) = (0, 0);
        for stop in 0.. {
            let fs = store();
            let before = tree(&fs, "/m");
            let stopping = StopAfter::new(&fs, stop).plain(is_plain);
            let done = apply(&stopping, &all_kinds(), &journal()).is_ok();
            // The next writing call, whatever it writes, brings order first.
            let next = StopAfter::new(&fs, usize::MAX).plain(is_plain);
            let recovered = apply(&next, &another(), &journal()).unwrap().recovered;
            assert_eq!(journal().unfinished(&fs).unwrap(), None);
            let now = tree(&fs, "/m");
            let as_planned = now == planned;
            assert!(as_planned || now == before, "stopped after {stop}: {now:?}");
            assert!(as_planned || !done);
            match recovered[..] {
                [Recovered::Completed { run: RunId(1) }] => {
                    assert!(as_planned, "stopped after {stop}");
                    completed += 1;
                }
                [Recovered::RolledBack { run: RunId(1) }] => assert!(!as_planned),
                _ => assert_eq!(recovered, []),
            }
            as_before += usize::from(!as_planned);
            if !stopping.stopped.get() {
                break;
            }
        }
        assert!(as_before > 20 && completed > 5, "{as_before} {completed}");
    }
}

/// The bringing back is stopped as well, again and again.
#[test]
fn a_recovery_stopped_at_any_operation_is_ended_by_the_next_one() {
    let planned = {
        let fs = store();
        apply(&fs, &all_kinds(), &journal()).unwrap();
        tree(&fs, "/m")
    };
    for is_plain in [false, true] {
        for stop in (20..).step_by(7) {
            let fs = store();
            let before = tree(&fs, "/m");
            let stopping = StopAfter::new(&fs, stop).plain(is_plain);
            drop(apply(&stopping, &all_kinds(), &journal()));
            for again in (0..).step_by(3) {
                let next = StopAfter::new(&fs, again).plain(is_plain);
                drop(journal().recover(&next));
                if !next.stopped.get() {
                    break;
                }
            }
            assert_eq!(journal().unfinished(&fs).unwrap(), None);
            let now = tree(&fs, "/m");
            assert!(now == planned || now == before, "stopped after {stop}: {now:?}");
            if !stopping.stopped.get() {
                break;
            }
        }
    }
}

#[test]
fn an_undo_stopped_at_any_operation_is_finished_by_the_next_run() {
    for is_plain in [false, true] {
        let (mut finished, mut by_itself) = (0, 0);
        for stop in 0.. {
            let fs = store();
            let before = tree(&fs, "/m");
            let run = apply(&fs, &all_kinds(), &journal()).unwrap().run;
            let after = tree(&fs, "/m");
            let stopping = StopAfter::new(&fs, stop).plain(is_plain);
            let done = undo(&stopping, &journal(), run).is_ok();
            let next = StopAfter::new(&fs, usize::MAX).plain(is_plain);
            // What an interrupted undo would do is still told as a whole.
            if journal().last(&fs).unwrap() == Some(run) {
                assert_eq!(reversals(&fs, &journal(), run).unwrap().len(), 13);
            }
            if stop % 2 == 0 {
                let recovered = apply(&next, &another(), &journal()).unwrap().recovered;
                finished += recovered
                    .iter()
                    .filter(|end| matches!(end, Recovered::UndoCompleted { run: RunId(1) }))
                    .count();
            } else {
                // Asked for again, it succeeds, unless it was done already.
                let again = undo(&next, &journal(), run);
                assert!(again.is_ok() || done, "stopped after {stop}: {again:?}");
                by_itself += usize::from(again.is_ok_and(|ends| !ends.is_empty()));
                assert_eq!(tree(&fs, "/m"), before, "stopped after {stop}");
            }
            let now = tree(&fs, "/m");
            assert!(now == before || (now == after && !done), "stopped after {stop}: {now:?}");
            if !stopping.stopped.get() {
                break;
            }
        }
        assert!(finished > 10 && by_itself > 10, "{finished} {by_itself}");
    }
}

/// Runs that ended long ago are deleted at a new one; whatever interrupts
/// that, no part of them is ever brought back or left.
#[test]
fn pruning_stopped_at_any_operation_is_finished_by_the_next_run() {
    let mut before = store();
    for run in 1..=202 {
        let dir = format!("/state/memport/runs/{run}");
        let step = r#"{"path":"/m/a.md","from":null,"staged":null,"before":"absent","after":"something","backup":null}"#;
        before.file(
            format!("{dir}/record.json"),
            format!(r#"{{"digest":"","made_dirs":[],"steps":[{step}]}}"#),
        );
        before.file(format!("{dir}/done"), "");
    }
    before.dir("/n");
    let whole = before.clone();
    apply(&whole, &another(), &journal()).unwrap();
    for stop in 0.. {
        let fs = before.clone();
        let stopping = StopAfter::new(&fs, stop);
        let ended = apply(&stopping, &another(), &journal()).is_ok();
        journal().recover(&fs).unwrap();
        let mut next = WritePlan::new([path("/n")]);
        next.add(Change::create(path("/n/y.md"), "y")).unwrap();
        apply(&fs, &next, &journal()).unwrap();
        assert_eq!(tree(&fs, "/m"), tree(&before, "/m"), "stopped after {stop}");
        let runs = tree(&fs, "/state/memport/runs");
        assert!(!runs.keys().any(|path| path.contains(".gone")), "stopped after {stop}");
        let records = runs.keys().filter(|path| path.ends_with("/record.json")).count();
        assert!((200..=202).contains(&records), "stopped after {stop}: {records}");
        if ended {
            break;
        }
    }
}

#[test]
fn folders_above_a_root_that_was_not_there_go_with_an_undo() {
    let fs = store();
    let before = tree(&fs, "/");
    let root = path("/new/projects/one/memory");
    let mut plan = WritePlan::new([root.clone()]);
    plan.add(Change::create(root.join("a.md"), "a")).unwrap();
    let run = apply(&fs, &plan, &journal()).unwrap().run;
    assert_ne!(tree(&fs, "/new"), BTreeMap::new());
    undo(&fs, &journal(), run).unwrap();
    assert!(fs.metadata(&path("/new")).is_err());
    let mut after = tree(&fs, "/");
    after.retain(|name, _| before.contains_key(name));
    assert_eq!(after, before);
}

#[test]
fn an_interrupted_run_takes_back_the_folders_above_a_root_too() {
    let root = path("/new/projects/one/memory");
    let mut plan = WritePlan::new([root.clone()]);
    plan.add(Change::create(root.join("a.md"), "a")).unwrap();
    let mut rolled_back = 0;
    for stop in 0.. {
        let fs = store();
        let stopping = StopAfter::new(&fs, stop);
        let done = apply(&stopping, &plan, &journal()).is_ok();
        let recovered = journal().recover(&fs).unwrap();
        let is_damaged = recovered.iter().any(|end| matches!(end, Recovered::Damaged { .. }));
        assert!(!is_damaged, "stopped after {stop}: {recovered:?}");
        let is_there = fs.metadata(&path("/new")).is_ok();
        assert_eq!(is_there, fs.metadata(&root.join("a.md")).is_ok(), "stopped after {stop}");
        assert!(is_there || !done);
        rolled_back +=
            usize::from(recovered.iter().any(|end| matches!(end, Recovered::RolledBack { .. })));
        if !stopping.stopped.get() {
            break;
        }
    }
    assert!(rolled_back > 3, "{rolled_back}");
}

#[test]
fn a_stale_plan_and_a_changed_file_are_refused_and_nothing_is_touched() {
    let mut fs = store();
    fs.file("/m/a.md", "somebody's own");
    let before = tree(&fs, "/m");
    assert!(matches!(apply(&fs, &all_kinds(), &journal()), Err(Error::Stale { .. })));
    assert_eq!(tree(&fs, "/m"), before);

    let mut fs = store();
    let run = apply(&fs, &all_kinds(), &journal()).unwrap().run;
    fs.file("/m/new1.md", "edited");
    let before = tree(&fs, "/m");
    assert!(matches!(undo(&fs, &journal(), run), Err(Error::ChangedSince { .. })));
    assert_eq!(tree(&fs, "/m"), before);
}

#[test]
fn links_are_not_written_through_and_roots_are_not_left() {
    let mut fs = store();
    fs.dir("/elsewhere").link("/m/out", "/elsewhere").link("/m/l.md", "a.md");
    for change in
        [Change::create(path("/m/out/x.md"), "x"), Change::replace(path("/m/l.md"), b"a", "x")]
    {
        let mut plan = WritePlan::new([path("/m")]);
        plan.add(change).unwrap();
        assert!(matches!(apply(&fs, &plan, &journal()), Err(Error::ThroughLink { .. })));
    }
    let mut plan = WritePlan::new([path("/m")]);
    let outside = plan.add(Change::create(path("/m/../etc/x"), ""));
    assert!(matches!(outside, Err(Error::OutsideRoot { .. })));
    plan.add(Change::create(path("/m/x"), "1")).unwrap();
    let twice = plan.add(Change::create(path("/m/./x"), "2"));
    assert!(matches!(twice, Err(Error::ChangedTwice { .. })));
}

#[test]
fn a_damaged_or_forged_journal_changes_nothing() {
    let mut fs = store();
    let run = apply(&fs, &all_kinds(), &journal()).unwrap().run;
    let after = tree(&fs, "/m");
    fs.file("/state/memport/runs/1/before-0", "garbage");
    assert!(matches!(undo(&fs, &journal(), run), Err(Error::Journal { .. })));
    assert_eq!(tree(&fs, "/m"), after);

    let mut fs = store();
    apply(&fs, &all_kinds(), &journal()).unwrap();
    let record = path("/state/memport/runs/1/record.json");
    let text = String::from_utf8(fs.read_up_to(&record, 99_999).unwrap()).unwrap();
    let forged = text.replace("/m/new1.md", "/m2/new1.md");
    fs.file(record.as_str(), forged).file("/m2/new1.md", "1").remove("/state/memport/runs/1/done");
    let before = (tree(&fs, "/m"), tree(&fs, "/m2"));
    assert!(journal().damage(&fs, RunId(1)).unwrap().contains("/m2/new1.md"));
    let recovered = apply(&fs, &another(), &journal()).unwrap().recovered;
    assert!(matches!(recovered[..], [Recovered::Damaged { run: RunId(1), .. }]), "{recovered:?}");
    assert_eq!((tree(&fs, "/m"), tree(&fs, "/m2")), before);
}

#[test]
fn a_file_with_the_name_of_a_temporary_one_stays() {
    let mut fs = store();
    fs.file("/m/.a.md.memport-1", "mine");
    apply(&fs, &all_kinds(), &journal()).unwrap();
    assert!(fs.metadata(&path("/m/.a.md.memport-1")).is_ok());
}

#[test]
fn the_digest_tells_plans_apart() {
    let digest = |text: &str| {
        let mut plan = WritePlan::new([path("/m")]);
        plan.add(Change::create(path("/m/x"), text)).unwrap();
        plan.digest()
    };
    assert_eq!(digest("1"), digest("1"));
    assert_ne!(digest("1"), digest("2"));
}

#[test]
fn a_link_with_another_target_makes_the_plan_stale() {
    let mut fs = store();
    fs.link("/m/turned.md", "c.md").link("/m/loose.md", "c.md");
    let before = tree(&fs, "/m");
    let (expect, target) = ("a.md".to_owned(), "b.md".to_owned());
    for change in [
        Change::Symlink { path: path("/m/turned.md"), target, expect: Some(expect) },
        Change::RemoveSymlink { path: path("/m/loose.md"), expect: "nowhere.md".to_owned() },
        Change::RemoveSymlink { path: path("/m/a.md"), expect: "nowhere.md".to_owned() },
    ] {
        let mut plan = WritePlan::new([path("/m")]);
        plan.add(change).unwrap();
        assert!(matches!(apply(&fs, &plan, &journal()), Err(Error::Stale { .. })));
    }
    assert_eq!(tree(&fs, "/m"), before);
}

#[test]
fn permission_bits_and_expected_targets_are_part_of_the_digest() {
    let digest = |change: Change| {
        let mut plan = WritePlan::new([path("/m")]);
        plan.add(change).unwrap();
        plan.digest()
    };
    let replace = |mode| Change::Replace {
        path: path("/m/x"),
        expect: Digest::of(b"1"),
        bytes: b"2"[..].into(),
        mode,
    };
    let link = |expect: Option<&str>| Change::Symlink {
        path: path("/m/x"),
        target: "y".to_owned(),
        expect: expect.map(str::to_owned),
    };
    let unlink =
        |expect: &str| Change::RemoveSymlink { path: path("/m/x"), expect: expect.to_owned() };
    let changes = [
        replace(None),
        replace(Some(0)),
        replace(Some(0o600)),
        link(None),
        link(Some("")),
        link(Some("z")),
        unlink("y"),
        unlink("z"),
    ];
    let count = changes.len();
    let digests: BTreeSet<_> = changes.into_iter().map(digest).collect();
    assert_eq!(digests.len(), count);
}

/// Each path is looked for among the others once: were all of them compared,
/// this would take many minutes.
#[test]
fn a_plan_of_very_many_changes_is_made_at_once() {
    let mut plan = WritePlan::new([path("/m")]);
    for number in 0..100_000 {
        plan.add(Change::create(path(&format!("/m/{number:06}")), "")).unwrap();
    }
    assert_eq!(plan.changes().len(), 100_000);
    let twice = plan.add(Change::create(path("/m/000007"), ""));
    assert!(matches!(twice, Err(Error::ChangedTwice { .. })));
}
