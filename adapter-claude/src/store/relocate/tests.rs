use memory_core::Env;
use memory_core::fs::{Fs as _, MemFs};
use memory_core::plan::{Journal, apply, undo};

use super::*;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn plan(fs: &MemFs, old: &str, new: &str) -> Result<Relocation, RelocateRefusal> {
    let env = Env::with_home(path("/h"));
    Claude::default().plan_relocate(World { fs, env: &env }, &path(old), &path(new))
}

fn codes(fs: &MemFs, old: &str, new: &str) -> Vec<&'static str> {
    plan(fs, old, new).unwrap().diagnostics.iter().map(|told| told.code.0).collect()
}

/// Where the folders of projects go.
fn moves(fs: &MemFs, old: &str, new: &str) -> Vec<String> {
    let plan = plan(fs, old, new).unwrap().plan;
    let moves = plan.changes().iter().filter(|change| matches!(change, Change::Move { .. }));
    moves.map(|change| change.path().file_name().unwrap().to_owned()).collect()
}

fn world() -> MemFs {
    let mut fs = MemFs::from_files([
        ("/h/.claude/projects/-w-old/memory/MEMORY.md", "- a\n"),
        ("/h/.claude/projects/-w-old/s.jsonl", "{\"cwd\":\"/w/old\"}\n"),
        ("/h/.claude/projects/-w-old-sub/s.jsonl", "{\"cwd\":\"/w/old/sub\"}\n"),
        ("/h/.claude/projects/-w-old-er/s.jsonl", "{\"cwd\":\"/w/old-er\"}\n"),
        (
            "/h/.claude.json",
            "{\"n\": 1,\n \"projects\": {\"/w/old\": {\"x\":  2}, \"/w/older\": {}}}\n",
        ),
    ]);
    fs.dir("/w/new").link("/w/link", "new");
    fs
}

#[test]
fn folders_and_notes_of_the_project_move_and_no_others() {
    for new in ["/w/new", "/w/link"] {
        let fs = world();
        let Relocation { plan, diagnostics } = plan(&fs, "/w/old", new).unwrap();
        assert_eq!((plan.changes().len(), diagnostics.len()), (3, 0));
        apply(&fs, &plan, &Journal::new(path("/j"))).unwrap();
        let read = |at: &str| fs.read_up_to(&path(at), 999).unwrap();
        assert_eq!(read("/h/.claude/projects/-w-new/memory/MEMORY.md"), b"- a\n");
        assert!(fs.metadata(&path("/h/.claude/projects/-w-new-sub/s.jsonl")).is_ok());
        assert!(fs.metadata(&path("/h/.claude/projects/-w-old-er/s.jsonl")).is_ok());
        assert_eq!(
            String::from_utf8(read("/h/.claude.json")).unwrap(),
            "{\"n\": 1,\n \"projects\": {\"/w/new\": {\"x\":  2}, \"/w/older\": {}}}\n"
        );
    }
}

#[test]
fn what_is_kept_for_the_new_path_is_not_touched() {
    let mut fs = world();
    fs.file("/h/.claude/projects/-w-new/memory/b.md", "x");
    let refused = plan(&fs, "/w/old", "/w/new").unwrap_err();
    assert!(matches!(refused, RelocateRefusal::BothKept { .. }));
    let message = refused.to_string();
    assert!(message.contains("/-w-old`") && message.contains("/-w-new`"), "{message}");
    let mut fs = world();
    fs.file("/h/.claude/projects/-w-new/s.jsonl", "another session of that name");
    assert!(matches!(plan(&fs, "/w/old", "/w/new"), Err(RelocateRefusal::BothKept { .. })));
    let mut fs = world();
    fs.link("/h/.claude/projects/-w-new", "/nowhere");
    assert!(matches!(plan(&fs, "/w/old", "/w/new"), Err(RelocateRefusal::BothKept { .. })));
    assert!(matches!(plan(&fs, "/w/none", "/w/x"), Err(RelocateRefusal::NothingKept { .. })));
}

