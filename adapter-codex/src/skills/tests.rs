use memory_core::fs::MemFs;
use memory_core::{Env, Limit, ListedSkill, Scope};

use super::*;

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn query() -> SkillQuery {
    SkillQuery {
        taken_away: Vec::new(),
        codex_home: path("/h/.codex"),
        home: Some(path("/h")),
        layer_dirs: vec![path("/p")],
        chain_dirs: vec![path("/p")],
        settings: SkillSettings { bundled: false, ..SkillSettings::default() },
    }
}

fn listing(fs: &MemFs, query: &SkillQuery) -> SkillListing {
    list(World { fs, env: &Env::default() }, &Profile::default(), query)
}

fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n")
}

fn omitted(listing: &SkillListing) -> Vec<(&str, &str)> {
    listing.omitted.iter().map(|skill| (skill.file.as_str(), skill.reason.code())).collect()
}

fn codes(listing: &SkillListing) -> Vec<&str> {
    listing.diagnostics.iter().map(|diagnostic| diagnostic.code.0).collect()
}

#[test]
fn the_list_goes_by_scope_and_the_short_names_by_search() {
    let fs = MemFs::from_files([
        ("/p/.agents/skills/r/SKILL.md", skill("b", "repo")),
        ("/h/.agents/skills/u/SKILL.md", skill("a", "user")),
        ("/etc/codex/skills/z/SKILL.md", skill("z", "machine")),
    ]);
    let mut query = query();
    query.settings.bundled = true;
    let listing = listing(&fs, &query);
    assert_eq!(
        listing.rendered,
        "- z: machine (file: r2/z/SKILL.md)\n\
         - b: repo (file: r3/r/SKILL.md)\n\
         - a: user (file: r0/u/SKILL.md)"
    );
    let roots: Vec<&str> = listing.roots.iter().map(|(_, root)| root.as_str()).collect();
    assert_eq!(
        roots,
        ["/h/.agents/skills", "/h/.codex/skills/.system", "/etc/codex/skills", "/p/.agents/skills"]
    );
    let bundled: Vec<&ListedSkill> =
        listing.listed.iter().filter(|skill| skill.scope == Scope::Builtin).collect();
    assert_eq!(bundled.len(), 4);
    assert!(bundled.iter().all(|skill| skill.description.is_none() && skill.lost_chars == 0));
}

#[test]
fn every_candidate_that_is_not_listed_has_a_reason() {
    let mut fs = MemFs::from_files([
        ("/p/.agents/skills/bad/SKILL.md", "no frontmatter".to_owned()),
        ("/p/.agents/skills/long/SKILL.md", skill(&"n".repeat(65), "d")),
        ("/p/.agents/skills/off/SKILL.md", skill("off", "d")),
        ("/p/.agents/skills/hidden/SKILL.md", skill("hidden", "d")),
        (
            "/p/.agents/skills/hidden/agents/openai.yaml",
            "policy: {allow_implicit_invocation: false}".to_owned(),
        ),
        ("/p/.codex/skills/x/SKILL.md", skill("x", "a: b")),
    ]);
    fs.link("/p/.agents/skills/twice", "/p/.codex/skills/x");
    fs.link("/p/.agents/skills/ln/SKILL.md", "/p/.codex/skills/x/SKILL.md");
    let mut query = query();
    query.settings.rules = vec![
        SkillRule { name: Some("off".to_owned()), path: None, enabled: false },
        SkillRule { name: None, path: Some(path("/p/.codex/skills/x")), enabled: false },
    ];
    let listing = listing(&fs, &query);
    assert_eq!(listing.rendered, "- x: a: b (file: r0/x/SKILL.md)");
    assert_eq!(
        omitted(&listing),
        [
            ("/p/.agents/skills/bad/SKILL.md", "frontmatter-invalid"),
            ("/p/.agents/skills/ln/SKILL.md", "not-listed"),
            ("/p/.agents/skills/long/SKILL.md", "name-too-long"),
            ("/p/.agents/skills/twice/SKILL.md", "duplicate"),
            ("/p/.agents/skills/hidden/SKILL.md", "not-listed"),
            ("/p/.agents/skills/off/SKILL.md", "disabled"),
        ]
    );
    assert_eq!(
        codes(&listing),
        [
            "codex/skill-frontmatter",
            "codex/skill-file-linked",
            "codex/skill-name-too-long",
            "codex/skill-config-path",
            "codex/skill-frontmatter-repaired",
        ]
    );
    assert!(
        listing
            .diagnostics
            .iter()
            .all(|diagnostic| diagnostic.help.is_some() && diagnostic.path.is_some())
    );
}

