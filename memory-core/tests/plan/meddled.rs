//! Somebody else writes at the same moment: nothing of theirs is ever lost, and
//! no mixture is left without a word.

use std::collections::BTreeMap;

use memory_core::Error;
use memory_core::fs::{Fs, FsMut, MemFs};
use memory_core::plan::{Recovered, apply, undo};

use super::double::StopAfter;
use super::{all_kinds, journal, path, store, tree};

/// Paths of the plan that somebody else may write to.
const EDITED: [&str; 6] =
    ["/m/a.md", "/m/b.md", "/m/gone.md", "/m/new1.md", "/m/tool.sh", "/m/turned.md"];

const THEIRS: &str = "what somebody else wrote";

/// Writes as programs do: a file beside it, renamed.
fn write_theirs(fs: &MemFs, at: &str) {
    fs.create_file(&path("/m/theirs.tmp"), THEIRS.as_bytes(), None).unwrap();
    fs.rename(&path("/m/theirs.tmp"), &path(at)).unwrap();
}

/// Everything but the path that was edited.
fn others(fs: &MemFs, edited: &str) -> BTreeMap<String, String> {
    let mut found = tree(fs, "/m");
    found.remove(edited);
    found
}

fn is_theirs(fs: &MemFs, at: &str) -> bool {
    fs.read_up_to(&path(at), 99).is_ok_and(|bytes| bytes == THEIRS.as_bytes())
}

fn planned() -> MemFs {
    let fs = store();
    apply(&fs, &all_kinds(), &journal()).unwrap();
    fs
}

#[test]
fn what_is_written_at_any_moment_of_a_run_stays_and_the_run_is_whole() {
    let (mut refused, mut carried_out) = (0, 0);
    for edited in EDITED {
        for moment in 0.. {
            let fs = store();
            let meddled =
                StopAfter::new(&fs, usize::MAX).meddled(moment, |fs| write_theirs(fs, edited));
            let applied = apply(&meddled, &all_kinds(), &journal());
            if !meddled.was_meddled() {
                break;
            }
            assert!(is_theirs(&fs, edited), "{edited} before {moment}: {:?}", tree(&fs, "/m"));
            let now = others(&fs, edited);
            match applied {
                Ok(_) => {
                    carried_out += 1;
                    assert_eq!(now, others(&planned(), edited), "{edited} before {moment}");
                }
                Err(Error::Stale { .. } | Error::AlreadyExists { .. }) => {
                    refused += 1;
                    assert_eq!(now, others(&store(), edited), "{edited} before {moment}");
                }
                Err(error) => panic!("{edited} before {moment}: {error}"),
            }
            assert_eq!(journal().unfinished(&fs).unwrap(), None);
        }
    }
    assert!(refused > 100 && carried_out > 50, "{refused} {carried_out}");
}

#[test]
fn what_is_written_at_any_moment_of_an_undo_stays_and_the_undo_is_whole() {
    let (mut refused, mut undone) = (0, 0);
    for edited in EDITED {
        for moment in 0.. {
            let fs = planned();
            let after = others(&fs, edited);
            let run = journal().last(&fs).unwrap().unwrap();
            let meddled =
                StopAfter::new(&fs, usize::MAX).meddled(moment, |fs| write_theirs(fs, edited));
            let answer = undo(&meddled, &journal(), run);
            if !meddled.was_meddled() {
                break;
            }
            assert!(is_theirs(&fs, edited), "{edited} before {moment}: {:?}", tree(&fs, "/m"));
            let now = others(&fs, edited);
            match answer {
                Ok(_) => {
                    undone += 1;
                    assert_eq!(now, others(&store(), edited), "{edited} before {moment}");
                }
                Err(Error::ChangedSince { path, .. }) => {
                    refused += 1;
                    assert_eq!(path.as_str(), edited);
                    assert_eq!(now, after, "{edited} before {moment}");
                }
                Err(error) => panic!("{edited} before {moment}: {error}"),
            }
            assert_eq!(journal().unfinished(&fs).unwrap(), None);
        }
    }
    assert!(refused > 100 && undone > 20, "{refused} {undone}");
}

