//! The convention and each of its variations, on small trees.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use adapter_agents_md::{BlankFiles, Convention, Trim, UnreadableFiles, resolve, resolve_dir};
use memory_core::fs::{MemFs, Recorder};
use memory_core::{AbsPath, Env, InstructionChain, Outcome, World};

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn at(fs: &MemFs, convention: &Convention, start: &str) -> InstructionChain {
    resolve(World { fs, env: &Env::default() }, convention, &path(start))
}

fn texts(chain: &InstructionChain) -> Vec<&str> {
    chain.loaded().map(|(_, loaded)| &*loaded.text).collect()
}

fn codes(chain: &InstructionChain) -> Vec<String> {
    let name = |path: &AbsPath| path.as_str().to_owned();
    chain
        .omitted()
        .map(|(layer, reason, _)| {
            let path = layer.provenance.path.as_ref().map(name).unwrap_or_default();
            format!("{path} {}", reason.code())
        })
        .collect()
}

fn with_override() -> Convention {
    Convention {
        names: vec!["AGENTS.override.md".to_owned(), "AGENTS.md".to_owned()],
        ..Convention::default()
    }
}

#[test]
fn one_file_a_folder_from_the_root_down_and_nothing_else() {
    let fs = MemFs::from_files([
        ("/AGENTS.md", "above"),
        ("/repo/.git", ""),
        ("/repo/AGENTS.md", "root"),
        ("/repo/a/b/AGENTS.md", "leaf"),
        ("/repo/a/b/c/AGENTS.md", "below"),
    ]);
    assert_eq!(texts(&at(&fs, &Convention::default(), "/repo/a/b")), ["root", "leaf"]);
}

#[test]
fn without_a_root_only_the_start_folder_is_searched() {
    let fs = MemFs::from_files([("/a/AGENTS.md", "a"), ("/a/b/AGENTS.md", "b")]);
    assert_eq!(texts(&at(&fs, &Convention::default(), "/a/b")), ["b"]);
}

#[test]
fn an_empty_file_hides_the_next_candidate_or_not() {
    let fs = MemFs::from_files([("/r/AGENTS.override.md", " \n"), ("/r/AGENTS.md", "text")]);
    let hide = with_override();
    let chain = at(&fs, &hide, "/r");
    assert_eq!(codes(&chain), ["/r/AGENTS.override.md blank", "/r/AGENTS.md shadowed"]);
    let message = chain.omitted().next().unwrap().1.to_string();
    assert!(message.contains("hides `AGENTS.md`"), "{message}");

    let fall = Convention { blank_files: BlankFiles::FallThrough, ..with_override() };
    assert_eq!(texts(&at(&fs, &fall, "/r")), ["text"]);
}

#[test]
fn the_budget_is_spent_from_the_root_down_and_cuts_bytes() {
    let mut fs =
        MemFs::from_files([("/r/.git", ""), ("/r/AGENTS.md", "あい"), ("/r/a/AGENTS.md", "lost")]);
    let convention = Convention { max_bytes: Some(4), ..Convention::default() };
    let chain = at(&fs, &convention, "/r/a");
    assert_eq!(texts(&chain), ["あ\u{fffd}"]);
    assert_eq!(codes(&chain), ["/r/a/AGENTS.md over-budget"]);
    let (_, loaded) = chain.loaded().next().unwrap();
    let cut = loaded.cut.unwrap();
    assert_eq!((cut.at_byte, cut.at_line, cut.lost_bytes), (4, 1, 2));
    assert_eq!(chain.budget.unwrap().wanted, 10);

    // What is blank after the cut costs nothing.
    fs.file("/r/AGENTS.md", "    text");
    assert_eq!(texts(&at(&fs, &convention, "/r/a")), ["lost"]);
}

#[test]
fn an_unreadable_file_drops_the_chain_or_is_skipped() {
    let mut fs = MemFs::from_files([
        ("/r/.git", ""),
        ("/r/AGENTS.md", "root"),
        ("/r/a/AGENTS.override.md", "secret"),
        ("/r/a/AGENTS.md", "open"),
    ]);
    fs.mode("/r/a/AGENTS.override.md", 0);
    let skip = with_override();
    assert_eq!(
        texts(&at(&fs, &Convention { blank_files: BlankFiles::FallThrough, ..skip }, "/r/a")),
        ["root", "open"]
    );
    let drop = Convention { unreadable_files: UnreadableFiles::DropChain, ..with_override() };
    let chain = at(&fs, &drop, "/r/a");
    assert!(texts(&chain).is_empty());
    assert_eq!(
        codes(&chain),
        [
            "/r/AGENTS.md chain-lost",
            "/r/a/AGENTS.override.md unreadable",
            "/r/a/AGENTS.md shadowed"
        ]
    );
}

#[test]
fn a_link_loop_is_met_before_anything_is_read() {
    let mut fs = MemFs::from_files([("/r/.git", ""), ("/r/AGENTS.md", "root")]);
    fs.link("/r/a/AGENTS.md", "AGENTS.md");
    let drop = Convention {
        unreadable_files: UnreadableFiles::DropChain,
        max_bytes: Some(4),
        ..Convention::default()
    };
    assert_eq!(
        codes(&at(&fs, &drop, "/r/a")),
        ["/r/AGENTS.md chain-lost", "/r/a/AGENTS.md unreadable"]
    );
}

#[test]
fn what_is_no_file_is_passed_over_and_told() {
    let mut fs = MemFs::from_files([("/r/GUIDE.md", "guide")]);
    fs.special("/r/AGENTS.override.md").link("/r/AGENTS.md", "nowhere");
    let fallbacks = vec!["docs/GUIDE.md".to_owned(), " GUIDE.md ".to_owned()];
    let chain = at(&fs, &Convention { fallbacks, ..with_override() }, "/r");
    assert_eq!(texts(&chain), ["guide"]);
    assert_eq!(codes(&chain), ["/r/AGENTS.override.md not-a-file", "/r/AGENTS.md broken-link"]);
}

#[test]
fn one_folder_can_be_read_trimmed() {
    let fs = MemFs::from_files([("/h/AGENTS.md", "\n text \u{3000}\n")]);
    let convention = Convention { trim: Trim::BothEnds, ..Convention::default() };
    let world = World { fs: &fs, env: &Env::default() };
    assert_eq!(texts(&resolve_dir(world, &convention, &path("/h"))), ["text"]);
}

#[test]
fn calls_grow_with_depth_and_not_with_what_lies_beside() {
    let count = |files: usize| {
        let mut fs = MemFs::from_files([("/r/.git", ""), ("/r/a/AGENTS.md", "a")]);
        for number in 0..files {
            fs.file(format!("/r/a/f{number}"), "");
        }
        let seen = Recorder::new(&fs);
        let world = World { fs: &seen, env: &Env::default() };
        let chain = resolve(world, &Convention::default(), &path("/r/a"));
        assert!(chain.layers.iter().any(|layer| matches!(layer.outcome, Outcome::Loaded(_))));
        seen.calls()
    };
    assert_eq!(count(50), count(5_000));
}
