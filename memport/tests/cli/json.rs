//! What programs see.

use insta::assert_snapshot;
use memory_core::{
    Budget, Code, Diagnostic, LayerKind, Limit, Omission, Outcome, Scope, Severity, Via,
};

use crate::fixture::{
    QUIRK, claude, claude_document, codex, codex_document, cut, layer, path, skill,
};

fn pretty(value: &impl serde::Serialize) -> String {
    format!("{}[EOF]", serde_json::to_string_pretty(value).unwrap())
}

#[test]
fn the_document_has_the_fields_of_the_contract() {
    let mut found = codex();
    let shadowed = Outcome::Omitted {
        reason: Omission::Shadowed { by: path("/home/mio/shop/AGENTS.override.md") },
        quirk: Some(&QUIRK),
    };
    let file = "/home/mio/shop/AGENTS.md";
    let override_file = "/home/mio/shop/AGENTS.override.md";
    found.chain.layers = vec![
        layer(
            LayerKind::Instructions,
            Scope::Project,
            override_file,
            Via::Discovered,
            cut("日本\nabc\n", 8),
        ),
        layer(LayerKind::Instructions, Scope::Project, file, Via::Discovered, shadowed),
    ];
    found.chain.budget = Some(Budget { limit: Limit::Bytes(8), used: 8, wanted: 11 });
    found.instructions = Some("<INSTRUCTIONS>".to_owned());
    found.skills.roots = vec![("r0".to_owned(), path("/home/mio/.codex/skills"))];
    found.skills.listed = vec![skill(Scope::Builtin, "creator", "/home/mio/.codex/skills/c")];
    found.diagnostics =
        vec![Diagnostic::new(Code("codex/x"), Severity::Hint, "odd").at(&path(file)).on_line(2)];
    found.probes.missing.insert(path("/home/mio/shop/.git"));
    assert_snapshot!(pretty(&codex_document(found)), @r#"
    {
      "schema": "memport.explain.v1",
      "agent": "codex",
      "profile": "codex@0.171.0",
      "sub_agent": null,
      "cwd": "/home/mio/shop",
      "home": "/home/mio",
      "client": {
        "starts": true,
        "error": null
      },
      "layers": [
        {
          "kind": "instructions",
          "scope": "project",
          "path": "/home/mio/shop/AGENTS.override.md",
          "label": null,
          "via": {
            "how": "discovered"
          },
          "content": "日本\na",
          "size": {
            "bytes": 11,
            "chars": 7,
            "utf16": 7,
            "lines": 2
          },
          "kept": {
            "bytes": 8,
            "chars": 4,
            "utf16": 4,
            "lines": 2
          },
          "cut": {
            "limit": "bytes",
            "max": 32768,
            "at_line": 2,
            "at_byte": 8,
            "lost_bytes": 3
          },
          "taken_out": [],
          "tokens": {
            "estimate": 2,
            "method": "bytes/4"
          }
        }
      ],
      "budget": {
        "unit": "bytes",
        "limit": 8,
        "used": 8,
        "wanted": 11
      },
      "steps": [],
      "omitted": [
        {
          "path": "/home/mio/shop/AGENTS.md",
          "kind": "instructions",
          "scope": "project",
          "via": {
            "how": "discovered"
          },
          "reason": {
            "code": "shadowed",
            "by": "/home/mio/shop/AGENTS.override.md"
          },
          "message": "`AGENTS.override.md` in the same folder is read instead",
          "quirk": "codex/empty-override-hides"
        }
      ],
      "skills": {
        "roots": {
          "r0": "/home/mio/.codex/skills"
        },
        "listed": [
          {
            "name": "creator",
            "description": null,
            "path": "r0/creator/SKILL.md",
            "file": "/home/mio/.codex/skills/c",
            "scope": "system",
            "lost_chars": 0
          }
        ],
        "rendered": "",
        "omitted": [],
        "budget": null
      },
      "memory": {
        "enabled": true,
        "version": "v2",
        "root": "/home/mio/.codex/memories_v2",
        "content": null,
        "cut": null,
        "path": "/home/mio/.codex/memories_v2/memory_summary.md",
        "would_create": null,
        "topics": null
      },
      "agent_memory": [],
      "agents": [],
      "custom_agents": [],
      "later": [],
      "rendered": {
        "instructions": "<INSTRUCTIONS>"
      },
      "diagnostics": [
        {
          "code": "codex/x",
          "severity": "hint",
          "message": "odd",
          "path": "/home/mio/shop/AGENTS.md",
          "line": 2,
          "help": null,
          "quirk": null
        }
      ],
      "probes": {
        "read": [],
        "missing": [
          "/home/mio/shop/.git"
        ]
      },
      "totals": {
        "bytes": 8,
        "tokens": 2,
        "bundled_tokens": 0
      }
    }[EOF]
    "#);
}

#[test]
fn a_refusal_is_told_with_the_client_s_words() {
    let mut found = codex();
    found.refusal = Some("no".to_owned());
    let client = codex_document(found).client;
    assert_eq!(serde_json::json!(client), serde_json::json!({"starts": false, "error": "no"}));
}

#[test]
fn each_reason_names_what_is_to_blame() {
    let reasons = [
        Omission::Excluded { by: "claudeMdExcludes `x`".into() },
        Omission::Disabled { setting: "A=1".into() },
        Omission::PathsDoNotMatch(vec!["*.ts".into()]),
        Omission::NameTooLong { chars: 70, limit: 64 },
        Omission::OverBudget { limit: Limit::Utf16(10), wanted: 20 },
        Omission::ChainLost { because: path("/a") },
        Omission::BrokenLink,
    ]
    .map(memport_documents::Reason::from);
    let lines: Vec<_> =
        reasons.iter().map(|reason| serde_json::to_string(reason).unwrap()).collect();
    assert_snapshot!(lines.join("\n"), @r#"
    {"code":"excluded","by":"claudeMdExcludes `x`"}
    {"code":"disabled","setting":"A=1"}
    {"code":"paths-do-not-match","patterns":["*.ts"]}
    {"code":"name-too-long","unit":"chars","limit":64,"wanted":70}
    {"code":"over-budget","unit":"utf16","limit":10,"wanted":20}
    {"code":"chain-lost","by":"/a"}
    {"code":"broken-link"}
    "#);
}

#[test]
fn a_client_with_nothing_of_the_person_s_own_has_nothing() {
    assert!(!codex_document(codex()).has_something());
    assert!(!claude_document(claude()).has_something());
    let mut bundled = codex();
    bundled.skills.listed = vec![skill(Scope::Builtin, "creator", "/s")];
    assert!(!codex_document(bundled.clone()).has_something());
    bundled.skills.listed.push(skill(Scope::User, "mine", "/t"));
    assert!(codex_document(bundled).has_something());
    let mut refused = claude();
    refused.refusal = Some("no".to_owned());
    assert!(claude_document(refused).has_something());
}
