use memory_core::Scope;
use memory_core::model::{Applies, Bundle, Reach};
use memory_core::port::{LowerOptions, OverBudget};

use super::{below, codes, instruction, losses, lower, path, paths, placed, rule, world};

fn texts(
    instructions: Vec<memory_core::model::Instruction>,
    rules: Vec<memory_core::model::Rule>,
) -> Bundle {
    Bundle { instructions, rules, ..Bundle::default() }
}

fn mine() -> Reach {
    Reach::everywhere(Scope::User)
}

#[test]
fn texts_go_where_the_client_reads_them() {
    let bundle = texts(
        vec![
            instruction("/h/.claude/CLAUDE.md", "Mine.", mine()),
            instruction("/p/CLAUDE.md", "Root.\n", below("/p")),
            instruction("/p/docs/style.md", "Style.", below("/p")),
            instruction("/p/web/CLAUDE.md", "Web.", below("/p/web")),
            instruction("/p/CLAUDE.local.md", "Local.", Reach::below(Scope::Local, path("/p"))),
            instruction("/CLAUDE.md", "Above.", Reach::below(Scope::User, path("/"))),
            instruction("/etc/x/CLAUDE.md", "Managed.", Reach::everywhere(Scope::Managed)),
        ],
        vec![rule("/p/.claude/rules/a.md", "Rule.", below("/p"), Applies::Always)],
    );
    let lowered = lower(&world(&[]), &bundle, LowerOptions::default());
    assert_eq!(
        placed(&lowered),
        [
            "/h/.codex/AGENTS.md [~/.claude/CLAUDE.md] Mine.",
            "/h/.codex/AGENTS.md [CLAUDE.local.md] Applies only to work in `/p`:||Local.",
            "/h/.codex/AGENTS.md [/CLAUDE.md] Applies only to work in `/`:||Above.",
            "/h/.codex/AGENTS.md [/etc/x/CLAUDE.md] Managed.",
            "/p/AGENTS.md [CLAUDE.md] Root.|",
            "/p/AGENTS.md [docs/style.md] Style.",
            "/p/AGENTS.md [.claude/rules/a.md] Rule.",
            "/p/web/AGENTS.md [web/CLAUDE.md] Web.",
        ]
    );
    assert_eq!(
        losses(&lowered.losses),
        [
            "scope-widened /p/CLAUDE.local.md > /h/.codex/AGENTS.md",
            "scope-widened /CLAUDE.md > /h/.codex/AGENTS.md",
            "approximated /etc/x/CLAUDE.md > /h/.codex/AGENTS.md",
            "scope-narrowed /p/web/CLAUDE.md > /p/web/AGENTS.md",
        ]
    );
}

#[test]
fn the_file_that_hides_the_others_is_taken() {
    let bundle = texts(
        vec![
            instruction("/h/.claude/CLAUDE.md", "Mine.", mine()),
            instruction("/p/CLAUDE.md", "Root.", below("/p")),
            instruction("/p/a/CLAUDE.md", "A.", below("/p/a")),
        ],
        Vec::new(),
    );
    let mut fs = world(&[
        ("/h/.codex/AGENTS.override.md", "Override."),
        ("/p/AGENTS.override.md", ""),
        ("/p/AGENTS.md", "Hidden."),
    ]);
    fs.dir("/p/a/AGENTS.md");
    let files: Vec<String> = placed(&lower(&fs, &bundle, LowerOptions::default()))
        .iter()
        .map(|line| line.split(' ').next().unwrap().to_owned())
        .collect();
    assert_eq!(
        files,
        ["/h/.codex/AGENTS.override.md", "/p/AGENTS.override.md", "/p/a/AGENTS.override.md"]
    );
}