#[test]
fn what_a_first_session_left_in_the_new_place_stays_beside_what_moves_there() {
    let mut fs = world();
    fs.dir("/h/.claude/projects/-w-new/memory");
    fs.file("/h/.claude/projects/-w-new/n.jsonl", "{\"cwd\":\"/w/new\"}\n");
    fs.file("/h/.claude/projects/-w-old/memory/sub/a.md", "x");
    let plan = plan(&fs, "/w/old", "/w/new").unwrap().plan;
    let journal = Journal::new(path("/j"));
    let run = apply(&fs, &plan, &journal).unwrap().run;
    let there = |file: &str| fs.metadata(&path("/h/.claude/projects").join(file)).is_ok();
    for file in ["n.jsonl", "s.jsonl", "memory/MEMORY.md", "memory/sub/a.md"] {
        assert!(there(&format!("-w-new/{file}")), "{file}");
    }
    undo(&fs, &journal, run).unwrap();
    for file in ["-w-new/n.jsonl", "-w-old/s.jsonl", "-w-old/memory/MEMORY.md"] {
        assert!(there(file), "{file}");
    }
    assert!(!there("-w-new/s.jsonl") && !there("-w-new/memory/MEMORY.md"));
}

#[test]
fn lines_that_name_the_old_place_are_told() {
    let mut fs = world();
    fs.file("/h/.claude/projects/-w-old/memory/a.md", "see\n/w/old/docs/a.md\n/w/older\n");
    let told = plan(&fs, "/w/old", "/w/new").unwrap().diagnostics;
    let told: Vec<_> = told.iter().map(|told| (told.code.0, told.line)).collect();
    assert_eq!(told, [("claude/relocate-old-path", Some(2))]);
}

#[test]
fn places_that_make_no_sense_are_refused_and_doubtful_ones_told() {
    let mut fs = world();
    fs.file("/w/file", "");
    assert!(matches!(plan(&fs, "/w/old", "/w/old"), Err(RelocateRefusal::SamePlace { .. })));
    assert!(matches!(plan(&fs, "/w/old", "/w/old/x"), Err(RelocateRefusal::Inside { .. })));
    assert!(matches!(
        plan(&fs, "/w/old", "/w/file"),
        Err(RelocateRefusal::Other(Error::NotADirectory { .. }))
    ));
    assert_eq!(codes(&fs, "/w/old", "/w/soon"), ["claude/relocate-new-missing"]);
    fs.dir("/w/old");
    assert_eq!(codes(&fs, "/w/old", "/w/new"), ["claude/relocate-old-there"]);
    fs.link("/w/same", "old");
    assert!(matches!(plan(&fs, "/w/old", "/w/same"), Err(RelocateRefusal::SamePlace { .. })));
}

#[test]
fn a_link_left_in_the_old_place_is_fine_and_links_above_it_are_seen_through() {
    let mut fs = world();
    fs.link("/w/old", "new");
    assert_eq!(codes(&fs, "/w/old", "/w/new"), [""; 0]);
    fs.link("/short", "/w");
    assert_eq!(moves(&fs, "/short/old", "/short/new"), ["-w-new", "-w-new-sub"]);
}

#[test]
fn a_linked_folder_is_refused_by_name_and_a_linked_home_is_not() {
    let mut fs = MemFs::from_files([("/elsewhere/memory/MEMORY.md", "- a\n")]);
    fs.dir("/w/new").link("/h/.claude/projects/-w-old", "/elsewhere");
    let refused = plan(&fs, "/w/old", "/w/new").unwrap_err().to_string();
    assert_eq!(
        refused,
        "`/h/.claude/projects/-w-old` is a link to `/elsewhere`, and links are not moved"
    );

    let mut fs = MemFs::from_files([
        ("/dot/claude/projects/-w-old/memory/MEMORY.md", "- a\n"),
        ("/dot/claude.json", "{\"projects\":{\"/w/old\":{}}}"),
    ]);
    fs.dir("/w/new").link("/h/.claude", "/dot/claude").link("/h/.claude.json", "/dot/claude.json");
    let plan = plan(&fs, "/w/old", "/w/new").unwrap().plan;
    apply(&fs, &plan, &Journal::new(path("/j"))).unwrap();
    assert!(fs.metadata(&path("/h/.claude/projects/-w-new/memory/MEMORY.md")).is_ok());
    let notes = fs.read_up_to(&path("/h/.claude.json"), 99).unwrap();
    assert_eq!(notes, b"{\"projects\":{\"/w/new\":{}}}");
    assert!(fs.read_link(&path("/h/.claude.json")).is_ok());
}

