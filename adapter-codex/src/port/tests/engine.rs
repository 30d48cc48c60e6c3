use std::cell::RefCell;

use memory_core::fs::{Content, MemFs};
use memory_core::model::{
    Applies, Bundle, Invocation, MemoryStore, Reach, Skill, SkillFile, SkillForm, StoreFile,
};
use memory_core::plan::{Journal, apply};
use memory_core::port::{
    LossKind, LowerOptions, MemoryAs, OverBudget, Port, PortPlace, PortRequest, ReadBundle, port,
};
use memory_core::{Client, ClientId, Env, Error, Parsed, RelPath, Scope, World};

use proptest::prelude::*;

use super::{below, instruction, losses, path, paths, place, rule, world};
use crate::codex::Codex;

/// A client that gives what it is told to.
struct Source(RefCell<Bundle>);

impl Client for Source {
    fn client(&self) -> ClientId {
        ClientId("claude-code")
    }

    fn name(&self) -> &'static str {
        "Claude Code"
    }
}

impl ReadBundle for Source {
    fn read_bundle(&self, _: World<'_>, _: &PortPlace) -> Result<Parsed<Bundle>, Error> {
        Ok(Parsed { value: self.0.borrow().clone(), diagnostics: Vec::new() })
    }
}

fn whole() -> Bundle {
    let main = RelPath::new("SKILL.md").unwrap();
    let skill = |at: &str, name: &str, reach: Reach, invocation| Skill {
        name: name.to_owned(),
        description: "What it does".to_owned(),
        reach,
        applies: Applies::Always,
        invocation,
        form: SkillForm::Folder,
        path: path(at),
        files: vec![SkillFile { path: main.clone(), content: Content::file("Steps.\n") }],
        main: main.clone(),
        extras: Vec::new(),
    };
    Bundle {
        instructions: vec![
            instruction(
                "/h/.claude/CLAUDE.md",
                "Answer in Japanese.\n",
                Reach::everywhere(Scope::User),
            ),
            instruction("/p/CLAUDE.md", "\u{feff}Run the tests.\r\n日本語\r\n", below("/p")),
            instruction("/p/web/CLAUDE.md", "Use pnpm.\n", below("/p/web")),
            instruction("/p/CLAUDE.local.md", "Mine.\n", Reach::below(Scope::Local, path("/p"))),
        ],
        rules: vec![
            rule("/p/.claude/rules/a.md", "Rule.\n", below("/p"), paths(&["*.ts"], None, "/p/web")),
            rule(
                "/p/.claude/rules/b.md",
                "Api.\n",
                below("/p"),
                paths(&["api/**"], Some("/p/api"), "/p/api"),
            ),
        ],
        skills: vec![
            skill("/p/.claude/skills/s", "s", below("/p"), Invocation::UserOnly),
            skill("/p/web/.claude/skills/n", "n", below("/p/web"), Invocation::ModelAndUser),
            skill(
                "/h/.claude/skills/m",
                "m",
                Reach::everywhere(Scope::User),
                Invocation::ModelAndUser,
            ),
        ],
        stores: vec![MemoryStore {
            root: path("/h/.claude/projects/-p/memory"),
            layout: ClientId("claude-code"),
            reach: Reach::below(Scope::User, path("/p")),
            files: ["MEMORY.md", "deep/a.md"]
                .map(|name| StoreFile {
                    path: RelPath::new(name).unwrap(),
                    content: Content::file(format!("- {name}\r\n")),
                })
                .into(),
            memories: Vec::new(),
            shown_at_start: Some("- MEMORY.md".to_owned()),
        }],
        left_out: Vec::new(),
    }
}

fn ported(fs: &MemFs, source: &Source, options: LowerOptions) -> Port {
    let env = Env::default();
    let request = PortRequest { options, ..PortRequest::new(place()) };
    port(World { fs, env: &env }, source, &Codex::default(), &request).unwrap()
}

fn carry_out(fs: &MemFs, port: &Port) {
    apply(fs, &port.plan, &Journal::new(path("/state"))).unwrap();
}

