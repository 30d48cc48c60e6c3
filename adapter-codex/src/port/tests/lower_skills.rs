use memory_core::fs::Content;
use memory_core::model::{
    Applies, Bundle, Invocation, Reach, Skill, SkillExtra, SkillFile, SkillForm,
};
use memory_core::port::{LossKind, LowerOptions};
use memory_core::{RelPath, Scope};

use super::{below, losses, lower, path, paths, placed, world};

fn skill(at: &str, name: &str, description: &str, reach: Reach, main: &str) -> Skill {
    Skill {
        name: name.to_owned(),
        description: description.to_owned(),
        reach,
        applies: Applies::Always,
        invocation: Invocation::ModelAndUser,
        form: SkillForm::Folder,
        path: path(at),
        files: vec![part("SKILL.md", main)],
        main: RelPath::new("SKILL.md").unwrap(),
        extras: Vec::new(),
    }
}

fn command(at: &str, name: &str, description: &str, text: &str) -> Skill {
    let own = at.rsplit('/').next().unwrap();
    Skill {
        form: SkillForm::Command,
        files: vec![part(own, text)],
        main: RelPath::new(own).unwrap(),
        ..skill(at, name, description, below("/p"), "")
    }
}

fn part(at: &str, text: impl AsRef<[u8]>) -> SkillFile {
    SkillFile { path: RelPath::new(at).unwrap(), content: Content::file(text) }
}

fn carry(skills: Vec<Skill>) -> memory_core::port::Lowered {
    let bundle = Bundle { skills, ..Bundle::default() };
    lower(&world(&[]), &bundle, LowerOptions::default())
}

const FINE: &str = "---\ndescription: D\n---\nBody";

#[test]
fn skills_go_to_the_folder_that_serves_them_with_all_their_files() {
    let mut whole = skill("/p/.claude/skills/one", "one", "D", below("/p"), FINE);
    let script = Content::File { bytes: b"#!/bin/sh\n"[..].into(), mode: Some(0o755) };
    whole.files.push(SkillFile { path: RelPath::new("bin/run").unwrap(), content: script.clone() });
    let link = Content::Symlink { target: "bin/run".to_owned() };
    whole.files.push(SkillFile { path: RelPath::new("ln").unwrap(), content: link });
    let lowered = carry(vec![
        skill("/h/.claude/skills/mine", "mine", "D", Reach::everywhere(Scope::User), FINE),
        whole,
        skill("/p/web/.claude/skills/w", "w", "D", below("/p/web"), FINE),
        skill("/p/.x/l", "l", "D", Reach::below(Scope::Local, path("/p")), FINE),
        skill("/etc/m", "m", "D", Reach::everywhere(Scope::Managed), FINE),
    ]);
    let text = "---|description: D|---|Body";
    assert_eq!(
        placed(&lowered),
        [
            format!("/h/.agents/skills/mine/SKILL.md = {text}"),
            format!("/p/.agents/skills/one/SKILL.md = {text}"),
            "/p/.agents/skills/one/bin/run = #!/bin/sh|".to_owned(),
            "/p/.agents/skills/one/ln -> bin/run".to_owned(),
            format!("/p/web/.agents/skills/w/SKILL.md = {text}"),
            format!("/h/.agents/skills/l/SKILL.md = {text}"),
            format!("/h/.agents/skills/m/SKILL.md = {text}"),
        ]
    );
    let memory_core::port::Target::Whole { content, .. } = &lowered.placements[2].to else {
        panic!()
    };
    assert_eq!(*content, script);
    assert_eq!(
        losses(&lowered.losses),
        [
            "scope-narrowed /p/web/.claude/skills/w/SKILL.md > /p/web/.agents/skills/w/SKILL.md",
            "scope-widened /p/.x/l/SKILL.md > /h/.agents/skills/l/SKILL.md",
            "approximated /etc/m/SKILL.md > /h/.agents/skills/m/SKILL.md",
        ]
    );
}

#[test]
fn a_skill_is_shown_as_its_source_shows_it() {
    let lowered = carry(vec![
        skill("/p/.claude/skills/a", "a", "First line", below("/p"), "First line\n"),
        skill(
            "/p/.claude/skills/b",
            "b",
            "D - when",
            below("/p"),
            "---\nname: Other\ndescription: D\nwhen_to_use: when\n---\n",
        ),
        skill("/p/.claude/skills/c", "c", "*D*", below("/p"), "---\ndescription: *D*\n---\nC"),
    ]);
    assert_eq!(
        placed(&lowered),
        [
            "/p/.agents/skills/a/SKILL.md = ---|description: First line|---|First line|",
            "/p/.agents/skills/b/SKILL.md = ---|name: b|description: D - when|when_to_use: when|---|",
            "/p/.agents/skills/c/SKILL.md = ---|description: \"*D*\"|---|C",
        ]
    );
    assert_eq!(lowered.losses, []);
}

