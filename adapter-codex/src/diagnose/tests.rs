//! Scenes in which a person would be surprised, and the remedies that are named.

use memory_core::fs::MemFs;
use memory_core::{AbsPath, Diagnostic, Env, Severity, World};

use crate::codex::{Codex, Query};
use crate::resolution::Resolution;

fn resolve(fs: &MemFs, cwd: &str, args: &[&str]) -> Resolution {
    let env = Env::with_home(AbsPath::new("/h").unwrap());
    let query = Query::new(AbsPath::new(cwd).unwrap()).with_args(args.iter().copied());
    Codex::default().resolve(World { fs, env: &env }, &query).unwrap()
}

/// Everything that is said of a start.
fn said(found: &Resolution) -> Vec<&Diagnostic> {
    let groups = [
        &found.diagnostics,
        &found.chain.diagnostics,
        &found.skills.diagnostics,
        &found.memory.diagnostics,
    ];
    groups.into_iter().flatten().collect()
}

/// The one thing that is said with this code.
fn one<'f>(found: &'f Resolution, code: &str) -> &'f Diagnostic {
    let of_code: Vec<_> = said(found).into_iter().filter(|told| told.code.0 == code).collect();
    let [told] = of_code.as_slice() else { panic!("{code}: {:?}", said(found)) };
    told
}

fn is_silent(found: &Resolution, code: &str) -> bool {
    said(found).iter().all(|told| told.code.0 != code)
}

fn loads(found: &Resolution, text: &str) -> bool {
    found.chain.loaded().any(|(_, loaded)| loaded.text.contains(text))
}

/// What stands between back quotes in a remedy: what to write, and where.
fn remedy(told: &Diagnostic) -> (String, String) {
    let help = told.help.as_deref().unwrap();
    let mut quoted = help.split('`').skip(1).step_by(2).map(str::to_owned);
    (quoted.next().unwrap(), quoted.next().unwrap())
}

#[test]
fn a_word_that_names_a_file_is_no_import_and_other_words_are_none_either() {
    let fs = MemFs::from_files([
        ("/p/.git/HEAD", ""),
        ("/p/docs/style.md", "Two spaces.\n"),
        ("/p/AGENTS.md", "# Guide\n\n@docs/style.md\n\nAsk @org/team, annotate with @Entity.\n"),
    ]);
    let found = resolve(&fs, "/p", &[]);
    let told = one(&found, "codex/import-is-text");
    assert_eq!((told.line, told.path.as_ref().unwrap().as_str()), (Some(3), "/p/AGENTS.md"));
    assert!(!loads(&found, "Two spaces."));
}

#[test]
fn a_line_of_the_person_s_own_file_counts_from_its_first_one() {
    let fs = MemFs::from_files([("/h/.codex/AGENTS.md", "\n\n@x.md\n"), ("/h/.codex/x.md", "")]);
    assert_eq!(one(&resolve(&fs, "/h", &[]), "codex/import-is-text").line, Some(3));
}

#[test]
fn a_marker_of_the_configuration_is_named_with_the_root_it_makes() {
    let fs = MemFs::from_files([
        ("/h/.codex/config.toml", "project_root_markers = [\"package.json\"]\n"),
        ("/p/.git/HEAD", ""),
        ("/p/AGENTS.md", "Top\n"),
        ("/p/shop/package.json", "{}"),
        ("/p/shop/AGENTS.md", "Shop\n"),
        ("/p/shop/web/x", ""),
    ]);
    let found = resolve(&fs, "/p/shop/web", &[]);
    let told = one(&found, "codex/root-by-marker");
    assert_eq!(told.path.as_ref().unwrap().as_str(), "/p/shop");
    assert!(told.message.contains("package.json"), "{told:?}");
    assert!(told.help.as_ref().unwrap().contains("/h/.codex/config.toml"));
    assert!(loads(&found, "Shop") && !loads(&found, "Top"));
    let found = resolve(&fs, "/p", &[]);
    assert!(one(&found, "codex/root-by-marker").message.contains("only the start folder"));
}

#[test]
fn a_cut_names_the_headings_and_a_value_that_suffices() {
    let mut text = "# Guide\n".to_owned();
    text.push_str(&"One line of the guide.\n".repeat(1_500));
    text.push_str("## Rollback\nNever on Fridays.\n");
    let inner = "# Api\n\n## Money\nInteger yen.\n";
    let mut fs = MemFs::from_files([
        ("/p/.git/HEAD", ""),
        ("/p/AGENTS.md", &text),
        ("/p/api/AGENTS.md", inner),
    ]);
    let found = resolve(&fs, "/p/api", &[]);
    assert!(!loads(&found, "Never on Fridays."));
    assert!(one(&found, "codex/doc-truncated").message.ends_with("headings lost: \"Rollback\""));
    let dropped = one(&found, "codex/doc-over-budget");
    assert!(dropped.message.ends_with("headings lost: \"Api\", \"Money\""), "{dropped:?}");
    let (line, file) = remedy(one(&found, "codex/doc-truncated"));
    fs.file(&file, format!("{line}\n"));
    let found = resolve(&fs, "/p/api", &[]);
    assert!(loads(&found, "Never on Fridays.") && loads(&found, "Integer yen."));
    assert!(is_silent(&found, "codex/doc-truncated") && is_silent(&found, "codex/doc-over-budget"));
}

