//! What is not written, and what is said instead.

use memory_core::fs::{Fs, MemFs, Owner};
use memory_core::plan::{Change, Recovered, RunId, WritePlan, apply, undo};
use memory_core::{AbsPath, Digest, Error};

use super::double::StopAfter;
use super::{all_kinds, another, journal, path, store, tree};

fn alone(root: &str, change: Change) -> WritePlan {
    let mut plan = WritePlan::new([path(root)]);
    plan.add(change).unwrap();
    plan
}

fn moved() -> WritePlan {
    alone("/m", Change::Move { from: path("/m/old"), to: path("/m/moved") })
}

#[test]
fn an_undo_of_a_move_names_the_first_file_that_changed_inside() {
    let changed = |edit: &dyn Fn(&mut MemFs)| {
        let mut fs = store();
        fs.file("/m/old/deep/y.md", "y").link("/m/old/z", "x.md");
        let run = apply(&fs, &moved(), &journal()).unwrap().run;
        edit(&mut fs);
        let before = tree(&fs, "/m");
        let answer = undo(&fs, &journal(), run);
        if answer.is_err() {
            assert_eq!(tree(&fs, "/m"), before);
        }
        match answer {
            Ok(_) => None,
            Err(Error::ChangedSince { path, .. }) => Some(path.to_string()),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(changed(&|_| {}), None);
    let told = |edit: &dyn Fn(&mut MemFs)| changed(edit).unwrap();
    assert_eq!(told(&|fs| _ = fs.file("/m/moved/x.md", "X")), "/m/moved/x.md");
    assert_eq!(told(&|fs| _ = fs.file("/m/moved/deep/n.md", "")), "/m/moved/deep/n.md");
    assert_eq!(told(&|fs| _ = fs.remove("/m/moved/deep/y.md")), "/m/moved/deep");
    assert_eq!(told(&|fs| _ = fs.link("/m/moved/z", "y.md")), "/m/moved/z");
    assert_eq!(told(&|fs| _ = fs.file("/m/old", "taken")), "/m/old");
}

#[test]
fn a_file_that_is_read_only_is_neither_replaced_nor_removed() {
    let mut fs = store();
    fs.mode("/m/a.md", 0o444);
    let before = tree(&fs, "/m");
    for change in
        [Change::replace(path("/m/a.md"), b"a", "A"), Change::remove(path("/m/a.md"), b"a")]
    {
        let refused = apply(&fs, &alone("/m", change), &journal());
        assert_eq!(refused, Err(Error::ReadOnly { path: path("/m/a.md") }));
    }
    assert_eq!(tree(&fs, "/m"), before);
    // That it may be written again can be planned.
    let change = Change::Replace {
        path: path("/m/a.md"),
        expect: Digest::of(b"a"),
        bytes: b"a"[..].into(),
        mode: Some(0o644),
    };
    let run = apply(&fs, &alone("/m", change), &journal()).unwrap().run;
    assert_eq!(tree(&fs, "/m")["/m/a.md"], "a 644");
    undo(&fs, &journal(), run).unwrap();
    assert_eq!(tree(&fs, "/m"), before);
}

#[test]
fn a_file_of_somebody_else_is_not_made_ones_own() {
    let mut fs = store();
    fs.owner("/m/a.md", Owner { user: 7, group: 1000 });
    let before = tree(&fs, "/m");
    let refused = apply(&fs, &all_kinds(), &journal());
    assert_eq!(refused, Err(Error::ForeignOwner { path: path("/m/a.md") }));
    assert_eq!(tree(&fs, "/m"), before);
    assert_eq!(journal().unfinished(&fs).unwrap(), None);
}

#[test]
fn nothing_is_written_through_a_root_that_is_a_link() {
    let mut fs = MemFs::from_files([("/elsewhere/a.md", "a")]);
    fs.link("/n", "/elsewhere").dir("/state");
    let plan = alone("/n", Change::replace(path("/n/a.md"), b"a", "A"));
    let refused = apply(&fs, &plan, &journal());
    assert_eq!(refused, Err(Error::ThroughLink { path: path("/n/a.md"), link: path("/n") }));
    assert_eq!(fs.read_up_to(&path("/elsewhere/a.md"), 9).unwrap(), b"a");
}

/// The root itself, or a folder above it, is a link to a copy by the time of the
/// recovery or the undo.
#[test]
fn nothing_is_brought_back_through_a_root_that_became_a_link() {
    for (from, to) in [("/top/m", "/copy/m"), ("/top", "/copy")] {
        let plan = || {
            let mut plan = alone("/top/m", Change::create(path("/top/m/new.md"), "n"));
            plan.add(Change::replace(path("/top/m/a.md"), b"a", "A")).unwrap();
            plan
        };
        let become_link = |fs: &mut MemFs| {
            let files = [("/copy/m/a.md", "A"), ("/copy/m/new.md", "n")];
            for (path, text) in files {
                fs.file(path, text);
            }
            fs.remove(from).link(from, to);
            tree(fs, "/copy")
        };
        let mut interrupted = 0;
        for stop in 0.. {
            let mut fs = MemFs::from_files([("/top/m/a.md", "a")]);
            fs.dir("/state");
            let stopping = StopAfter::new(&fs, stop);
            let applied = apply(&stopping, &plan(), &journal());
            let is_over = !stopping.stopped.get();
            drop(stopping);
            let is_interrupted = journal().unfinished(&fs).unwrap().is_some();
            let copy = become_link(&mut fs);
            let ends = journal().recover(&fs).unwrap();
            if is_interrupted {
                interrupted += 1;
                assert!(matches!(ends[..], [Recovered::Conflicted { .. }]), "{stop}: {ends:?}");
            }
            if is_over {
                let refused = undo(&fs, &journal(), applied.unwrap().run);
                assert!(matches!(refused, Err(Error::ThroughLink { .. })), "{refused:?}");
            }
            assert_eq!(tree(&fs, "/copy"), copy, "stopped after {stop}");
            if is_over {
                break;
            }
        }
        assert!(interrupted > 5, "{interrupted}");
    }
}

#[test]
fn a_damaged_record_is_set_aside_and_stops_nobody() {
    let mut fs = store();
    for (run, record) in [(4, "{"), (5, "\u{0}"), (6, "")] {
        fs.file(format!("/state/memport/runs/{run}/record.json"), record);
        fs.file(format!("/state/memport/runs/{run}/before-0"), "kept");
    }
    fs.file("/state/memport/runs/5.damaged/record.json", "an earlier one");
    let before = tree(&fs, "/state/memport/runs");
    assert!(journal().damage(&fs, RunId(4)).is_some());
    assert_eq!(tree(&fs, "/state/memport/runs"), before);
    let applied = apply(&fs, &another(), &journal()).unwrap();
    let kept: Vec<AbsPath> = applied
        .recovered
        .into_iter()
        .map(|end| match end {
            Recovered::Damaged { kept, .. } => kept,
            other => panic!("{other:?}"),
        })
        .collect();
    let runs = path("/state/memport/runs");
    assert_eq!(kept, ["6.damaged", "5.damaged-2", "4.damaged"].map(|name| runs.join(name)));
    for dir in kept {
        assert_eq!(fs.read_up_to(&dir.join("before-0"), 9).unwrap(), b"kept");
    }
    // No number is given twice.
    assert_eq!(applied.run, RunId(7));
    undo(&fs, &journal(), applied.run).unwrap();
}

/// A journal that was deleted may have left a name in the way.
#[test]
fn a_temporary_name_that_was_left_is_in_nobodys_way() {
    let left = |fs: &MemFs| {
        let found = tree(fs, "/m");
        found.keys().filter(|path| path.contains(".memport-")).count()
    };
    let stopped = (0..200).map(|stop| {
        let fs = store();
        drop(apply(&StopAfter::new(&fs, stop), &all_kinds(), &journal()));
        fs
    });
    let mut fs = stopped.into_iter().find(|fs| left(fs) > 3).unwrap();
    fs.remove("/state/memport");
    let many = left(&fs);
    apply(&fs, &all_kinds(), &journal()).unwrap();
    assert_eq!(left(&fs), many);
}

/// A run that was stopped after everything was in place of something else.
fn half_done() -> MemFs {
    let stopped = (0..).map(|stop| {
        let fs = store();
        drop(apply(&StopAfter::new(&fs, stop), &all_kinds(), &journal()));
        fs
    });
    let mut stopped = stopped.take(200);
    stopped.find(|fs| fs.read_up_to(&path("/m/a.md"), 9).is_ok_and(|now| now == b"A")).unwrap()
}

#[test]
fn kept_bytes_that_are_gone_are_told_and_stop_nobody() {
    let mut fs = half_done();
    fs.remove("/state/memport/runs/1/before-0");
    let applied = apply(&fs, &another(), &journal()).unwrap();
    assert!(matches!(applied.recovered[..], [Recovered::Conflicted { .. }]), "{applied:?}");
    assert_eq!(journal().recover(&fs).unwrap(), []);
}

#[test]
fn a_run_in_a_folder_that_cannot_be_entered_waits_and_stops_nobody() {
    let mut fs = half_done();
    fs.mode("/m", 0);
    for name in ["x", "y"] {
        let plan = alone("/n", Change::create(path("/n").join(name), ""));
        let applied = apply(&fs, &plan, &journal()).unwrap();
        let told = &applied.recovered[..];
        assert!(matches!(told, [Recovered::Postponed { run: RunId(1), .. }]), "{told:?}");
    }
    fs.mode("/m", 0o755);
    let ends = journal().recover(&fs).unwrap();
    assert_eq!(ends, [Recovered::RolledBack { run: RunId(1) }]);
    assert_eq!(tree(&fs, "/m"), tree(&store(), "/m"));
}
