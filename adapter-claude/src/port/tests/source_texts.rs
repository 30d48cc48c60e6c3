use memory_core::model::{Applies, PathPatterns};
use memory_core::{LayerKind, Scope};

use super::*;

/// Every text with its file, its scope and its folder.
fn texts(bundle: &Bundle) -> Vec<(String, &'static str, String)> {
    let reach = |reach: &Reach| {
        let folder = reach.folder.as_ref().map_or("everywhere".to_owned(), ToString::to_string);
        (reach.scope.as_str(), folder)
    };
    let instructions = bundle.instructions.iter().map(|found| (&found.file, &found.reach));
    let rules = bundle.rules.iter().map(|rule| (&rule.file, &rule.reach));
    instructions
        .chain(rules)
        .map(|(file, found)| {
            let (scope, folder) = reach(found);
            (file.path.to_string(), scope, folder)
        })
        .collect()
}

fn patterns(bundle: &Bundle, at: &str) -> PathPatterns {
    let rule = bundle.rules.iter().find(|rule| rule.file.path.as_str() == at);
    match &rule.unwrap_or_else(|| panic!("no rule {at}")).applies {
        Applies::Paths(patterns) => patterns.clone(),
        Applies::Always => panic!("{at} always applies"),
    }
}

/// What the patterns of one rule come down to, in a project with these files.
fn folder_of(paths: &str, files: &[&str]) -> (Option<String>, String) {
    let mut fs = world::<&str>(&[]);
    fs.file("/w/.claude/rules/r.md", format!("---\npaths: {paths}\n---\nText\n"));
    for file in files {
        fs.file(file, "");
    }
    let found = patterns(&read(&fs).value, "/w/.claude/rules/r.md");
    (found.folder.map(|folder| folder.to_string()), found.within.to_string())
}

#[test]
fn a_start_gives_its_texts_as_they_are_shown() {
    let fs = world(&[
        ("/h/.claude/CLAUDE.md", "User\n"),
        ("/h/.claude/rules/u.md", "User rule\n"),
        ("/etc/claude-code/CLAUDE.md", "Managed\n"),
        ("/w/CLAUDE.md", "---\na: b\n---\n<!-- c -->\nOwn @docs/a.md\n\n"),
        ("/w/docs/a.md", "Imported\n"),
        ("/w/CLAUDE.local.md", "Local\n"),
        ("/w/.claude/rules/r.md", "Rule\n"),
    ]);
    let found = read(&fs);
    let want = [
        ("/etc/claude-code/CLAUDE.md", "managed", "everywhere"),
        ("/h/.claude/CLAUDE.md", "user", "everywhere"),
        ("/w/CLAUDE.md", "project", "/w"),
        ("/w/docs/a.md", "project", "/w"),
        ("/w/CLAUDE.local.md", "local", "/w"),
        ("/h/.claude/rules/u.md", "user", "everywhere"),
        ("/w/.claude/rules/r.md", "project", "/w"),
    ];
    let want = want.map(|(path, scope, folder)| (path.to_owned(), scope, folder.to_owned()));
    assert_eq!(texts(&found.value), want);
    let own = &found.value.instructions[2];
    assert_eq!(own.text, "Own @docs/a.md");
    assert!(own.file.content.bytes().unwrap().starts_with(b"---"));
    let import = &found.value.instructions[3];
    assert_eq!(import.imported, Some((path("/w/CLAUDE.md"), 5)));
    assert_eq!(import.kind, LayerKind::Import);
    assert!(found.value.left_out.is_empty() && found.diagnostics.is_empty());
}

#[test]
fn a_managed_text_stands_in_its_settings_file() {
    let at = "/etc/claude-code/managed-settings.json";
    let fs = world(&[(at, "{\"claudeMd\": \"Be kind\"}")]);
    let found = read(&fs).value;
    assert_eq!(found.instructions[0].file.path.as_str(), at);
    assert_eq!(found.instructions[0].text, "Be kind");
}

#[test]
fn what_lies_above_the_project_or_leads_out_of_it_is_private() {
    let fs = world(&[
        ("/w/CLAUDE.md", "Own @~/.claude/mine.md\n"),
        ("/h/.claude/mine.md", "Mine\n"),
        (
            "/h/.claude.json",
            r#"{"projects": {"/w": {"hasClaudeMdExternalIncludesApproved": true}}}"#,
        ),
    ]);
    let found = read(&fs).value;
    assert_eq!(found.instructions[1].reach, Reach::below(Scope::Local, path("/w")));
    let mut fs = world(&[("/CLAUDE.md", "never"), ("/srv/CLAUDE.md", "Above\n")]);
    fs.file("/srv/p/a", "").file("/srv/p/CLAUDE.md", "Own\n");
    let place = PortPlace { project: path("/srv/p"), home: path("/h") };
    let world = World { fs: &fs, env: &env() };
    let found = Claude::default().read_bundle(world, &place).unwrap().value;
    assert_eq!(found.instructions[0].reach, Reach::below(Scope::User, path("/srv")));
    assert_eq!(found.instructions[1].reach, Reach::below(Scope::Project, path("/srv/p")));
}