#[test]
fn what_the_client_reads_already_stays_where_it_is() {
    let shared = || texts(vec![instruction("/p/AGENTS.md", "Root.", below("/p"))], Vec::new());
    let fs = world(&[("/p/AGENTS.md", "Root.")]);
    let lowered = lower(&fs, &shared(), LowerOptions::default());
    assert_eq!(placed(&lowered), ["in place /p/AGENTS.md"]);

    let linked = texts(vec![instruction("/p/CLAUDE.md", "Root.", below("/p"))], Vec::new());
    let mut fs = world(&[("/p/CLAUDE.md", "Root.")]);
    fs.link("/p/AGENTS.md", "CLAUDE.md");
    let lowered = lower(&fs, &linked, LowerOptions::default());
    assert_eq!(placed(&lowered), ["in place /p/AGENTS.md /p/CLAUDE.md"]);

    let importing = texts(
        vec![
            instruction("/p/CLAUDE.md", "@AGENTS.md\n", below("/p")),
            instruction("/p/AGENTS.md", "Root.", below("/p")),
        ],
        Vec::new(),
    );
    let fs = world(&[("/p/AGENTS.md", "Root."), ("/p/CLAUDE.md", "@AGENTS.md\n")]);
    let lowered = lower(&fs, &importing, LowerOptions::default());
    assert_eq!(placed(&lowered), ["in place /p/AGENTS.md /p/CLAUDE.md", "in place /p/AGENTS.md"]);
    assert_eq!((lowered.losses.len(), lowered.diagnostics.len()), (0, 0));

    let more = texts(
        vec![
            instruction("/p/CLAUDE.md", "@AGENTS.md\nUse tabs.\n", below("/p")),
            instruction("/p/AGENTS.md", "Root.", below("/p")),
        ],
        Vec::new(),
    );
    let lowered = lower(&fs, &more, LowerOptions::default());
    assert_eq!(
        placed(&lowered),
        ["in place /p/AGENTS.md", "/p/AGENTS.md [CLAUDE.md] @AGENTS.md|Use tabs.|"]
    );
    assert_eq!(codes(&lowered.diagnostics), ["codex/shared-file"]);
}

#[test]
fn a_file_that_stands_in_is_not_hidden_by_a_new_one() {
    let config = ("/h/.codex/config.toml", "project_doc_fallback_filenames = [\"CLAUDE.md\"]");
    let root = || instruction("/p/CLAUDE.md", "Root.", below("/p"));
    let fs = world(&[config, ("/p/CLAUDE.md", "Root.")]);
    let alone = lower(&fs, &texts(vec![root()], Vec::new()), LowerOptions::default());
    assert_eq!(placed(&alone), ["in place /p/CLAUDE.md"]);

    let other = instruction("/p/docs/style.md", "Style.", below("/p"));
    let both = lower(&fs, &texts(vec![root(), other.clone()], Vec::new()), LowerOptions::default());
    assert_eq!(
        placed(&both),
        ["/p/AGENTS.md [CLAUDE.md] Root.", "/p/AGENTS.md [docs/style.md] Style."]
    );

    let without = lower(&fs, &texts(vec![other], Vec::new()), LowerOptions::default());
    assert_eq!(placed(&without), placed(&both));
}

#[test]
fn private_text_that_stands_in_is_not_published_with_what_hides_it() {
    let config = ("/h/.codex/config.toml", "project_doc_fallback_filenames = [\"CLAUDE.md\"]");
    let mut fs = world(&[config, ("/elsewhere/notes.md", "Mine.")]);
    fs.link("/p/CLAUDE.md", "/elsewhere/notes.md");
    let mine = instruction("/p/CLAUDE.md", "Mine.", Reach::below(Scope::Local, path("/p")));
    let other = instruction("/p/.claude/CLAUDE.md", "Root.", below("/p"));
    let lowered = lower(&fs, &texts(vec![mine, other], Vec::new()), LowerOptions::default());
    assert_eq!(
        placed(&lowered),
        [
            "/h/.codex/AGENTS.md [CLAUDE.md] Applies only to work in `/p`:||Mine.",
            "/p/AGENTS.md [.claude/CLAUDE.md] Root.",
        ]
    );
}

