use memory_core::fs::{Fs as _, MemFs};
use memory_core::plan::{Change, WritePlan};
use memory_core::{AbsPath, Env, World};

use super::{ArchiveReason, HistoryKind};
use crate::claude::Claude;

const INDEX: &str = "# Notes\n- [keep](keep.md) — Queues\n- [old](old.md) — Releases\n- [both](old.md), and [keep](keep.md) — two links in one line\nA line of mine.\n";
const OLD: &str = "---\nname: old\ndescription: Releases\nmetadata:\n  type: project\n---\n\nReleases are on Monday.\r\nSee [[keep]].  \r\n";

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn store() -> MemFs {
    MemFs::from_files([
        ("/m/MEMORY.md", INDEX),
        ("/m/old.md", OLD),
        ("/m/bare.md", "No header.\n"),
        ("/m/keep.md", "---\nname: keep\n---\nQueues.\n"),
    ])
}

fn done(mut fs: MemFs, plan: &WritePlan) -> MemFs {
    for change in plan.changes() {
        match change {
            Change::Create { path, bytes, .. } | Change::Replace { path, bytes, .. } => {
                fs.file(path.as_str(), bytes.as_ref());
            }
            Change::Remove { path, .. } => {
                fs.remove(path.as_str());
            }
            other => panic!("{other:?}"),
        }
    }
    fs
}

fn text(fs: &MemFs, file: &str) -> String {
    String::from_utf8(fs.read_up_to(&path(file), u64::MAX).unwrap()).unwrap()
}

#[test]
fn what_is_put_away_comes_back_as_it_was() {
    let env = Env::default();
    for (file, before) in [("old.md", OLD), ("bare.md", "No header.\n")] {
        let fs = store();
        let reason = ArchiveReason::new("moved -- to \"Mondays\"", "2026-05-01");
        let plan = Claude::default()
            .plan_archive(World { fs: &fs, env: &env }, &path("/m"), file, &reason)
            .unwrap();
        let fs = done(fs, &plan);
        assert!(fs.metadata(&path(&format!("/m/{file}"))).is_err());
        let archived = text(&fs, &format!("/m/.archive/{file}"));
        assert!(
            archived.contains("status: archived")
                && archived.contains("archived_at: ")
                && archived.ends_with(before.split("---\n").last().unwrap())
        );
        if file == "old.md" {
            assert_eq!(
                text(&fs, "/m/MEMORY.md"),
                "# Notes\n- [keep](keep.md) — Queues\n- [keep](keep.md) — two links in one line\nA line of mine.\n"
            );
        }
        let plan = Claude::default()
            .plan_restore(World { fs: &fs, env: &env }, &path("/m"), file, "2026-05-02")
            .unwrap();
        let fs = done(fs, &plan);
        assert_eq!(text(&fs, &format!("/m/{file}")), before);
        assert_eq!(text(&fs, "/m/MEMORY.md"), INDEX);
        let history =
            Claude::default().history(World { fs: &fs, env: &env }, &path("/m"), file).unwrap();
        let kinds: Vec<_> = history.iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [HistoryKind::Added, HistoryKind::Archived, HistoryKind::Restored]);
    }
}

#[test]
fn what_replaces_another_says_what_held_before() {
    let (fs, env) = (store(), Env::default());
    let plan = Claude::default()
        .plan_supersede(
            World { fs: &fs, env: &env },
            &path("/m"),
            "old.md",
            "keep.md",
            "2026-05-01",
        )
        .unwrap();
    let fs = done(fs, &plan);
    assert!(
        text(&fs, "/m/keep.md")
            .ends_with("Queues.\n旧：Releases are on Monday. See [[keep]].（2026-05-01 まで）\n")
    );
    for file in ["keep.md", "old.md"] {
        let history =
            Claude::default().history(World { fs: &fs, env: &env }, &path("/m"), file).unwrap();
        let last = history.last().unwrap();
        assert_eq!((last.kind, last.day.as_deref()), (HistoryKind::Superseded, Some("2026-05-01")));
    }
}

#[test]
fn what_is_purged_is_nowhere() {
    let (fs, env) = (store(), Env::default());
    let plan =
        Claude::default().plan_purge(World { fs: &fs, env: &env }, &path("/m"), "old.md").unwrap();
    let fs = done(fs, &plan);
    assert!(
        !text(&fs, "/m/MEMORY.md").contains("old.md") && fs.metadata(&path("/m/old.md")).is_err()
    );
    assert!(fs.metadata(&path("/m/.archive")).is_err());
}
