//! What people see.

use adapter_claude::{IndexCut, RebuiltIndex, Step};
use adapter_codex::{MemoryInjection, MiddleCut};
use insta::assert_snapshot;
use memory_core::fs::{IoError, IoErrorKind};
use memory_core::{
    Budget, Code, Diagnostic, LayerKind, Limit, Omission, OmittedSkill, Outcome, Scope, Severity,
    SkillListing, Via,
};
use memport_documents::ToolUseDocument;

use crate::fixture::{
    QUIRK, claude, claude_document, codex, codex_document, cut, layer, loaded, omitted, path,
    skill, text, text_of_all, whole,
};

fn ordinary() -> adapter_codex::Resolution {
    let mut found = codex();
    found.chain.layers = vec![
        loaded(Scope::User, "/home/mio/.codex/AGENTS.md", "Answer in Japanese.\n"),
        loaded(Scope::Project, "/home/mio/AGENTS.md", &"Run the tests.\n".repeat(100)),
        loaded(Scope::Project, "/home/mio/shop/AGENTS.md", "Use tabs.\n"),
    ];
    let limit = Limit::Bytes(32_768);
    found.chain.budget = Some(Budget { limit, used: 1510, wanted: 1510 });
    found.skills = SkillListing {
        listed: vec![
            skill(Scope::User, "deploy", "/home/mio/.codex/skills/deploy/SKILL.md"),
            skill(Scope::Builtin, "skill-creator", "/home/mio/.codex/skills/.system/c/SKILL.md"),
            skill(Scope::User, "翻訳", "/home/mio/.codex/skills/翻訳/SKILL.md"),
        ],
        budget: Some(Budget { limit: Limit::Tokens(10_000), used: 480, wanted: 480 }),
        ..SkillListing::default()
    };
    found.memory.content = Some("# Summary\n".into());
    found
}