#[test]
fn all_that_is_carried_is_shown_and_a_second_port_changes_nothing() {
    for memory_as in [MemoryAs::Import, MemoryAs::Notes, MemoryAs::Instructions] {
        let options = LowerOptions { memory_as, ..LowerOptions::default() };
        let fs =
            world(&[("/p/AGENTS.md", "The project's own.\n"), ("/h/.codex/AGENTS.md", "Own.\n")]);
        let source = Source(RefCell::new(whole()));
        let first = ported(&fs, &source, options);
        assert_eq!(first.unaccounted, []);
        assert_eq!(first.conflicts, []);
        let gone = |loss: &&memory_core::port::Loss| {
            matches!(loss.how, LossKind::Dropped | LossKind::Truncated)
        };
        let gone: Vec<_> = first.losses.losses.iter().filter(gone).collect();
        assert!(gone.is_empty(), "{gone:?}");
        carry_out(&fs, &first);
        let second = ported(&fs, &source, options);
        assert!(second.plan.is_empty(), "{memory_as:?}: {:?}", second.plan.changes());
        assert_eq!(losses(&second.losses.losses), losses(&first.losses.losses));
    }
}

#[test]
fn a_text_that_changed_is_carried_again_in_its_place() {
    let fs = world(&[("/p/AGENTS.md", "The project's own.\n")]);
    let source = Source(RefCell::new(whole()));
    carry_out(&fs, &ported(&fs, &source, LowerOptions::default()));
    source.0.borrow_mut().instructions[1] =
        instruction("/p/CLAUDE.md", "Run no tests.\n", below("/p"));
    source.0.borrow_mut().skills[0].invocation = Invocation::ModelAndUser;
    let second = ported(&fs, &source, LowerOptions::default());
    assert_eq!((second.conflicts.len(), second.unaccounted.len()), (0, 0));
    carry_out(&fs, &second);
    let text = memory_core::fs::Fs::read_up_to(&fs, &path("/p/AGENTS.md"), 10_000).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("The project's own.\n") && text.contains("Run no tests."), "{text}");
    assert!(!text.contains("Run the tests."), "{text}");
    let policy = path("/p/.agents/skills/s/agents/openai.yaml");
    assert!(memory_core::fs::Fs::metadata(&fs, &policy).is_err());
}

#[test]
fn what_the_budget_cuts_is_a_loss_until_it_is_raised() {
    let fs = world(&[("/h/.codex/config.toml", "# mine\nproject_doc_max_bytes = 100\n")]);
    let text: String =
        (1..=100).flat_map(|number: u32| [number.to_string(), "\n".to_owned()]).collect();
    let bundle = Bundle {
        instructions: vec![instruction("/p/CLAUDE.md", &text, below("/p"))],
        ..Bundle::default()
    };
    let source = Source(RefCell::new(bundle));
    let told = ported(&fs, &source, LowerOptions::default());
    assert_eq!(losses(&told.losses.losses), ["truncated /p/CLAUDE.md:37 > /p/AGENTS.md"]);
    assert_eq!(told.diagnostics.len(), 1);
    let raise = LowerOptions { over_budget: OverBudget::Raise, ..LowerOptions::default() };
    let raised = ported(&fs, &source, raise);
    assert_eq!(raised.losses.losses, []);
    carry_out(&fs, &raised);
    let config =
        memory_core::fs::Fs::read_up_to(&fs, &path("/h/.codex/config.toml"), 1_000).unwrap();
    assert_eq!(config, b"# mine\nproject_doc_max_bytes = 4096\n");
    assert!(ported(&fs, &source, raise).plan.is_empty());
}

#[test]
fn another_file_where_the_import_needs_one_is_a_conflict() {
    let folder = "/h/.codex/memories_v2/extensions/external_agent_import";
    let scope = format!("{folder}/resources/-p/scope.json");
    let fs = world(&[(&*scope, "{\"cwd\":\"/other\"}")]);
    let source = Source(RefCell::new(Bundle { stores: whole().stores, ..Bundle::default() }));
    let done = ported(&fs, &source, LowerOptions::default());
    let conflicts: Vec<_> = done
        .conflicts
        .iter()
        .map(|conflict| (conflict.from.as_str(), conflict.path.as_str(), &*conflict.why))
        .collect();
    assert_eq!(conflicts, [(&*scope, &*scope, "another file of that name is there")]);
    assert!(losses(&done.losses.losses).contains(&format!("approximated {scope}")));
    assert!(done.plan.changes().iter().all(|change| change.path().as_str() != scope));
    carry_out(&fs, &done);
    assert!(ported(&fs, &source, LowerOptions::default()).plan.is_empty());
}