#[test]
fn rules_for_paths_go_into_their_folder_or_say_for_which_files_they_are() {
    let bundle = texts(
        Vec::new(),
        vec![
            rule(
                "/p/.claude/rules/a.md",
                "A.",
                below("/p"),
                paths(&["src/**"], Some("/p/src"), "/p/src"),
            ),
            rule(
                "/p/.claude/rules/b.md",
                "B.",
                below("/p"),
                paths(&["data/**/*.csv", "*.{ts,tsx}", "x`y"], None, "/p/data"),
            ),
            rule(
                "/p/web/.claude/rules/c.md",
                "C.",
                below("/p/web"),
                paths(&["*.ts"], None, "/p/web"),
            ),
            rule("/h/.claude/rules/d.md", "D.", mine(), paths(&["*.py"], None, "/p")),
        ],
    );
    let lowered = lower(&world(&[]), &bundle, LowerOptions::default());
    assert_eq!(
        placed(&lowered),
        [
            "/h/.codex/AGENTS.md [~/.claude/rules/d.md] When you work on files that match `*.py`, follow this:||D.",
            "/p/AGENTS.md [.claude/rules/b.md] When you work on files that match `data/**/*.csv`, `*.{ts,tsx}` or x`y, follow this:||B.",
            "/p/src/AGENTS.md [.claude/rules/a.md] A.",
            "/p/web/AGENTS.md [web/.claude/rules/c.md] When you work on files that match `*.ts`, follow this:||C.",
        ]
    );
    assert_eq!(
        losses(&lowered.losses),
        [
            "not-enforced /h/.claude/rules/d.md > /h/.codex/AGENTS.md",
            "not-enforced /p/.claude/rules/b.md > /p/AGENTS.md",
            "scope-narrowed /p/.claude/rules/a.md > /p/src/AGENTS.md",
            "not-enforced /p/web/.claude/rules/c.md > /p/web/AGENTS.md",
            "scope-narrowed /p/web/.claude/rules/c.md > /p/web/AGENTS.md",
        ]
    );
}

#[test]
fn a_rule_for_a_folder_of_others_stays_in_the_project() {
    let mut fs = world(&[("/p/sub/.git", "gitdir: x"), ("/elsewhere/x", "")]);
    fs.link("/p/ln", "/elsewhere").dir("/p/own");
    let rules = ["sub", "ln", "own"].map(|folder| {
        let at = format!("/p/{folder}");
        let applies = paths(&[&format!("{folder}/**")], Some(&at), &at);
        rule(&format!("/p/.claude/rules/{folder}.md"), "Text.", below("/p"), applies)
    });
    let lowered = lower(&fs, &texts(Vec::new(), rules.into()), LowerOptions::default());
    assert_eq!(
        placed(&lowered),
        [
            "/p/AGENTS.md [.claude/rules/sub.md] When you work on files that match `sub/**`, follow this:||Text.",
            "/p/AGENTS.md [.claude/rules/ln.md] When you work on files that match `ln/**`, follow this:||Text.",
            "/p/own/AGENTS.md [.claude/rules/own.md] Text.",
        ]
    );
}

fn too_much() -> Bundle {
    texts(
        vec![instruction("/p/CLAUDE.md", &"a".repeat(5_000), below("/p"))],
        vec![rule(
            "/p/.claude/rules/r.md",
            &"b".repeat(5_000),
            below("/p"),
            paths(&["data/*.csv"], None, "/p/data"),
        )],
    )
}

#[test]
fn too_much_text_is_told_with_what_can_be_done() {
    let fs = world(&[("/h/.codex/config.toml", "project_doc_max_bytes = 9_000\n")]);
    let lowered = lower(&fs, &too_much(), LowerOptions::default());
    let [told] = &lowered.diagnostics[..] else { panic!("{:?}", lowered.diagnostics) };
    assert_eq!(told.code.0, "codex/over-budget");
    assert!(told.message.contains("9,000"), "{}", told.message);
    assert!(told.help.as_deref().unwrap().contains("project_doc_max_bytes = 12288"));
}