#[test]
fn folders_below_give_what_a_touch_would_bring_along() {
    let fs = world(&[
        ("/w/CLAUDE.md", "Top @docs/a.md\n"),
        ("/w/docs/a.md", "Shared\n"),
        ("/w/api/CLAUDE.md", "\n  Api @../docs/a.md @b.md\n"),
        ("/w/api/b.md", "B\n"),
        ("/w/api/v1/CLAUDE.md", "V1 @../b.md\n"),
        ("/w/web/CLAUDE.md", "Web @../api/b.md\n"),
        ("/w/web/CLAUDE.local.md", "Mine\n"),
        ("/w/web/.claude/CLAUDE.md", "Hidden away\n"),
        ("/w/web/.claude/rules/r.md", "---\npaths: \"*.css\"\n---\nCss\n"),
        ("/w/web/.claude/rules/s.md", "Always\n"),
    ]);
    let found = read(&fs).value;
    let nested: Vec<_> =
        found.instructions.iter().skip(2).map(|one| one.file.path.to_string()).collect();
    let want = [
        "/w/api/CLAUDE.md",
        "/w/api/b.md",
        "/w/api/v1/CLAUDE.md",
        "/w/web/CLAUDE.md",
        // A session that only touches `web` is given it too.
        "/w/api/b.md",
        "/w/web/.claude/CLAUDE.md",
        "/w/web/CLAUDE.local.md",
    ];
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(sorted(nested), sorted(want.map(str::to_owned).to_vec()));
    assert_eq!(found.instructions[2].text, "\n  Api @../docs/a.md @b.md\n");
    assert_eq!(found.rules[0].file.path.as_str(), "/w/web/.claude/rules/s.md");
    assert_eq!(patterns(&found, "/w/web/.claude/rules/r.md").within, path("/w/web"));
}

#[test]
fn agents_md_is_read_where_there_is_no_file_of_the_client_s_own() {
    let files = [("/w/AGENTS.md", "Top\n"), ("/w/api/AGENTS.md", "Api\n")];
    let found = read(&world(&files)).value;
    let kinds: Vec<_> = found.instructions.iter().map(|one| one.kind).collect();
    assert_eq!(kinds, [LayerKind::AgentsMd, LayerKind::AgentsMd]);
    let mut fs = world(&files);
    fs.file("/w/CLAUDE.md", "Own\n");
    let found = read(&fs);
    assert_eq!(found.value.instructions.len(), 1);
    let told: Vec<_> = found.diagnostics.iter().map(|told| told.code.0).collect();
    assert_eq!(told, ["claude/not-carried"]);
}

#[test]
fn what_belongs_to_others_is_named_and_left() {
    let mut fs = world(&[
        ("/w/node_modules/p/CLAUDE.md", "Package\n"),
        ("/w/lib/.git/HEAD", ""),
        ("/w/lib/CLAUDE.md", "Lib\n"),
        ("/w/lib/.claude/skills/s/SKILL.md", "---\ndescription: d\n---\n"),
        ("/out/tools/CLAUDE.md", "Out\n"),
        ("/out/plain/a.txt", ""),
        ("/w/sub/.git", "gitdir: /w/.git/modules/sub\n"),
        ("/w/sub/CLAUDE.md", "Module\n"),
    ]);
    fs.link("/w/tools", "/out").link("/w/plain", "/out/plain").link("/w/same", "lib");
    let found = read(&fs).value;
    assert!(found.instructions.is_empty() && found.skills.is_empty());
    assert_eq!(
        lost(&found.left_out),
        [
            "dropped /w/tools",
            "dropped /w/lib/CLAUDE.md",
            "dropped /w/node_modules/p/CLAUDE.md",
            "dropped /w/sub/CLAUDE.md",
            "dropped /w/lib/.claude/skills/s",
        ]
    );
    assert!(found.left_out[1].message.contains("run the port there"));
}

#[test]
fn another_checkout_of_the_repository_is_named_once() {
    let fs = world(&[
        ("/w/.claude/worktrees/x/.git", "gitdir: /w/.git/worktrees/x\n"),
        ("/w/.git/worktrees/x/commondir", "../..\n"),
        ("/w/.git/worktrees/x/gitdir", "/w/.claude/worktrees/x/.git\n"),
        ("/w/.claude/worktrees/x/CLAUDE.md", "Copy\n"),
        ("/w/.claude/worktrees/x/a/CLAUDE.md", "Copy\n"),
    ]);
    assert_eq!(lost(&read(&fs).value.left_out), ["dropped /w/.claude/worktrees/x"]);
}