#[test]
fn what_the_client_cannot_show_is_told() {
    let long = "word ".repeat(300);
    let mut broken = skill("/p/s/x", "x", "D", below("/p"), "");
    broken.files = vec![part("SKILL.md", b"---\nbad: 'x\ndescription: D\n---\n\xff")];
    let text = format!("---\nname: y\ndescription: {long}\n---\n");
    let name = "n".repeat(70);
    let lowered = carry(vec![
        broken,
        skill("/p/s/y", "y", &long, below("/p"), &text),
        skill("/p/s/z", &name, "D", below("/p"), FINE),
    ]);
    assert_eq!(
        placed(&lowered)[0],
        "/p/.agents/skills/x/SKILL.md = ---|name: x|description: D|---|\u{fffd}"
    );
    assert_eq!(
        losses(&lowered.losses),
        [
            "approximated /p/s/x/SKILL.md > /p/.agents/skills/x/SKILL.md".to_owned(),
            "approximated /p/s/x/SKILL.md > /p/.agents/skills/x/SKILL.md".to_owned(),
            "truncated /p/s/y/SKILL.md:3 > /p/.agents/skills/y/SKILL.md".to_owned(),
            format!("renamed({}) /p/s/z/SKILL.md > /p/.agents/skills/z/SKILL.md", "n".repeat(64)),
        ]
    );
}

#[test]
fn a_linked_main_file_becomes_a_file() {
    let mut linked = skill("/p/s/x", "x", "D", below("/p"), "");
    linked.files[0].content = Content::Symlink { target: "/p/shared.md".to_owned() };
    let lost = Skill { path: path("/p/s/gone"), name: "gone".to_owned(), ..linked.clone() };
    let mut fs = world(&[("/p/shared.md", FINE)]);
    fs.link("/p/s/x/SKILL.md", "/p/shared.md").link("/p/s/gone/SKILL.md", "nowhere");
    let bundle = Bundle { skills: vec![linked, lost], ..Bundle::default() };
    let lowered = lower(&fs, &bundle, LowerOptions::default());
    assert_eq!(placed(&lowered), ["/p/.agents/skills/x/SKILL.md = ---|description: D|---|Body"]);
    assert_eq!(losses(&lowered.losses), ["dropped /p/s/gone/SKILL.md"]);
}

#[test]
fn who_may_start_a_skill_is_kept_where_it_can_be() {
    let user = |at: &str| Skill {
        invocation: Invocation::UserOnly,
        ..skill(&format!("/p/s/{at}"), at, "D", below("/p"), FINE)
    };
    let mut with_file = user("b");
    with_file.files.push(part("agents/openai.yaml", "interface:\n  display_name: B\n"));
    let mut with_bad_file = user("c");
    with_bad_file.files.push(part("agents/openai.yaml", "interface: B\n"));
    let model = Skill {
        invocation: Invocation::ModelOnly,
        applies: paths(&["*.ts"], None, "/p"),
        ..skill("/p/s/d", "d", "D", below("/p"), FINE)
    };
    let lowered = carry(vec![user("a"), with_file, with_bad_file, model]);
    let lines = placed(&lowered);
    let policies: Vec<&String> = lines.iter().filter(|line| line.contains("openai")).collect();
    let hide = "policy:|  allow_implicit_invocation: false|";
    assert_eq!(
        policies,
        [
            &format!("/p/.agents/skills/a/agents/openai.yaml = {hide}"),
            &format!(
                "/p/.agents/skills/b/agents/openai.yaml = interface:|  display_name: B|{hide}"
            ),
            &format!("/p/.agents/skills/c/agents/openai.yaml = {hide}"),
        ]
    );
    assert_eq!(
        losses(&lowered.losses),
        [
            "approximated /p/s/c/agents/openai.yaml > /p/.agents/skills/c/SKILL.md",
            "not-enforced /p/s/d/SKILL.md > /p/.agents/skills/d/SKILL.md",
            "scope-widened /p/s/d/SKILL.md > /p/.agents/skills/d/SKILL.md",
        ]
    );
}

