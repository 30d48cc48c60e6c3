use memory_core::model::SkillExtra;
use memory_core::port::LossKind;

use super::*;

const PLAIN: &str = "---\nname: deploy\ndescription: Deploys.\n---\n\nBody\n";

fn in_project(mut skill: Skill, folder: &str) -> Skill {
    skill.reach = Reach::below(Scope::Project, path(folder));
    skill
}

#[test]
fn skills_go_with_all_their_files_to_where_they_are_in_force() {
    let mut own = skill("/h/.agents/skills/deploy", "deploy", PLAIN);
    let script = Content::File { bytes: (*b"#!/bin/sh\n").into(), mode: Some(0o755) };
    own.files.push(SkillFile { path: RelPath::new("scripts/run.sh").unwrap(), content: script });
    let link = Content::Symlink { target: "SKILL.md".to_owned() };
    own.files.push(SkillFile { path: RelPath::new("again.md").unwrap(), content: link.clone() });
    let nested = in_project(skill("/w/api/.agents/skills/deploy", "deploy", PLAIN), "/w/api");
    let lowered = lower(&world::<&str>(&[]), &with_skills(vec![own, nested]));
    assert_eq!(
        places(&lowered),
        [
            "/h/.claude/skills/deploy/SKILL.md",
            "/h/.claude/skills/deploy/scripts/run.sh",
            "/h/.claude/skills/deploy/again.md",
            "/w/api/.claude/skills/deploy/SKILL.md",
        ]
    );
    assert_eq!(whole(&lowered, "/h/.claude/skills/deploy/SKILL.md"), PLAIN);
    assert!(matches!(
        &lowered.placements[1].to,
        Target::Whole { content: Content::File { mode: Some(0o755), .. }, .. }
    ));
    assert!(matches!(&lowered.placements[2].to, Target::Whole { content, .. } if *content == link));
    assert!(lowered.losses.is_empty());
}

#[test]
fn names_become_folders_and_no_two_are_the_same() {
    let text = |name: &str| format!("---\nname: {name}\ndescription: d\n---\n");
    let make = |at: &str, name: &str| skill(at, name, &text(name));
    let mut private = make("/w/.agents/skills/p", "p");
    private.reach = Reach::below(Scope::Local, path("/w"));
    let skills = vec![
        make("/h/a", "deploy"),
        in_project(make("/w/b", "Deploy"), "/w"),
        make("/h/c", "sub:cmd"),
        make("/h/d", "日本語"),
        private,
    ];
    let lowered = lower(&world::<&str>(&[]), &with_skills(skills));
    assert_eq!(
        places(&lowered),
        [
            "/h/.claude/skills/deploy/SKILL.md",
            "/w/.claude/skills/Deploy-2/SKILL.md",
            "/h/.claude/skills/sub-cmd/SKILL.md",
            "/h/.claude/skills/日本語/SKILL.md",
            "/h/.claude/skills/p/SKILL.md",
        ]
    );
    assert_eq!(
        lost(&lowered.losses),
        [
            "renamed /w/b/SKILL.md",
            "renamed /h/c/SKILL.md",
            "scope-widened /w/.agents/skills/p/SKILL.md"
        ]
    );
    assert_eq!(lowered.losses[0].how, LossKind::Renamed { to: "Deploy-2".to_owned() });
}

#[test]
fn the_person_s_own_skills_keep_their_names() {
    let fs = world(&[
        ("/h/.claude/skills/deploy/SKILL.md", "---\ndescription: Mine\n---\n"),
        ("/w/.claude/skills/test/SKILL.md", PLAIN),
    ]);
    let skills = vec![
        skill("/h/.agents/skills/deploy", "deploy", PLAIN),
        in_project(skill("/w/.agents/skills/deploy", "deploy", PLAIN), "/w"),
        in_project(skill("/w/.agents/skills/test", "test", PLAIN), "/w"),
    ];
    let lowered = lower(&fs, &with_skills(skills));
    assert_eq!(
        places(&lowered),
        [
            "/h/.claude/skills/deploy-2/SKILL.md",
            "/w/.claude/skills/deploy-3/SKILL.md",
            // The same skill is there already.
            "/w/.claude/skills/test/SKILL.md",
        ]
    );
}

#[test]
fn a_skill_that_both_clients_read_stays() {
    let mut fs = world(&[("/w/.agents/skills/deploy/SKILL.md", PLAIN)]);
    fs.link("/w/.claude/skills", "../.agents/skills");
    let own = in_project(skill("/w/.agents/skills/deploy", "deploy", PLAIN), "/w");
    let lowered = lower(&fs, &with_skills(vec![own.clone()]));
    assert_eq!((places(&lowered), lowered.losses.len()), (vec!["in place".to_owned()], 0));
    let for_person = Skill { invocation: Invocation::UserOnly, ..own };
    assert_eq!(
        lost(&lower(&fs, &with_skills(vec![for_person])).losses),
        ["approximated /w/.agents/skills/deploy/SKILL.md"]
    );
}