#[test]
fn what_is_excluded_or_switched_off_is_told_once() {
    let mut fs = world(&[
        ("/w/CLAUDE.md", "Own\n"),
        ("/w/api/CLAUDE.md", "Api\n"),
        ("/w/.claude/settings.json", "{\"claudeMdExcludes\": [\"**/CLAUDE.md\"]}"),
    ]);
    let found = read(&fs);
    assert!(found.value.instructions.is_empty() && found.value.left_out.is_empty());
    let told: Vec<_> = found.diagnostics.iter().map(|told| told.path.clone().unwrap()).collect();
    assert_eq!(told, [path("/w/CLAUDE.md"), path("/w/api/CLAUDE.md")]);
    fs.file("/w/.claude/settings.json", r#"{"env": {"CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1"}}"#);
    let found = read(&fs);
    assert!(found.value.instructions.is_empty());
    assert!(found.diagnostics[0].message.contains("CLAUDE_CODE_DISABLE_CLAUDE_MDS"));
}

#[test]
fn imports_of_a_rule_that_waits_are_there_from_the_start() {
    let fs = world(&[
        ("/w/.claude/rules/r.md", "---\npaths: \"*.ts\"\n---\n Wait @a.md\n"),
        ("/w/.claude/rules/a.md", "Now\n"),
        ("/h/.claude/rules/u.md", "---\npaths: src/**\n---\nMine\n"),
        ("/w/src/x", ""),
    ]);
    let found = read(&fs).value;
    assert_eq!(found.rules.last().unwrap().text, "Wait @a.md\n");
    assert_eq!(patterns(&found, "/w/.claude/rules/r.md").patterns, ["*.ts"]);
    // What is the person's own counts from wherever a session starts.
    assert_eq!(patterns(&found, "/h/.claude/rules/u.md").folder, None);
    assert!(
        found.rules.iter().all(|rule| rule.file.path.as_str() != "/w/.claude/rules/a.md")
            || found.instructions.is_empty()
    );
}

#[test]
fn patterns_of_one_folder_come_down_to_it() {
    let files = ["/w/src/a.ts", "/w/src/lib/b.ts", "/w/docs/x"];
    for paths in [
        "/src/**",
        "src/**/*",
        "src/*",
        "src/**/",
        "\"src/\"",
        "src/**",
        "src",
        "**/src/**",
        "SRC/*",
    ] {
        assert_eq!(
            folder_of(paths, &files),
            (Some("/w/src".to_owned()), "/w/src".to_owned()),
            "{paths}"
        );
    }
    for (paths, folder, within) in [
        ("src/lib/**", Some("/w/src/lib"), "/w/src/lib"),
        ("lib/**", Some("/w/src/lib"), "/w/src/lib"),
        ("\"src/**/*, src/lib/*.ts\"", Some("/w/src"), "/w/src"),
        ("\"**/*\"", Some("/w"), "/w"),
        ("src/*.ts", None, "/w/src"),
        ("src/lib/*.ts", None, "/w/src/lib"),
        ("src/gone/**/*.ts", None, "/w/src"),
        ("\"*.ts\"", None, "/w"),
        ("\"src/**/*, docs/**/*\"", None, "/w"),
        ("\"src/**/*, !src/lib/b.ts\"", None, "/w/src"),
        ("./src/**", None, "/w"),
        ("gone/**", None, "/w"),
    ] {
        let want = (folder.map(str::to_owned), within.to_owned());
        assert_eq!(folder_of(paths, &files), want, "{paths}");
    }
}

#[test]
fn a_pattern_that_floats_means_the_only_folder_of_its_name() {
    let one = ["/w/src/a", "/w/node_modules/p/src/b", "/w/lib/.git/x", "/w/lib/src/c"];
    assert_eq!(folder_of("src/**", &one).0.as_deref(), Some("/w/src"));
    let two = ["/w/src/a", "/w/packages/web/src/b"];
    assert_eq!(folder_of("src/**", &two).0, None);
    assert_eq!(folder_of("/src/**", &two).0.as_deref(), Some("/w/src"));
    let case = ["/w/src/a", "/w/packages/SRC/b"];
    assert_eq!(folder_of("src/**", &case).0, None);
    let same = ["/w/src/a", "/w/SRC/b"];
    assert_eq!(folder_of("/src/**", &same).0, None);
}

#[test]
fn a_deep_and_wide_tree_is_walked() {
    let mut fs = world::<&str>(&[]);
    let deep = format!("/w{}", "/d".repeat(200));
    fs.file(format!("{deep}/CLAUDE.md"), "Deep\n");
    for number in 0..3_000 {
        fs.file(format!("/w/wide/{number}/a"), "");
    }
    let found = read(&fs).value;
    assert_eq!(found.instructions.len(), 1);
}
