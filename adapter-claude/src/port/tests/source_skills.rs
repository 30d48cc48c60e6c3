use memory_core::port::LossKind;

use super::*;

fn read_skills(fs: &MemFs) -> Vec<Skill> {
    read(fs).value.skills
}

fn names(skills: &[Skill]) -> Vec<&str> {
    skills.iter().map(|skill| skill.name.as_str()).collect()
}

#[test]
fn skills_and_commands_are_read_with_all_their_files() {
    let mut fs = world(&[
        (
            "/w/.claude/skills/a/SKILL.md",
            "---\ndescription: \"Does <a>\"\nwhen_to_use: often\n---\nBody\n",
        ),
        ("/w/.claude/skills/a/scripts/run.sh", "#!/bin/sh\n"),
        ("/w/.claude/skills/a/.git/HEAD", "x"),
        ("/h/.claude/skills/u/SKILL.md", "First line\n"),
        ("/w/.claude/commands/sub/c.md", "Do $ARGUMENTS\n"),
        ("/w/api/.claude/skills/n/SKILL.md", "---\ndescription: n\n---\n"),
        ("/etc/claude-code/.claude/skills/m/SKILL.md", "---\ndescription: m\n---\n"),
    ]);
    fs.mode("/w/.claude/skills/a/scripts/run.sh", 0o755)
        .link("/w/.claude/skills/a/again.md", "SKILL.md");
    let skills = read_skills(&fs);
    assert_eq!(names(&skills), ["m", "u", "a", "sub:c", "n"]);
    let a = &skills[2];
    assert_eq!(a.description, "Does <a> - often");
    assert_eq!(a.reach, Reach::below(Scope::Project, path("/w")));
    let files: Vec<_> = a.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(files, ["SKILL.md", "again.md", "scripts/run.sh"]);
    assert_eq!(a.files[1].content, Content::Symlink { target: "SKILL.md".to_owned() });
    assert!(matches!(a.files[2].content, Content::File { mode: Some(0o755), .. }));
    assert_eq!(skills[0].reach, Reach::everywhere(Scope::Managed));
    assert_eq!(
        (skills[1].description.as_str(), skills[1].reach.scope),
        ("First line", Scope::User)
    );
    let command = &skills[3];
    assert_eq!(
        (command.form, command.path.as_str()),
        (SkillForm::Command, "/w/.claude/commands/sub/c.md")
    );
    assert_eq!((command.main.as_str(), command.files.len()), ("c.md", 1));
    assert_eq!(command.reach, Reach::below(Scope::Project, path("/w")));
    assert_eq!(skills[4].reach, Reach::below(Scope::Project, path("/w/api")));
}

#[test]
fn a_description_that_is_written_and_not_read_is_told() {
    let fs = world(&[
        ("/w/.claude/skills/a/SKILL.md", "---\nname: a\ndescription: [x, y]\n---\nFirst\n"),
        ("/w/.claude/skills/b/SKILL.md", "---\nname: 'b\ndescription: Does b\n---\nFirst\n"),
        ("/w/.claude/skills/c/SKILL.md", "---\ndescription: \"\"\n---\nFirst\n"),
        ("/w/.claude/skills/d/SKILL.md", "First\n"),
        ("/w/.claude/skills/e/SKILL.md", "---\ndescription: Does e\n---\nFirst\n"),
    ]);
    let found = read(&fs);
    let descriptions: Vec<_> =
        found.value.skills.iter().map(|skill| skill.description.as_str()).collect();
    assert_eq!(descriptions, ["First", "First", "First", "First", "Does e"]);
    let told: Vec<_> = found
        .diagnostics
        .iter()
        .map(|told| (told.code.0, told.path.as_ref().unwrap().as_str(), told.line))
        .collect();
    let code = "claude/description-unread";
    assert_eq!(
        told,
        [
            (code, "/w/.claude/skills/a/SKILL.md", Some(3)),
            (code, "/w/.claude/skills/b/SKILL.md", Some(3))
        ]
    );
}