/// The file of a skill after it was placed, and how the client reads it.
fn placed(own: Skill) -> (String, Skill, Vec<String>) {
    let lowered = lower(&world::<&str>(&[]), &with_skills(vec![own]));
    let text = whole(&lowered, "/h/.claude/skills/deploy/SKILL.md");
    let fs = world(&[("/h/.claude/skills/deploy/SKILL.md", &text)]);
    let read = read(&fs).value.skills.remove(0);
    (text, read, lost(&lowered.losses))
}

#[test]
fn who_may_start_it_stays_as_it_was() {
    let make = |invocation| Skill { invocation, ..skill("/s/deploy", "deploy", PLAIN) };
    let (text, read, _) = placed(make(Invocation::UserOnly));
    assert_eq!(read.invocation, Invocation::UserOnly);
    assert_eq!(text, PLAIN.replace("---\n\nBody", "disable-model-invocation: true\n---\n\nBody"));
    assert_eq!(placed(make(Invocation::ModelOnly)).1.invocation, Invocation::ModelOnly);
    // Keys that the source does not know must not begin to mean something.
    let odd = "---\ndescription: d\ndisable-model-invocation: true\npaths: \"*.x\"\n---\nBody\n";
    let (text, read, losses) = placed(skill("/s/deploy", "deploy", odd));
    assert_eq!((read.invocation, &read.applies), (Invocation::ModelAndUser, &Applies::Always));
    assert_eq!((text.as_str(), losses.len()), ("---\ndescription: d\n---\nBody\n", 0));
}

#[test]
fn a_description_comes_out_as_the_source_shows_it() {
    for (text, description) in [
        ("---\ndescription: a --- b\n---\nBody\n", "a --- b"),
        ("---\ndescription: \"a\" b\n---\nBody\n", "\"a\" b"),
        ("Body\n", "Not there"),
        ("\u{feff}---\nname: deploy\ndescription: 日本: 語 # x\n---\nBody\n", "日本: 語 # x"),
        ("---\ndescription: x\nwhen_to_use: y\n---\nBody\n", "x"),
        ("---\r\ndescription: *x\r\n---\r\nBody\r\n", "*x"),
        ("---\nname: a---b\ndescription: x\n---\nBody\n", "x"),
        ("---\ndescription: |\n  one\n  two\n---\nBody\n", "one two"),
        ("---\n- list\n---\nBody\n", "d"),
    ] {
        let own =
            Skill { description: description.to_owned(), ..skill("/s/deploy", "deploy", text) };
        let (made, read, losses) = placed(own);
        assert_eq!(read.description, description, "{made}");
        assert!(made.trim_end().ends_with("Body"), "{made}");
        let is_rewritten =
            ["---\nname: a---b", "---\n- list"].iter().any(|start| text.starts_with(start));
        assert_eq!(losses.len(), usize::from(is_rewritten), "{losses:?}");
    }
}

#[test]
fn a_long_description_is_cut_with_a_word() {
    let long = "d".repeat(1_600);
    let own = skill("/s/deploy", "deploy", &format!("---\ndescription: {long}\n---\nBody\n"));
    assert_eq!(placed(own).2, ["truncated /s/deploy/SKILL.md:2"]);
}

#[test]
fn what_either_client_does_beyond_the_text_is_told() {
    let text = "---\ndescription: d\nhooks: {}\n---\nRun `$1` and !`date`\n";
    let mut own = skill("/s/deploy", "deploy", text);
    let extra =
        |what: &str, replaces_text| SkillExtra { what: what.to_owned(), line: 9, replaces_text };
    own.extras = vec![extra("it is checked", false), extra("x is put in the place of y", true)];
    assert_eq!(
        placed(own).2,
        [
            "not-enforced /s/deploy/SKILL.md:9",
            "approximated /s/deploy/SKILL.md:9",
            "approximated /s/deploy/SKILL.md:3",
            "approximated /s/deploy/SKILL.md:5",
            "approximated /s/deploy/SKILL.md:5",
        ]
    );
}

#[test]
fn commands_become_skills_and_unreadable_ones_are_lost() {
    let mut command = skill("/h/x/c.md", "sub:c", "Do it\n");
    command.form = SkillForm::Command;
    command.main = RelPath::new("c.md").unwrap();
    command.files[0].path = command.main.clone();
    let mut broken = skill("/h/b", "b", "x");
    broken.files[0].content = Content::Symlink { target: "gone".to_owned() };
    let lowered = lower(&world::<&str>(&[]), &with_skills(vec![command, broken]));
    assert_eq!(places(&lowered), ["/h/.claude/skills/sub-c/SKILL.md"]);
    assert_eq!(
        lost(&lowered.losses),
        ["renamed /h/x/c.md", "approximated /h/x/c.md", "dropped /h/b/SKILL.md"]
    );
}
