use std::collections::BTreeSet;

use memory_core::fs::OsFs;

use super::*;

const SEEDS: u64 = 60;

fn world<'a>(project: &'a RandomProject, fs: &'a MemFs) -> World<'a> {
    World { fs, env: &project.env }
}

fn claude(seed: u64) -> RandomProject {
    RandomProject::claude(seed, &AbsPath::root()).unwrap()
}

fn codex(seed: u64) -> RandomProject {
    RandomProject::codex(seed, &AbsPath::root())
}

/// The kinds of which the source shows a word in one of many projects; and how
/// many words it shows and hides.
fn kinds_seen(make: fn(u64) -> RandomProject) -> (BTreeSet<&'static str>, usize, usize) {
    let (mut kinds, mut shown, mut hidden) = (BTreeSet::new(), 0, 0);
    for seed in 0..SEEDS {
        let project = make(seed);
        let fs = project.in_memory();
        let sight = project.source_sight(world(&project, &fs)).unwrap();
        for canary in &project.canaries {
            if sight.sees(&canary.word) {
                kinds.insert(canary.kind);
                shown += 1;
            } else {
                hidden += 1;
            }
        }
    }
    (kinds, shown, hidden)
}

#[test]
fn a_seed_always_makes_the_same_project() {
    for make in [claude, codex] {
        let (one, again, other) = (make(7), make(7), make(8));
        assert_eq!(one.canaries, again.canaries);
        assert_eq!(format!("{:?}", one.tree), format!("{:?}", again.tree));
        assert_ne!(one.canaries, other.canaries);
    }
}

#[test]
fn every_word_stands_where_it_is_said_to_stand() {
    for project in (0..SEEDS).flat_map(|seed| [claude(seed), codex(seed)]) {
        let fs = project.in_memory();
        for canary in &project.canaries {
            let bytes = memory_core::fs::Fs::read_up_to(&fs, &canary.file, u64::MAX).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            let line = text.split('\n').nth(canary.line as usize - 1).unwrap();
            assert!(line.contains(&canary.word), "seed {}: {canary:?}", project.seed);
        }
    }
}

#[test]
fn claude_code_shows_words_of_every_kind_but_those_it_hides() {
    let (seen, shown, hidden) = kinds_seen(claude);
    assert!(shown > 500 && hidden > 50, "{shown} shown, {hidden} hidden");
    for kind in [
        "CLAUDE.md",
        ".claude/CLAUDE.md",
        "CLAUDE.local.md",
        "AGENTS.md",
        "import",
        "rule",
        "skill",
        "skill's description",
        "skill's key",
        "skill's script",
        "skill's reference",
        "command",
        "sub-agent",
        "sub-agent's memory",
        "memory",
        "memory's description",
        "memory index",
        "file in the memory folder",
        "managed CLAUDE.md",
        "managed setting",
    ] {
        assert!(seen.contains(kind), "no {kind}: {seen:?}");
    }
    assert!(!seen.contains("frontmatter"));
}

#[test]
fn codex_shows_words_of_every_kind() {
    let (seen, shown, hidden) = kinds_seen(codex);
    assert!(shown > 500 && hidden > 50, "{shown} shown, {hidden} hidden");
    for kind in [
        "AGENTS.md",
        "AGENTS.override.md",
        "fallback file",
        "frontmatter",
        "block comment",
        "global AGENTS.md",
        "global override",
        "AGENTS.md of a dependency",
        "AGENTS.md of another repository",
        "skill",
        "skill's description",
        "skill's script",
        "skill's reference",
        "handbook",
        "hand-written handbook",
        "memory summary",
        "rollout summary",
        "raw memory without a summary",
        "skill of the memory",
        "note",
        "resource of an extension",
        "imported index",
        "imported memory",
    ] {
        assert!(seen.contains(kind), "no {kind}: {seen:?}");
    }
}

#[test]
fn a_project_on_disk_shows_what_it_shows_in_memory() {
    for seed in 0..6 {
        let folder = tempfile::tempdir().unwrap();
        let base = AbsPath::new(folder.path().canonicalize().unwrap().to_str().unwrap()).unwrap();
        for project in
            [RandomProject::claude(seed, &base).unwrap(), RandomProject::codex(seed, &base)]
        {
            project.on_disk().unwrap();
            let fs = project.in_memory();
            let memory = project.source_sight(world(&project, &fs)).unwrap();
            let disk = World { fs: &OsFs, env: &project.env };
            let disk = project.source_sight(disk).unwrap();
            for canary in &project.canaries {
                let (here, there) = (memory.sees(&canary.word), disk.sees(&canary.word));
                assert_eq!(here, there, "seed {seed}: {canary:?}");
            }
            std::fs::remove_dir_all(folder.path().join("srv")).unwrap();
            std::fs::remove_dir_all(folder.path().join("home")).unwrap();
        }
    }
}