#[test]
fn many_rules_and_skills_cost_few_looks() {
    let fs = world(&[]);
    let mut bundle = whole();
    for number in 0..200 {
        let at = format!("/p/.claude/rules/r{number}.md");
        let applies = paths(&["src/**/*.ts"], None, "/p/web");
        bundle.rules.push(rule(&at, &format!("Rule {number}.\n"), below("/p"), applies));
    }
    for number in 0..100 {
        let at = format!("/p/.claude/skills/k{number}");
        bundle.skills.push(Skill {
            name: format!("k{number}"),
            path: path(&at),
            ..bundle.skills[0].clone()
        });
    }
    let seen = memory_core::fs::Recorder::new(&fs);
    let env = Env::default();
    let lowered = memory_core::port::LowerBundle::lower(
        &Codex::default(),
        World { fs: &seen, env: &env },
        &place(),
        &bundle,
        &LowerOptions::default(),
    );
    assert!(lowered.unwrap().placements.len() > 400);
    assert!(seen.calls() < 700, "{}", seen.calls());
}

fn any_reach() -> impl Strategy<Value = Reach> {
    let scope = prop_oneof![
        Just(Scope::Managed),
        Just(Scope::User),
        Just(Scope::Project),
        Just(Scope::Local),
        Just(Scope::Directory)
    ];
    let folder = prop_oneof![Just(None), Just(Some("/p")), Just(Some("/p/a")), Just(Some("/"))];
    (scope, folder).prop_map(|(scope, folder)| Reach { scope, folder: folder.map(path) })
}

fn any_applies() -> impl Strategy<Value = Applies> {
    let folder = prop_oneof![Just(None), Just(Some("/p/a")), Just(Some("/p"))];
    let patterns = proptest::collection::vec("[*a/`]{1,5}", 0..3);
    let given = (patterns, folder).prop_map(|(patterns, folder)| {
        let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
        paths(&patterns, folder, folder.unwrap_or("/p"))
    });
    prop_oneof![Just(Applies::Always), given]
}

const TEXT: &str = "(---\n)?([a-c:'*é日@-]{0,6}\r?\n){0,4}(---\n)?[a-c\u{feff}]{0,3}";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_carried_is_accounted_for_and_carried_once(
        texts in proptest::collection::vec((TEXT, any_reach(), any_applies()), 0..4),
        skills in proptest::collection::vec(
            ("[a-cé .:]{1,4}", TEXT, TEXT, any_reach(), 0..3_u8, any::<bool>()), 0..4),
        files in proptest::collection::vec(TEXT, 0..3),
        memory_as in 0..3_u8,
    ) {
        let mut bundle = Bundle::default();
        for (number, (text, reach, applies)) in texts.into_iter().enumerate() {
            let at = format!("/p/.x/{number}.md");
            bundle.rules.push(rule(&at, &text, reach.clone(), applies));
            bundle.instructions.push(instruction(&format!("/q/{number}.md"), &text, reach));
        }
        for (number, (name, description, text, reach, who, is_command)) in skills.into_iter().enumerate() {
            let main = RelPath::new(if is_command { "x.md" } else { "SKILL.md" }).unwrap();
            let at = if is_command { format!("/q/{number}/x.md") } else { format!("/q/{number}/{name}x") };
            let file = SkillFile { path: main.clone(), content: Content::file(text) };
            bundle.skills.push(Skill {
                name: name.trim().to_owned() + "n",
                description: description + "d",
                reach,
                applies: Applies::Always,
                invocation: [Invocation::ModelAndUser, Invocation::UserOnly, Invocation::ModelOnly][usize::from(who)],
                form: if is_command { SkillForm::Command } else { SkillForm::Folder },
                path: path(&at),
                files: vec![file],
                main,
                extras: Vec::new(),
            });
        }
        let files = files.iter().enumerate().map(|(number, text)| StoreFile {
            path: RelPath::new(&format!("{number}.md")).unwrap(),
            content: Content::file(text),
        });
        bundle.stores.push(MemoryStore { files: files.collect(), ..whole().stores.remove(0) });
        let memory_as = [MemoryAs::Import, MemoryAs::Notes, MemoryAs::Instructions][usize::from(memory_as)];
        let options = LowerOptions { memory_as, ..LowerOptions::default() };
        let mut fs = world(&[]);
        fs.dir("/p/a");
        let source = Source(RefCell::new(bundle));
        let first = ported(&fs, &source, options);
        prop_assert_eq!(&first.unaccounted, &[]);
        let is_gone = |loss: &&memory_core::port::Loss| {
            matches!(loss.how, LossKind::Dropped | LossKind::Truncated)
        };
        let gone: Vec<_> = first.losses.losses.iter().filter(is_gone).collect();
        prop_assert!(gone.is_empty(), "{:?}", gone);
        carry_out(&fs, &first);
        let second = ported(&fs, &source, options);
        prop_assert!(second.plan.is_empty(), "{:?}", second.plan.changes());
    }
}