#[test]
fn notes_that_cannot_be_used_are_told_and_stay() {
    for broken in [
        "{\"projects\": {\"/w/old\": {}}",
        "{\"projects\": {\"/w/old\": {}}} // mine",
        "{\"a\": [1, /* } */ 2],\n \"projects\": {\"/w/old\": {}}}",
        "{\"projects\": {\"/w/old\": {},}}",
        "",
    ] {
        let mut fs = world();
        fs.file("/h/.claude.json", broken);
        assert_eq!(codes(&fs, "/w/old", "/w/new"), ["claude/relocate-notes-unusable"], "{broken}");
        assert_eq!(moves(&fs, "/w/old", "/w/new").len(), 2);
        assert!(matches!(plan(&fs, "/w/no", "/w/x"), Err(RelocateRefusal::Notes { .. })));
    }
    let mut fs = world();
    fs.file("/h/.claude.json", vec![b' '; 64 * 1024 * 1024 + 1]);
    let told = plan(&fs, "/w/old", "/w/new").unwrap().diagnostics;
    assert!(told[0].message.contains("larger than 64 MiB"), "{told:?}");
}

#[test]
fn notes_on_both_places_or_twice_on_one_are_told() {
    let mut fs = world();
    let both = "{\"projects\":{\"/w/old\":{\"a\":1},\"/w/new\":{}}}";
    fs.file("/h/.claude.json", both);
    assert_eq!(codes(&fs, "/w/old", "/w/new"), ["claude/relocate-both-noted"]);
    assert_eq!(plan(&fs, "/w/old", "/w/new").unwrap().plan.changes().len(), 2);

    fs.file("/h/.claude.json", "{\"projects\":{\"/w/old\":{\"a\":1},\"\\/w\\/old\":{}}}");
    assert_eq!(codes(&fs, "/w/old", "/w/new"), ["claude/relocate-noted-twice"]);
    let plan = plan(&fs, "/w/old", "/w/new").unwrap().plan;
    apply(&fs, &plan, &Journal::new(path("/j"))).unwrap();
    let notes = fs.read_up_to(&path("/h/.claude.json"), 99).unwrap();
    assert_eq!(notes, b"{\"projects\":{\"/w/new\":{\"a\":1},\"/w/new\":{}}}");
}

#[test]
fn a_folder_below_without_transcripts_moves_only_when_the_notes_name_it_alone() {
    let mut fs = world();
    fs.file("/h/.claude/projects/-w-old-lib/memory/a.md", "x");
    let told = plan(&fs, "/w/old", "/w/new").unwrap().diagnostics;
    assert_eq!(told[0].code.0, "claude/relocate-guessed");
    let help = told[0].help.as_deref();
    assert_eq!(help, Some("if it does: memport relocate /w/old/FOLDER /w/new/FOLDER"));

    fs.file("/h/.claude.json", "{\"projects\":{\"/w/old/lib\":{}}}");
    assert_eq!(codes(&fs, "/w/old", "/w/new"), [""; 0]);
    assert_eq!(moves(&fs, "/w/old", "/w/new"), ["-w-new", "-w-new-lib", "-w-new-sub"]);

    // Another folder of the disk has the same name.
    fs.dir("/w/old-lib");
    let told = plan(&fs, "/w/old", "/w/new").unwrap().diagnostics;
    let help = told[0].help.as_deref();
    assert_eq!(help, Some("if it does: memport relocate /w/old/lib /w/new/lib"));
    assert_eq!(moves(&fs, "/w/old", "/w/new"), ["-w-new", "-w-new-sub"]);
    // Nothing but that other folder speaks for it.
    fs.file("/h/.claude.json", "{}");
    assert_eq!(codes(&fs, "/w/old", "/w/new"), [""; 0]);

    let mut fs = world();
    fs.dir("/h/.claude/projects/-w-old-lib/memory");
    assert_eq!(codes(&fs, "/w/old", "/w/new"), [""; 0]);
}

#[test]
fn a_folder_that_another_project_shares_stays_while_that_is_there() {
    let mut fs = world();
    fs.file("/h/.claude/projects/-w-old/t.jsonl", "{\"cwd\":\"/w.old\"}\n");
    assert_eq!(codes(&fs, "/w/old", "/w/new"), ["claude/relocate-shared"]);
    fs.dir("/w.old");
    let refused = plan(&fs, "/w/old", "/w/new").unwrap_err().to_string();
    assert!(refused.ends_with("is the memory of `/w.old` too, which is still there"), "{refused}");

    let mut fs = world();
    fs.file("/h/.claude/projects/-w-old-sub/t.jsonl", "{\"cwd\":\"/w/old-sub\"}\n");
    assert_eq!(codes(&fs, "/w/old", "/w/new"), ["claude/relocate-guessed"]);
}
