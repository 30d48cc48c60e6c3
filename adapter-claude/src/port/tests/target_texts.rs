use memory_core::model::PathPatterns;
use memory_core::port::LossKind;

use super::*;

fn section(lowered: &Lowered, number: usize) -> (String, String, bool) {
    match &lowered.placements[number].to {
        Target::Section { preface, text, marked, .. } => (preface.clone(), text.clone(), *marked),
        other => panic!("{other:?}"),
    }
}

fn with_reach(mut instruction: Instruction, reach: Reach) -> Instruction {
    instruction.reach = reach;
    instruction
}

#[test]
fn texts_go_into_the_files_that_the_client_reads() {
    let fs = world(&[("/w/web/.claude/CLAUDE.md", "Mine\n"), ("/w/CLAUDE.md", "Mine\n")]);
    let bundle = with_instructions(vec![
        with_reach(instructions("/h/.codex/AGENTS.md", "All\n"), Reach::everywhere(Scope::User)),
        instructions("/w/AGENTS.md", "Top\n"),
        instructions("/w/web/AGENTS.override.md", "Web\n"),
        with_reach(instructions("/etc/x/AGENTS.md", "Rule\n"), Reach::everywhere(Scope::Managed)),
        with_reach(
            instructions("/srv/AGENTS.md", "Far\n"),
            Reach::below(Scope::User, path("/srv")),
        ),
        with_reach(instructions("/w/x.md", "Mine\n"), Reach::below(Scope::Local, path("/w"))),
    ]);
    let lowered = lower(&fs, &bundle);
    assert_eq!(
        places(&lowered),
        [
            "/h/.claude/CLAUDE.md#~/.codex/AGENTS.md",
            "/w/CLAUDE.md#AGENTS.md",
            "/w/web/.claude/CLAUDE.md#web/AGENTS.override.md",
            "/h/.claude/CLAUDE.md#/etc/x/AGENTS.md",
            "/h/.claude/CLAUDE.md#/srv/AGENTS.md",
            "/w/CLAUDE.local.md#x.md",
        ]
    );
    assert_eq!(section(&lowered, 4).0, "Applies only to work in `/srv`:\n\n");
    assert_eq!(
        lost(&lowered.losses),
        ["approximated /etc/x/AGENTS.md", "scope-widened /srv/AGENTS.md"]
    );
    assert!(lowered.losses.iter().all(|loss| loss.kept_in == Some(path("/h/.claude/CLAUDE.md"))));
    assert_eq!(lowered.diagnostics[0].code.0, "claude/private-file");
}

#[test]
fn agents_md_stays_where_the_client_reads_it_all() {
    let files = [("/w/AGENTS.md", "Top\n"), ("/w/api/AGENTS.md", "Api\n")];
    let bundle = with_instructions(files.map(|(at, text)| instructions(at, text)).to_vec());
    let fs = world(&files);
    let lowered = lower(&fs, &bundle);
    assert_eq!(places(&lowered), ["in place", "in place"]);
    assert!(lowered.losses.is_empty());
    // One thing that is not so, and none is.
    for (at, text) in [
        ("/w/CLAUDE.md", "Own\n"),
        ("/w/.claude/CLAUDE.md", "Own\n"),
        ("/w/CLAUDE.local.md", "Own\n"),
        ("/w/api/CLAUDE.md", ""),
        ("/w/AGENTS.md", "Other\n"),
        (
            "/h/.claude/settings.json",
            r#"{"enabledPlugins": {"cc-plugin-agents-md@builtin": false}}"#,
        ),
    ] {
        let mut fs = world(&files);
        fs.file(at, text);
        assert!(!places(&lower(&fs, &bundle)).contains(&"in place".to_owned()), "{at}");
    }
    let earlier = Claude { profile: Profile::CLAUDE_2_1_197 };
    let lowered = earlier
        .lower(World { fs: &fs, env: &env() }, &place(), &bundle, &LowerOptions::default())
        .unwrap();
    assert_eq!(places(&lowered)[0], "/w/CLAUDE.md#AGENTS.md");
}

#[test]
fn a_private_file_in_the_project_or_an_override_turns_the_fallback_off_for_all() {
    let fs = world(&[("/w/AGENTS.md", "Top\n"), ("/w/api/AGENTS.override.md", "Api\n")]);
    let own = instructions("/w/AGENTS.md", "Top\n");
    let local =
        with_reach(instructions("/w/x.md", "Mine\n"), Reach::below(Scope::Local, path("/w")));
    for other in [local, instructions("/w/api/AGENTS.override.md", "Api\n")] {
        let lowered = lower(&fs, &with_instructions(vec![own.clone(), other]));
        assert_eq!(places(&lowered)[0], "/w/CLAUDE.md#AGENTS.md");
    }
}

#[test]
fn a_link_or_an_import_reads_the_file_already() {
    let bundle = with_instructions(vec![instructions("/w/AGENTS.md", "Top\n")]);
    let mut fs = world(&[("/w/AGENTS.md", "Top\n")]);
    fs.link("/w/CLAUDE.md", "AGENTS.md");
    let lowered = lower(&fs, &bundle);
    assert_eq!((places(&lowered), lowered.losses.len()), (vec!["in place".to_owned()], 0));
    assert!(
        view(&fs, "/w").texts.iter().any(|(at, text)| *at == path("/w/AGENTS.md") && text == "Top")
    );

    let mut fs = world(&[("/w/AGENTS.md", "Top\n"), ("/w/CLAUDE.md", "See @AGENTS.md\n")]);
    let lowered = lower(&fs, &bundle);
    assert_eq!(places(&lowered), ["in place"]);
    assert_eq!(lost(&lowered.losses), ["scope-narrowed /w/AGENTS.md"]);
    fs.file(
        "/h/.claude.json",
        r#"{"projects": {"/w": {"hasClaudeMdExternalIncludesApproved": true}}}"#,
    );
    assert!(lower(&fs, &bundle).losses.is_empty());

    let mut fs = world(&[("/w/AGENTS.md", "Top\n")]);
    fs.link("/w/CLAUDE.md", "elsewhere.md").file("/w/elsewhere.md", "x\n");
    assert_eq!(places(&lower(&fs, &bundle)), ["/w/CLAUDE.md#AGENTS.md"]);
}