#[test]
fn an_ordinary_project_is_told_in_the_order_of_loading() {
    assert_snapshot!(text(codex_document(ordinary()), 80), @r"
    Codex 0.171.0 in ~/shop
    about 866 tokens at start (1,540 bytes, and 480 tokens of bundled skills)

    Instructions  3 files, 1,530 bytes
      1  user     ~/.codex/AGENTS.md     20 B
      2  project  ~/AGENTS.md         1,500 B
      3  project  AGENTS.md              10 B
      [==                            ] 1,510 of 32,768 bytes

    Skills  3 listed
      user    deploy, 翻訳
      system  skill-creator
      [==                            ] 480 of 10,000 tokens

    Memory  v2, 10 bytes
      ~/.codex/memories_v2/memory_summary.md
    [EOF]
    ");
}

#[test]
fn nothing_at_all_is_said_in_words() {
    assert_snapshot!(text(codex_document(codex()), 80), @r"
    Codex 0.171.0 in ~/shop
    about 0 tokens at start (0 bytes)

    Instructions  nothing is loaded

    Memory  v2, nothing is injected
      ~/.codex/memories_v2/memory_summary.md
    [EOF]
    ");
    assert_snapshot!(text_of_all(Vec::new(), 80), @r"
    No client finds instructions, skills or memory here.
    [EOF]
    ");
}

fn troubled() -> adapter_codex::Resolution {
    let mut found = codex();
    let long = "A line of the file.\n".repeat(2000);
    found.chain.layers = vec![
        layer(
            LayerKind::Instructions,
            Scope::Project,
            "/home/mio/shop/AGENTS.md",
            Via::Discovered,
            cut(&long, 32_768),
        ),
        layer(
            LayerKind::Instructions,
            Scope::Project,
            "/home/mio/shop/web/AGENTS.override.md",
            Via::Discovered,
            Outcome::Omitted {
                reason: Omission::BlankHides { hidden: vec![path("/home/mio/shop/web/AGENTS.md")] },
                quirk: Some(&QUIRK),
            },
        ),
        omitted(
            Scope::Project,
            "/home/mio/shop/web/app/AGENTS.md",
            Omission::OverBudget { limit: Limit::Bytes(32_768), wanted: 52_000 },
        ),
        omitted(
            Scope::User,
            "/etc/codex/AGENTS.md",
            Omission::Unreadable(IoError::new(IoErrorKind::PermissionDenied)),
        ),
    ];
    let limit = Limit::Bytes(32_768);
    found.chain.budget = Some(Budget { limit, used: 32_768, wanted: 52_000 });
    found.chain.diagnostics = vec![
        Diagnostic::new(Code("codex/root"), Severity::Hint, "an empty `.git` is the root")
            .at(&path("/home/mio/shop/.git")),
        Diagnostic::new(
            Code("codex/doc-truncated"),
            Severity::Warning,
            "`/home/mio/shop/AGENTS.md` is longer than all project files may be together",
        )
        .at(&path("/home/mio/shop/AGENTS.md"))
        .on_line(1639)
        .help("shorten it, or set `project_doc_max_bytes`"),
    ];
    found.skills.omitted = vec![OmittedSkill {
        file: path("/home/mio/.codex/skills/bad/SKILL.md"),
        scope: Scope::User,
        reason: Omission::FrontmatterInvalid { why: "mapping values are not allowed here".into() },
        quirk: None,
    }];
    found.memory = MemoryInjection {
        content: Some("head…12 tokens truncated…tail".into()),
        cut: Some(MiddleCut {
            lost_tokens: 12,
            lost_bytes: 2048,
            head_bytes: 5000,
            tail_bytes: 5000,
            first_lost_line: 40,
            last_lost_line: 81,
        }),
        ..found.memory
    };
    found
}

#[test]
fn what_is_cut_and_left_out_has_its_reason() {
    assert_snapshot!(text(codex_document(troubled()), 90), @r"
    Codex 0.171.0 in ~/shop
    about 8,201 tokens at start (32,801 bytes)

    Instructions  1 file, 32,768 bytes
      1  project  AGENTS.md  32,768 of 40,000 B
                  cut in line 1,639: 7,232 bytes lost to the limit of 32,768 bytes
      [==============================] 32,768 of 32,768 bytes, 52,000 wanted

    Left out  3 files
      -  project  web/AGENTS.override.md  it holds nothing, and still hides `AGENTS.md` beside
                                          it [codex/empty-override-hides]
      -  project  web/app/AGENTS.md       what comes before it used the budget of 32,768
                                          bytes; all together need 52,000
      -  user     /etc/codex/AGENTS.md    it cannot be read: Permission denied (os error 13)

    Skills  none listed, 1 not listed
      -  user  ~/.codex/skills/bad/SKILL.md  its frontmatter cannot be read: mapping values
                                             are not allowed here

    Memory  v2, 33 bytes
      ~/.codex/memories_v2/memory_summary.md
      cut in the middle, lines 40 to 81: 2,048 bytes lost (the client says 12 tokens)

    warning[codex/doc-truncated]: `AGENTS.md` is longer than all project files may be together
      --> AGENTS.md:1639
      hint: shorten it, or set `project_doc_max_bytes`
    hint[codex/root]: an empty `.git` is the root
      --> .git
    [EOF]
    ");
}

#[test]
fn a_narrow_line_puts_things_below_each_other() {
    assert_snapshot!(text(codex_document(troubled()), 40), @r"
    Codex 0.171.0 in ~/shop
    about 8,201 tokens at start (32,801
    bytes)

    Instructions  1 file, 32,768 bytes
      1  project  AGENTS.md
                  32,768 of 40,000 B
                  cut in line 1,639: 7,232
                  bytes lost to the limit of
                  32,768 bytes
      [==============================]
      32,768 of 32,768 bytes, 52,000 wanted

    Left out  3 files
      -  project  web/AGENTS.override.md
                  it holds nothing, and
                  still hides `AGENTS.md`
                  beside it
                  [codex/empty-override-hides]
      -  project  web/app/AGENTS.md
                  what comes before it used
                  the budget of 32,768
                  bytes; all together need
                  52,000
      -  user     /etc/codex/AGENTS.md
                  it cannot be read:
                  Permission denied (os
                  error 13)

    Skills  none listed, 1 not listed
      -  user  ~/.codex/skills/bad/SKILL.md
               its frontmatter cannot be
               read: mapping values are not
               allowed here

    Memory  v2, 33 bytes
      ~/.codex/memories_v2/memory_summary.md
      cut in the middle, lines 40 to 81:
      2,048 bytes lost (the client says 12
      tokens)

    warning[codex/doc-truncated]: `AGENTS.md`
        is longer than all project files may
        be together
      --> AGENTS.md:1639
      hint: shorten it, or set
            `project_doc_max_bytes`
    hint[codex/root]: an empty `.git` is the
        root
      --> .git
    [EOF]
    ");
}

#[test]
fn a_client_that_does_not_start_says_why() {
    let mut found = codex();
    found.refusal = Some("Error loading config.toml:\nkey with no value\x07".to_owned());
    found.memory = MemoryInjection::default();
    assert_snapshot!(text(codex_document(found), 80), @r"
    Codex 0.171.0 in ~/shop
    It does not start here. It says:
      Error loading config.toml:
      key with no value\u{7}
    [EOF]
    ");
}

#[test]
fn japanese_names_line_up() {
    let mut found = codex();
    found.cwd = path("/home/mio/店");
    found.chain.layers = vec![
        loaded(Scope::Project, "/home/mio/店/AGENTS.md", "x\n"),
        loaded(Scope::Project, "/home/mio/店/規則/日本語の規則.md", &"行\n".repeat(400)),
        omitted(
            Scope::Directory,
            "/home/mio/店/下/AGENTS.md",
            Omission::NotListed {
                why: "この規則は、触れたファイルがどれも当てはまらないので読み込まれません。\
                      パターンを確かめてください。"
                    .into(),
            },
        ),
    ];
    assert_snapshot!(text(codex_document(found), 60), @r"
    Codex 0.171.0 in ~/店
    about 401 tokens at start (1,602 bytes)

    Instructions  2 files, 1,602 bytes
      1  project  AGENTS.md                 2 B
      2  project  規則/日本語の規則.md  1,600 B

    Left out  1 file
      -  directory  下/AGENTS.md  この規則は、触れたファイルがど
                                  れも当てはまらないので読み込ま
                                  れません。パターンを確かめてく
                                  ださい。

    Memory  v2, nothing is injected
      ~/.codex/memories_v2/memory_summary.md
    [EOF]
    ");
}

#[test]
fn hostile_names_reach_no_terminal() {
    let mut found = codex();
    let file = "/home/mio/shop/\x1b]0;owned\x07\n\u{202e}dm.STNEGA";
    found.chain.layers = vec![
        loaded(Scope::Project, file, "x\n"),
        omitted(Scope::Project, &format!("{file}2"), Omission::Shadowed { by: path(file) }),
    ];
    found.chain.diagnostics =
        vec![Diagnostic::new(Code("codex/x"), Severity::Error, "\x1b[2J\u{9b}31m").at(&path(file))];
    let mut bad = skill(Scope::User, "\x1b[8mhidden", "/home/mio/s");
    bad.lost_chars = 7;
    found.skills.listed = vec![bad];
    let shown = memport::explanation_text(
        &memport_documents::Explanation::One(Box::new(codex_document(found.clone()))),
        80,
    );
    let raw = anstream::adapter::strip_str(&shown).to_string();
    assert!(raw.chars().all(|c| c == '\n' || !c.is_control()), "{raw:?}");
    assert_snapshot!(text(codex_document(found), 80), @r"
    Codex 0.171.0 in ~/shop
    about 1 token at start (2 bytes)

    Instructions  1 file, 2 bytes
      1  project  \u{1b}]0;owned\u{7}\n\u{202e}dm.STNEGA  2 B

    Left out  1 file
      -  project  \u{1b}]0;owned\u{7}\n\u{202e}dm.STNEGA2  `\u{1b}]0;owned\u{7}\n\u{202e}dm.STNEGA`
                                                           in the same folder is
                                                           read instead

    Skills  1 listed
      user  \u{1b}[8mhidden (description cut)

    Memory  v2, nothing is injected
      ~/.codex/memories_v2/memory_summary.md

    error[codex/x]: \u{1b}[2J\u{9b}31m
      --> \u{1b}]0;owned\u{7}\n\u{202e}dm.STNEGA
    [EOF]
    ");
}

fn with_rules() -> adapter_claude::Resolution {
    let mut found = claude();
    let import = Via::Imported { from: path("/home/mio/shop/CLAUDE.md"), line: 3 };
    found.chain.layers = vec![
        loaded(Scope::Project, "/home/mio/shop/CLAUDE.md", "Read @docs/style.md\n"),
        layer(
            LayerKind::Import,
            Scope::Project,
            "/home/mio/shop/docs/style.md",
            import.clone(),
            whole("Tabs.\n"),
        ),
        layer(
            LayerKind::Import,
            Scope::Project,
            "/home/mio/notes.md",
            import,
            Outcome::Omitted {
                reason: Omission::ImportExternal { approve: "approving external imports".into() },
                quirk: None,
            },
        ),
        layer(
            LayerKind::Rule,
            Scope::Project,
            "/home/mio/shop/.claude/rules/ts.md",
            Via::Discovered,
            Outcome::Omitted {
                reason: Omission::PathsDoNotMatch(vec!["src/**/*.ts".into(), "*.tsx".into()]),
                quirk: None,
            },
        ),
        omitted(
            Scope::Project,
            "/home/mio/shop/AGENTS.md",
            Omission::AgentsMdBlocked { by: path("/home/mio/shop/CLAUDE.md") },
        ),
    ];
    let mut cut = IndexCut::default();
    cut.cut_lines = Some(120);
    cut.total_lines = Some(320);
    cut.first_cut_line = Some(201);
    cut.first_cut_text = Some("- [Payments](payments.md)".into());
    let root = path("/home/mio/.claude/projects/-home-mio-shop/memory");
    found.memory.enabled = true;
    found.memory.path = Some(root.join("MEMORY.md"));
    found.memory.root = Some(root);
    found.memory.content = Some("- [One](one.md)\n".into());
    found.memory.cut = Some(cut);
    let rule = layer(
        LayerKind::Rule,
        Scope::Project,
        "/home/mio/shop/.claude/rules/ts.md",
        Via::Nested { touched: path("/home/mio/shop/src/a.ts") },
        whole("Strict.\n"),
    );
    let mut step = Step::default();
    step.loads = vec![rule];
    found.steps = vec![step, Step::default()];
    found
}

#[test]
fn steps_tell_what_a_touch_adds() {
    let read = |file: &str| {
        let input = serde_json::json!({ "file_path": file });
        vec![ToolUseDocument::new("Read", input)]
    };
    let steps = vec![read("/home/mio/shop/src/a.ts"), read("/home/mio/shop/b.ts")];
    let document = memport_documents::from_claude(with_rules(), Some(&path("/home/mio")), steps);
    assert_snapshot!(text(document, 90), @r"
    Claude Code 2.1.332 in ~/shop
    about 11 tokens at start (42 bytes)

    Instructions  2 files, 26 bytes
      1  project  CLAUDE.md      20 B
      2  project  docs/style.md   6 B  imported by CLAUDE.md:3

    Left out  3 files
      -  project  ~/notes.md           it lies outside the start folder; approving external
                                       imports would allow it (imported by CLAUDE.md:3)
      -  project  .claude/rules/ts.md  no touched file matches `src/**/*.ts`, `*.tsx`
      -  project  AGENTS.md            `CLAUDE.md` turns it off

    Memory  16 bytes
      ~/.claude/projects/-home-mio-shop/memory/MEMORY.md
      cut: 120 of 320 lines lost, from line 201 on: - [Payments](payments.md)

    Step 1  Read src/a.ts
      +  project  .claude/rules/ts.md  8 B  rule, for src/a.ts

    Step 2  Read b.ts
      adds nothing
    [EOF]
    ");
}

#[test]
fn a_step_in_codex_says_why_it_adds_nothing() {
    let input = serde_json::json!({ "file_path": "/home/mio/shop/web/a.ts" });
    let steps = vec![vec![ToolUseDocument::new("Read", input)]];
    let document = memport_documents::from_codex(codex(), Some(&path("/home/mio")), steps);
    let shown = text(document, 90);
    assert!(shown.contains("adds nothing: Codex reads instructions when it starts"), "{shown}");
}

#[test]
fn one_of_a_thing_is_said_in_the_singular() {
    let mut found = codex();
    found.chain.layers = vec![layer(
        LayerKind::Instructions,
        Scope::Project,
        "/home/mio/shop/AGENTS.md",
        Via::Discovered,
        cut("ab", 1),
    )];
    found.chain.budget = Some(Budget { limit: Limit::Bytes(1), used: 1, wanted: 2 });
    found.memory.content = Some("a…1 tokens truncated…b".into());
    found.memory.cut = Some(MiddleCut {
        lost_tokens: 1,
        lost_bytes: 1,
        head_bytes: 1,
        tail_bytes: 1,
        first_lost_line: 2,
        last_lost_line: 2,
    });
    let shown = text(codex_document(found), 90);
    for words in ["1 of 1 byte, 2 wanted", "1 byte lost to", "in the middle, line 2: 1 byte lost"] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn an_index_that_would_be_written_is_announced() {
    let mut found = claude();
    let index = path("/home/mio/.claude/projects/-x/memory/MEMORY.md");
    found.memory.enabled = true;
    found.memory.path = Some(index.clone());
    found.memory.would_create = Some(RebuiltIndex::new(index, "- [a](a.md)\n"));
    assert_snapshot!(text(claude_document(found), 80), @r"
    Claude Code 2.1.332 in ~/shop
    about 0 tokens at start (0 bytes)

    Instructions  nothing is loaded

    Memory  nothing is injected
      ~/.claude/projects/-x/memory/MEMORY.md
      the client would write a new index of 12 bytes to
      `~/.claude/projects/-x/memory/MEMORY.md`
    [EOF]
    ");
}

#[test]
fn two_clients_are_told_side_by_side() {
    let both = vec![codex_document(ordinary()), claude_document(with_rules())];
    let all = text_of_all(both, 90);
    let table = all.split_once("File ").map(|(_, table)| format!("File {table}")).unwrap();
    assert_snapshot!(table, @r"
    File                             Codex                Claude Code
    ~/.codex/AGENTS.md               loads as 1: 20 B     not looked at
    ~/AGENTS.md                      loads as 2: 1,500 B  not looked at
    AGENTS.md                        loads as 3: 10 B     left out: agents-md-blocked
    ~/.codex/skills/deploy/SKILL.md  listed               not looked at
    ~/.codex/skills/翻訳/SKILL.md    listed               not looked at
    CLAUDE.md                        not looked at        loads as 1: 20 B
    docs/style.md                    not looked at        loads as 2: 6 B
    ~/notes.md                       not looked at        left out: import-external
    .claude/rules/ts.md              not looked at        left out: paths-do-not-match
    [EOF]
    ");
}