#[test]
fn the_remedy_names_the_file_that_sets_the_budget_now() {
    let fs = MemFs::from_files([
        ("/h/.codex/config.toml", "[projects.\"/p\"]\ntrust_level = \"trusted\"\n"),
        ("/p/.git/HEAD", ""),
        ("/p/.codex/config.toml", "project_doc_max_bytes = 4\n"),
        ("/p/AGENTS.md", "12345678"),
    ]);
    let (line, file) = remedy(one(&resolve(&fs, "/p", &[]), "codex/doc-truncated"));
    assert_eq!(
        (line.as_str(), file.as_str()),
        ("project_doc_max_bytes = 8", "/p/.codex/config.toml")
    );
}

#[test]
fn a_memory_that_is_switched_off_comes_back_by_the_remedy() {
    for (config, word) in [
        ("model = \"m\"\n", "the feature"),
        ("[features]\nmemories = false\n", "features.memories = false"),
        (
            "[features]\nmemories = true\n[memories]\nuse_memories = false\n",
            "memories.use_memories = false",
        ),
    ] {
        let mut fs = MemFs::from_files([
            ("/h/.codex/config.toml", config),
            ("/h/.codex/memories/memory_summary.md", "v1\n\nWrites Japanese.\n"),
            ("/p/.git/HEAD", ""),
        ]);
        let found = resolve(&fs, "/p", &["exec", "hi"]);
        let told = one(&found, "codex/memory-disabled");
        assert!(told.message.contains(word), "{told:?}");
        let (line, file) = remedy(told);
        assert_eq!(file, "/h/.codex/config.toml");
        let others: String =
            config.lines().filter(|line| line.ends_with("memories = true")).collect();
        let others =
            if others.is_empty() { String::new() } else { "features.memories = true\n".to_owned() };
        fs.file(&file, format!("{others}{line}\n"));
        let found = resolve(&fs, "/p", &["exec", "hi"]);
        assert_eq!(found.memory.content.as_deref(), Some("v1\n\nWrites Japanese."), "{config}");
    }
}

#[test]
fn a_file_with_nearly_the_right_name_is_named_until_it_is_renamed() {
    for name in ["AGENT.md", "agents.md"] {
        let mut fs = MemFs::from_files([("/p/.git/HEAD", ""), (&format!("/p/x/{name}"), "a\n")]);
        let told = resolve(&fs, "/p/x", &[]);
        let told = one(&told, "codex/near-miss-name");
        assert_eq!(told.path.as_ref().unwrap().file_name(), Some(name));
        assert_eq!(told.severity, Severity::Warning);
        fs.file("/p/x/AGENTS.md", "a\n");
        assert!(is_silent(&resolve(&fs, "/p/x", &[]), "codex/near-miss-name"));
    }
}

#[test]
fn instructions_of_an_added_folder_are_not_read() {
    let fs = MemFs::from_files([("/p/.git/HEAD", ""), ("/lib/AGENTS.md", "Lib rules.\n")]);
    let found = resolve(&fs, "/p", &["--add-dir", "../lib", "exec", "hi"]);
    let told = one(&found, "codex/add-dir-not-read");
    assert_eq!(told.path.as_ref().unwrap().as_str(), "/lib/AGENTS.md");
    assert!(!loads(&found, "Lib rules."));
}

#[test]
fn a_text_beside_the_summary_is_never_shown() {
    let fs = MemFs::from_files([
        ("/h/.codex/config.toml", "[features]\nmemories = true\n"),
        ("/h/.codex/memories/memory_summary.md", "v1\n\nShort answers.\n"),
        ("/h/.codex/memories/MEMORY.md", ""),
        ("/h/.codex/memories/conventions.md", "Use conventional commits.\n"),
        ("/p/.git/HEAD", ""),
    ]);
    let found = resolve(&fs, "/p", &["exec", "hi"]);
    let told = one(&found, "codex/memory-file-not-shown");
    assert_eq!(told.path.as_ref().unwrap().file_name(), Some("conventions.md"));
}

#[test]
fn what_looks_like_a_skill_and_is_none_is_named() {
    let mut fs = MemFs::from_files([
        ("/p/.git/HEAD", ""),
        ("/p/.agents/skills/flat.md", "---\nname: flat\ndescription: d\n---\n"),
        ("/p/.agents/skills/README.md", "# Skills\n"),
        ("/p/.agents/skills/kiln/skill.md", "---\nname: kiln\ndescription: d\n---\n"),
    ]);
    fs.link("/p/.agents/skills/press", "/gone/press");
    let found = resolve(&fs, "/p", &[]);
    let path = |code| one(&found, code).path.as_ref().unwrap().file_name().unwrap().to_owned();
    assert_eq!(path("codex/skill-flat-file"), "flat.md");
    assert_eq!(path("codex/skill-file-case"), "skill.md");
    assert_eq!(path("codex/skill-link-broken"), "press");
}

#[test]
fn a_hook_that_adds_text_is_named_with_its_line() {
    let fs = MemFs::from_files([
        ("/p/.git/HEAD", ""),
        (
            "/h/.codex/hooks.json",
            "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"cat x\"}]}\n    ]\n  }\n}\n",
        ),
    ]);
    let told = resolve(&fs, "/p", &[]);
    let told = one(&told, "codex/hook-adds-text");
    assert_eq!(told.line, Some(3));
    assert!(told.message.contains("SessionStart") && told.message.contains("cat x"));
}