#[test]
fn what_the_client_reads_otherwise_is_named_with_its_line() {
    let text =
        "---\na: b\n---\n# T\n\n<!-- note\nmore -->\n\nSee @docs/a.md, @docs/a.md and @gone.md\n";
    let fs = world(&[("/w/docs/a.md", "A\n"), ("/w/CLAUDE.md", "Own\n")]);
    let lowered = lower(&fs, &with_instructions(vec![instructions("/w/AGENTS.md", text)]));
    let (_, placed, marked) = section(&lowered, 0);
    assert_eq!((placed.as_str(), marked), (text, true));
    assert_eq!(lost(&lowered.losses), ["dropped /w/AGENTS.md:6", "scope-widened /w/AGENTS.md:9"]);
    assert_eq!(lowered.losses[0].kept_in, Some(path("/w/CLAUDE.md")));
    let plain = lower(&fs, &with_instructions(vec![instructions("/w/AGENTS.md", "- a\n")]));
    assert!(!section(&plain, 0).2);
}

#[test]
fn files_that_are_no_longer_read_are_told() {
    let fs = world(&[("/w/AGENTS.md", "Top\n"), ("/w/AGENTS.override.md", "Other\n")]);
    let bundle = with_instructions(vec![instructions("/w/AGENTS.override.md", "Other\n")]);
    let told = lower(&fs, &bundle).diagnostics;
    assert_eq!(
        (told[0].code.0, &told[0].path),
        ("claude/agents-md-blocked", &Some(path("/w/AGENTS.md")))
    );
}

fn rule(at: &str, reach: Reach, patterns: Option<(&[&str], Option<&str>)>) -> Rule {
    let applies = patterns.map_or(Applies::Always, |(list, folder)| {
        Applies::Paths(PathPatterns {
            patterns: list.iter().map(|one| (*one).to_owned()).collect(),
            folder: folder.map(path),
            within: path("/w"),
        })
    });
    Rule { text: "Text\n".to_owned(), reach, applies, file: file(at, "Text\n") }
}

#[test]
fn rules_that_wait_become_rules_that_wait() {
    let fs = world(&[("/w/src/a", "")]);
    let below = |scope| Reach::below(scope, path("/w"));
    let lowered = lower(
        &fs,
        &with_rules(vec![
            rule("/w/.x/style.mdc", below(Scope::Project), Some((&["src/**"], Some("/w/src")))),
            rule("/w/.x/sub/style.mdc", below(Scope::Project), Some((&["*.\"q---"], None))),
            rule("/h/.x/mine.mdc", below(Scope::Local), Some((&["*.ts"], None))),
            rule("/w/.x/always.mdc", below(Scope::Project), None),
        ]),
    );
    assert_eq!(
        places(&lowered),
        [
            "/w/.claude/rules/style.md",
            "/w/.claude/rules/style-2.md",
            "/h/.claude/rules/mine.md",
            "/w/CLAUDE.md#.x/always.mdc",
        ]
    );
    assert_eq!(
        whole(&lowered, "/w/.claude/rules/style.md"),
        "---\npaths:\n  - \"/src/**\"\n---\n\nText\n"
    );
    let odd = whole(&lowered, "/w/.claude/rules/style-2.md");
    let mut fs = world(&[("/w/.claude/rules/o.md", odd)]);
    let found = read(&fs).value;
    assert!(
        matches!(&found.rules[0].applies, Applies::Paths(found) if found.patterns == ["*.\"q---"])
    );
    assert_eq!(
        lost(&lowered.losses),
        [
            "approximated /w/.x/sub/style.mdc",
            "scope-widened /h/.x/mine.mdc",
            "approximated /h/.x/mine.mdc",
        ]
    );
    assert!(lowered.losses.iter().all(|loss| loss.how != LossKind::Dropped));
    fs.remove("/w/.claude");
}

#[test]
fn a_view_shows_texts_skills_and_memory() {
    let fs = world(&[
        ("/w/CLAUDE.md", "Own\n"),
        ("/w/api/CLAUDE.md", "Api\n"),
        ("/h/.claude/projects/-w/memory/MEMORY.md", "- x\n"),
        ("/w/.claude/skills/a/SKILL.md", "---\ndescription: d\n---\n"),
        (
            "/w/.claude/skills/p/SKILL.md",
            "---\ndescription: d\ndisable-model-invocation: true\n---\n",
        ),
        ("/w/.claude/skills/t/SKILL.md", "---\ndescription: d\npaths: \"*.ts\"\n---\n"),
    ]);
    let seen = view(&fs, "/w/api");
    let texts: Vec<_> = seen.texts.iter().map(|(at, text)| format!("{at} {text}")).collect();
    assert_eq!(
        texts,
        ["/w/CLAUDE.md Own", "/w/api/CLAUDE.md Api", "/h/.claude/projects/-w/memory/MEMORY.md - x"]
    );
    assert_eq!(seen.skills.len(), 3);
    assert!(seen.probes.missing.contains(&path("/w/api/CLAUDE.local.md")));
    assert_eq!(view(&fs, "/w/not/there").texts.len(), 2);
}