#[test]
fn who_may_start_a_skill_is_kept() {
    let fs = world(&[
        (
            "/w/.claude/skills/p/SKILL.md",
            "---\ndescription: d\ndisable-model-invocation: true\n---\n",
        ),
        ("/w/.claude/skills/m/SKILL.md", "---\ndescription: d\nuser-invocable: false\n---\n"),
        ("/w/.claude/skills/o/SKILL.md", "---\ndescription: d\n---\n"),
        ("/w/.claude/skills/w/SKILL.md", "---\ndescription: d\npaths: src/**/*\n---\n"),
        ("/w/.claude/skills/x/SKILL.md", "---\ndescription: d\n---\n"),
        ("/w/src/a", ""),
        (
            "/w/.claude/settings.json",
            r#"{"skillOverrides": {"x": "off", "o": "user-invocable-only"}}"#,
        ),
    ]);
    let found = read(&fs);
    let skills = &found.value.skills;
    assert_eq!(names(skills), ["m", "o", "p", "w"]);
    let invocations: Vec<_> = skills.iter().map(|skill| skill.invocation).collect();
    assert_eq!(
        invocations,
        [
            Invocation::ModelOnly,
            Invocation::UserOnly,
            Invocation::UserOnly,
            Invocation::ModelAndUser
        ]
    );
    assert!(
        matches!(&skills[3].applies, Applies::Paths(found) if found.folder == Some(path("/w/src")))
    );
    assert_eq!(found.diagnostics[0].path, Some(path("/w/.claude/skills/x")));
}

#[test]
fn what_the_client_does_with_a_skill_is_told_by_its_lines() {
    let text = "---\ndescription: d\nallowed-tools: Bash\nhooks: {}\n---\nRun $1 in ${CLAUDE_SKILL_DIR}\n\n!`git status` and @a.md @gone.md \\$ARGUMENTS\n";
    let fs = world(&[("/w/.claude/skills/s/SKILL.md", text), ("/w/a.md", "")]);
    let extras = read_skills(&fs).remove(0).extras;
    let told: Vec<_> =
        extras.iter().map(|extra| (extra.line, extra.replaces_text, extra.what.as_str())).collect();
    assert_eq!(told.len(), 6, "{told:?}");
    assert_eq!((told[0].0, told[0].1), (3, false));
    assert_eq!((told[1].0, told[1].1), (4, false));
    assert!(told[2].1 && told[2].0 == 6 && told[2].2.contains("`$1`"));
    assert!(told[3].0 == 6 && told[3].2.contains("CLAUDE_SKILL_DIR"));
    assert!(told[4].0 == 8 && told[4].2.contains("git status"));
    assert!(told[5].0 == 8 && told[5].2.contains("`a.md`"));
}

#[test]
fn links_that_lead_away_are_lost_and_linked_skills_are_private() {
    let mut fs = world(&[
        ("/w/.claude/skills/s/SKILL.md", "---\ndescription: d\n---\n"),
        ("/w/docs/guide.md", ""),
        ("/srv/shared/l/SKILL.md", "---\ndescription: d\n---\n"),
        ("/etc/secret", ""),
    ]);
    fs.link("/w/.claude/skills/s/guide.md", "../../../docs/guide.md")
        .link("/w/.claude/skills/s/out.md", "/etc/secret")
        .link("/w/.claude/skills/l", "/srv/shared/l");
    let found = read(&fs);
    let skills = &found.value.skills;
    assert_eq!(names(skills), ["l", "s"]);
    assert_eq!(skills[0].reach, Reach::below(Scope::Local, path("/w")));
    assert_eq!(skills[1].files.len(), 2);
    assert_eq!(lost(&found.value.left_out), ["dropped /w/.claude/skills/s/out.md"]);
    assert_eq!(found.value.left_out[0].how, LossKind::Dropped);
    assert_eq!(found.diagnostics[0].code.0, "claude/linked-skill");
}

#[test]
fn a_skill_that_another_one_hides_is_told() {
    let text = "---\ndescription: d\n---\n";
    let fs = world(&[
        ("/w/.claude/skills/s/SKILL.md", text),
        ("/h/.claude/skills/s/SKILL.md", text),
        ("/h/.claude/settings.json", r#"{"enabledPlugins": {"p@m": true}}"#),
    ]);
    let found = read(&fs);
    assert_eq!(found.value.skills.len(), 1);
    assert_eq!(found.value.skills[0].path, path("/h/.claude/skills/s"));
    let codes: Vec<_> = found.diagnostics.iter().map(|told| told.code.0).collect();
    assert_eq!(codes, ["claude/not-carried", "claude/plugins-not-carried"]);
}