#[test]
fn a_budget_cuts_descriptions_and_then_passes_over_long_lines() {
    let long = "/p/.agents/skills/a-folder-with-a-long-name/SKILL.md";
    let fs = MemFs::from_files([
        (long, skill("a", "first")),
        ("/p/.agents/skills/b/SKILL.md", skill("b", "second")),
    ]);
    let mut query = query();
    query.settings.max_context_tokens = Some(22);
    let cut = listing(&fs, &query);
    assert_eq!(cut.listed.iter().map(|skill| skill.lost_chars).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(cut.budget.map(|budget| budget.limit), Some(Limit::Tokens(22)));
    query.settings.max_context_tokens = Some(10);
    let bare = listing(&fs, &query);
    assert_eq!(bare.rendered, "- b: (file: r0/b/SKILL.md)");
    assert_eq!(omitted(&bare), [(long, "over-budget")]);
    assert_eq!(
        (codes(&cut), codes(&bare)),
        (vec!["codex/skill-budget"], vec!["codex/skill-budget"])
    );
}

#[test]
fn nothing_is_listed_when_the_list_is_switched_off() {
    let fs = MemFs::from_files([("/p/.agents/skills/b/SKILL.md", skill("b", "d"))]);
    let mut query = query();
    query.settings.include_instructions = false;
    let listing = listing(&fs, &query);
    assert!(listing.listed.is_empty() && listing.roots.is_empty() && listing.budget.is_none());
    assert_eq!(omitted(&listing), [("/p/.agents/skills/b/SKILL.md", "disabled")]);
}

#[test]
fn a_long_description_ends_in_dots_and_says_what_is_lost() {
    let fs = MemFs::from_files([("/p/.agents/skills/b/SKILL.md", skill("b", &"語".repeat(1025)))]);
    let listing = listing(&fs, &query());
    let listed = &listing.listed[0];
    assert!(listed.description.as_ref().is_some_and(|text| text.ends_with("語...")));
    assert_eq!((listed.lost_chars, codes(&listing)), (4, vec!["codex/skill-description-long"]));
}

#[test]
fn one_name_in_two_files_is_listed_twice_and_told() {
    let fs = MemFs::from_files([
        ("/p/.agents/skills/a/SKILL.md", skill("x", "one")),
        ("/p/.agents/skills/b/SKILL.md", skill("x", "two")),
    ]);
    let listing = listing(&fs, &query());
    assert_eq!((listing.listed.len(), codes(&listing)), (2, vec!["codex/skill-same-name"]));
}

#[test]
fn one_root_under_two_names_has_one_short_name() {
    let mut fs = MemFs::from_files([("/p/.codex/skills/a/SKILL.md", skill("a", "d"))]);
    fs.link("/p/.agents/skills", "../.codex/skills");
    let listing = listing(&fs, &query());
    assert_eq!(listing.roots, [("r0".to_owned(), path("/p/.codex/skills"))]);
    assert_eq!(omitted(&listing), [("/p/.codex/skills/a/SKILL.md", "duplicate")]);
}

#[test]
fn a_skill_in_a_folder_that_is_not_looked_into_has_a_reason() {
    const ROOT: &str = "/p/.agents/skills";
    let text = skill("s", "d");
    let mut fs = MemFs::from_files([
        (format!("{ROOT}/s1/SKILL.md"), &text),
        (format!("{ROOT}/.hidden/SKILL.md"), &text),
        (format!("{ROOT}/1/2/3/4/5/6/7/SKILL.md"), &text),
        (format!("{ROOT}/ta\tb/SKILL.md"), &text),
        (format!("{ROOT}/broken-b/SKILL.md"), &"no frontmatter".to_owned()),
    ]);
    fs.link(format!("{ROOT}/dup"), "s1");
    fs.link(format!("{ROOT}/broken-a"), "broken-b");
    fs.link(format!("{ROOT}/gone"), "nowhere");
    let listing = listing(&fs, &query());
    assert_eq!(listing.rendered, "- s: d (file: r0/dup/SKILL.md)");
    let reasons: Vec<String> = listing
        .omitted
        .iter()
        .map(|left| format!("{} {}: {}", left.file, left.reason.code(), left.reason))
        .map(|line| line.replace(ROOT, "<root>"))
        .collect();
    assert_eq!(
        reasons,
        [
            "<root>/gone broken-link: it is a link that leads nowhere",
            "<root>/broken-a/SKILL.md frontmatter-invalid: its frontmatter cannot be read: the file does not begin with a line of `---`",
            "<root>/.hidden/SKILL.md not-listed: a folder whose name begins with a dot is not looked into",
            "<root>/broken-b/SKILL.md not-listed: its folder is looked at already as `<root>/broken-a`",
            "<root>/s1/SKILL.md duplicate: the same file is loaded already as `<root>/dup/SKILL.md`",
            "<root>/ta\tb/SKILL.md not-listed: a folder with a tab, a line break or an invalid character in its name is not looked into",
            "<root>/1/2/3/4/5/6/7/SKILL.md not-listed: skills are looked for 6 folders down, not deeper",
        ]
    );
}

#[test]
fn finding_real_paths_costs_no_call_per_skill() {
    let skills = |count: usize| {
        let file = |number| format!("/p/.agents/skills/s{number:03}/SKILL.md");
        let fs = MemFs::from_files((0..count).map(|number| (file(number), skill("s", "d"))));
        let seen = memory_core::fs::Recorder::new(&fs);
        let world = World { fs: &seen, env: &Env::default() };
        assert_eq!(list(world, &Profile::default(), &query()).listed.len(), count);
        seen.calls()
    };
    // Per skill: its folder, its file twice, three manifests and one policy.
    assert_eq!(skills(20) - skills(10), 10 * 7);
}

#[test]
fn what_is_not_read_here_is_not_said_to_be_listed_or_not() {
    let deep = format!("---\ndescription: d\nx:\n  {}\n---\n", "[".repeat(100));
    let large = format!("---\n{}---\n", "  - odd: [\n".repeat(1 << 17));
    for text in [deep, large] {
        let fs = MemFs::from_files([("/p/.agents/skills/a/SKILL.md", text)]);
        let listing = listing(&fs, &query());
        let diagnostic = &listing.diagnostics[0];
        assert_eq!(diagnostic.code.0, "codex/skill-too-large");
        assert!(
            diagnostic.message.contains("not read here; the client may still"),
            "{diagnostic:?}"
        );
    }
}

#[test]
fn one_loss_is_told_in_the_singular() {
    let fs = MemFs::from_files([("/p/.agents/skills/b/SKILL.md", skill("b", "second"))]);
    let mut query = query();
    query.settings.max_context_tokens = Some(8);
    let listing = listing(&fs, &query);
    let message = &listing.diagnostics[0].message;
    assert!(message.ends_with(": 1 description is cut"), "{message}");
}