#[test]
fn the_budget_is_raised_where_that_is_wanted() {
    let raise = LowerOptions { over_budget: OverBudget::Raise, ..LowerOptions::default() };
    let fs = world(&[("/h/.codex/config.toml", "project_doc_max_bytes = 9_000 # mine\n")]);
    let lowered = lower(&fs, &too_much(), raise);
    let setting = placed(&lowered).pop().unwrap();
    assert_eq!(setting, "/h/.codex/config.toml = project_doc_max_bytes = 12288 # mine|");
    assert_eq!(lowered.diagnostics, []);

    let fs = world(&[("/h/.codex/config.toml", "project_doc_max_bytes = 20_000\n")]);
    assert_eq!(placed(&lower(&fs, &too_much(), raise)).len(), 2);

    let fs = world(&[("/etc/codex/managed_config.toml", "project_doc_max_bytes = 9_000\n")]);
    let lowered = lower(&fs, &too_much(), raise);
    assert_eq!(placed(&lowered).len(), 2);
    let help = lowered.diagnostics[0].help.as_deref().unwrap();
    assert!(help.contains("/etc/codex/managed_config.toml"), "{help}");
}

#[test]
fn too_much_text_is_split_where_that_is_wanted() {
    let split = LowerOptions { over_budget: OverBudget::Split, ..LowerOptions::default() };
    let fs = world(&[("/h/.codex/config.toml", "project_doc_max_bytes = 9_000\n")]);
    let lowered = lower(&fs, &too_much(), split);
    let files: Vec<String> =
        placed(&lowered).iter().map(|line| line.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(files, ["/p/AGENTS.md", "/p/data/AGENTS.md"]);
    assert_eq!(
        losses(&lowered.losses),
        [
            "not-enforced /p/.claude/rules/r.md > /p/data/AGENTS.md",
            "scope-narrowed /p/.claude/rules/r.md > /p/data/AGENTS.md",
        ]
    );
    // The two files together are still read by one session.
    assert_eq!(codes(&lowered.diagnostics), ["codex/over-budget"]);
    let fits = lower(&world(&[]), &too_much(), split);
    assert!(placed(&fits)[1].starts_with("/p/AGENTS.md"), "{:?}", placed(&fits));
}

#[test]
fn one_text_goes_in_once_and_two_of_one_name_stand_apart() {
    let bundle = texts(
        vec![
            instruction("/p/a.md", "A.", below("/p")),
            instruction("/p/a.md", "A.", below("/p")),
            instruction("/p/a.md", "Other.", below("/p")),
            instruction("/p/blank.md", " \n", below("/p")),
        ],
        Vec::new(),
    );
    assert_eq!(
        placed(&lower(&world(&[]), &bundle, LowerOptions::default())),
        ["in place /p/blank.md", "/p/AGENTS.md [a.md] A.", "/p/AGENTS.md [a.md (2)] Other."]
    );
}

#[test]
fn an_untrusted_project_is_told() {
    let fs =
        world(&[("/h/.codex/config.toml", "[projects.\"/p\"]\ntrust_level = \"untrusted\"\n")]);
    let bundle = texts(vec![instruction("/p/CLAUDE.md", "Root.", below("/p"))], Vec::new());
    let lowered = lower(&fs, &bundle, LowerOptions::default());
    assert_eq!(codes(&lowered.diagnostics), ["codex/untrusted"]);
}

#[test]
fn a_project_behind_a_link_is_named_by_its_real_path() {
    let mut fs = memory_core::fs::MemFs::from_files([("/real/.git/HEAD", "x")]);
    fs.link("/p", "/real").dir("/h");
    let bundle = texts(vec![instruction("/p/CLAUDE.md", "Root.", below("/p"))], Vec::new());
    assert_eq!(
        placed(&lower(&fs, &bundle, LowerOptions::default())),
        ["/real/AGENTS.md [CLAUDE.md] Root."]
    );
}