/// What a recovery may leave: everything as before, everything as planned, or
/// whatever it is, told with its path.
fn assert_told(fs: &MemFs, edited: &str, ends: &[Recovered], what: &str) -> bool {
    let now = others(fs, edited);
    if let [Recovered::Conflicted { paths, kept, .. }] = ends {
        assert!(paths.contains(&path(edited)), "{what}: {paths:?}");
        assert!(fs.metadata(&kept.join("record.json")).is_ok(), "{what}");
    } else {
        let whole = [others(&store(), edited), others(&planned(), edited)];
        assert!(whole.contains(&now), "{what}: {ends:?} {now:?}");
    }
    assert!(!now.keys().any(|path| path.contains(".memport-")), "{what}: {now:?}");
    assert_eq!(journal().unfinished(fs).unwrap(), None, "{what}");
    matches!(ends, [Recovered::Conflicted { .. }])
}

#[test]
fn after_an_interruption_a_file_edited_meanwhile_is_left_and_a_mixture_is_told() {
    for is_plain in [false, true] {
        let mut conflicts = 0;
        for edited in EDITED {
            for stop in 0.. {
                let what = format!("{edited}, stopped after {stop}");
                let fs = store();
                let stopping = StopAfter::new(&fs, stop).plain(is_plain);
                drop(apply(&stopping, &all_kinds(), &journal()));
                let is_interrupted = journal().unfinished(&fs).unwrap().is_some();
                write_theirs(&fs, edited);
                let next = StopAfter::new(&fs, usize::MAX).plain(is_plain);
                let ends = journal().recover(&next).unwrap();
                assert_eq!(ends.len(), usize::from(is_interrupted), "{what}");
                assert!(is_theirs(&fs, edited), "{what}");
                conflicts += usize::from(assert_told(&fs, edited, &ends, &what));
                // It stands in nobody's way, and is told once.
                assert_eq!(journal().recover(&fs).unwrap(), []);
                if !stopping.stopped.get() {
                    break;
                }
            }
        }
        assert!(conflicts > 20, "{conflicts}");
    }
}

/// Somebody writes in the very moment between the last look and the swap, and
/// then the program ends, in the next moment or a little later.
#[test]
fn what_was_swapped_out_unseen_is_found_by_the_recovery() {
    for edited in EDITED {
        for moment in 0.. {
            let mut was_meddled = false;
            for stop in moment..moment + 4 {
                let what = format!("{edited} before {moment}, stopped after {stop}");
                let fs = store();
                let meddled =
                    StopAfter::new(&fs, stop).meddled(moment, |fs| write_theirs(fs, edited));
                drop(apply(&meddled, &all_kinds(), &journal()));
                was_meddled |= meddled.was_meddled();
                if !meddled.was_meddled() {
                    continue;
                }
                let ends = journal().recover(&fs).unwrap();
                assert_told(&fs, edited, &ends, &what);
                assert!(is_theirs(&fs, edited), "{what}: {ends:?} {:?}", tree(&fs, "/m"));
            }
            if !was_meddled {
                break;
            }
        }
    }
}

#[test]
fn an_interrupted_undo_that_met_an_edit_leaves_no_silent_mixture() {
    let mut conflicts = 0;
    for edited in EDITED {
        for stop in 0.. {
            let what = format!("{edited}, stopped after {stop}");
            let fs = planned();
            let run = journal().last(&fs).unwrap().unwrap();
            let stopping = StopAfter::new(&fs, stop);
            drop(undo(&stopping, &journal(), run));
            write_theirs(&fs, edited);
            let ends = journal().recover(&fs).unwrap();
            assert!(is_theirs(&fs, edited), "{what}");
            conflicts += usize::from(assert_told(&fs, edited, &ends, &what));
            if !stopping.stopped.get() {
                break;
            }
        }
    }
    assert!(conflicts > 10, "{conflicts}");
}