#[test]
fn what_a_client_does_beyond_the_text_is_told_line_by_line() {
    let extra =
        |what: &str, line, replaces_text| SkillExtra { what: what.to_owned(), line, replaces_text };
    let mut found = skill("/p/s/x", "x", "D", below("/p"), FINE);
    found.extras = vec![
        extra("`allowed-tools` lets it use tools", 3, false),
        extra("`$1` is replaced", 9, true),
    ];
    let lowered = carry(vec![found]);
    assert_eq!(
        losses(&lowered.losses),
        [
            "not-enforced /p/s/x/SKILL.md:3 > /p/.agents/skills/x/SKILL.md",
            "approximated /p/s/x/SKILL.md:9 > /p/.agents/skills/x/SKILL.md",
        ]
    );
    assert!(lowered.losses[0].message.starts_with("`allowed-tools` lets it use tools; "));
}

#[test]
fn commands_become_skills_under_the_name_by_which_they_are_called() {
    let lowered = carry(vec![
        command(
            "/p/.claude/commands/fe/deploy.md",
            "fe:deploy",
            "Deploy it: now",
            "---\nmodel: x\n---\nDeploy $1.\n",
        ),
        command("/p/.claude/commands/配備.md", "配備", "配備", "配備する\n"),
        command("/p/.claude/commands/撤回.md", "撤回", "撤回", "撤回する\n"),
    ]);
    assert_eq!(
        placed(&lowered),
        [
            "/p/.agents/skills/fe-deploy/SKILL.md = ---|name: \"fe:deploy\"|description: \"Deploy it: now\"|---|Deploy $1.|",
            "/p/.agents/skills/command/SKILL.md = ---|name: \"配備\"|description: \"配備\"|---|配備する|",
            "/p/.agents/skills/command-2/SKILL.md = ---|name: \"撤回\"|description: \"撤回\"|---|撤回する|",
        ]
    );
    assert_eq!(lowered.losses, []);
    assert_eq!(lowered.placements[0].from[0].path, path("/p/.claude/commands/fe/deploy.md"));
}

#[test]
fn skills_whose_names_differ_in_capitals_only_are_told_apart() {
    let lowered = carry(vec![
        skill("/p/s/Test", "Test", "D", below("/p"), FINE),
        skill("/p/t/test", "test", "D", below("/p"), FINE),
        skill("/h/s/test", "test", "D", Reach::everywhere(Scope::User), FINE),
        skill("/p/s/.odd\tname", "odd name", "D", below("/p"), FINE),
    ]);
    assert_eq!(
        placed(&lowered),
        [
            "/p/.agents/skills/Test/SKILL.md = ---|description: D|---|Body",
            "/p/.agents/skills/test-2/SKILL.md = ---|description: D|---|Body",
            "/h/.agents/skills/test/SKILL.md = ---|description: D|---|Body",
            "/p/.agents/skills/odd-name/SKILL.md = ---|description: D|name: odd name|---|Body",
        ]
    );
    let [loss] = &lowered.losses[..] else { panic!("{:?}", lowered.losses) };
    assert_eq!(loss.how, LossKind::Renamed { to: "test-2".to_owned() });
}

#[test]
fn files_that_mean_more_here_than_at_home_are_told() {
    let mut found = skill("/p/s/x", "x", "D", below("/p"), FINE);
    found.files.push(part("demo/y/SKILL.md", FINE));
    found.files.push(part("demo/z/SKILL.md", "no skill"));
    found.files.push(part("agents/openai.yaml", "policy: {allow_implicit_invocation: false}"));
    let fs = world(&[("/p/.claude-plugin/plugin.json", "{\"name\":\"plug\"}")]);
    let bundle = Bundle { skills: vec![found], ..Bundle::default() };
    let kept = " > /p/.agents/skills/x/SKILL.md";
    assert_eq!(
        losses(&lower(&fs, &bundle, LowerOptions::default()).losses),
        [
            format!("scope-widened /p/s/x/demo/y/SKILL.md{kept}"),
            format!("scope-narrowed /p/s/x/agents/openai.yaml{kept}"),
            format!("renamed(plug:x) /p/s/x/SKILL.md{kept}"),
        ]
    );
}

#[test]
fn a_skill_that_both_clients_read_stays_where_it_is() {
    let mut fs = world(&[("/p/.agents/skills/x/SKILL.md", FINE)]);
    fs.link("/p/.claude/skills", "../.agents/skills");
    let shared = skill("/p/.claude/skills/x", "x", "D", below("/p"), FINE);
    let shown_otherwise = Skill { description: "E".to_owned(), ..shared.clone() };
    for (skill, want) in [(shared, 0), (shown_otherwise, 1)] {
        let bundle = Bundle { skills: vec![skill], ..Bundle::default() };
        let lowered = lower(&fs, &bundle, LowerOptions::default());
        assert_eq!(placed(&lowered), ["in place /p/.claude/skills/x/SKILL.md"]);
        assert_eq!(lowered.losses.len(), want);
    }
}
