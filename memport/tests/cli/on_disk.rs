//! The whole way on a real disk: command line, clients, answer.

use serde_json::Value;

use crate::disk::Disk;

fn names(document: &Value, pointer: &str) -> Vec<String> {
    let items = document.pointer(pointer).and_then(Value::as_array).unwrap();
    let name = |item: &Value| item["path"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    items.iter().map(name).collect()
}

#[test]
fn codex_is_told_its_agents_md() {
    let disk = Disk::with(&[("project/AGENTS.md", "Run the tests.\n"), ("home/x", "")]);
    let document = disk.json(&["explain", "codex", "--json"]);
    assert_eq!(document["schema"], "memport.explain.v1");
    assert_eq!(document["agent"], "codex");
    assert_eq!(names(&document, "/layers"), ["AGENTS.md"]);
    assert_eq!(document["layers"][0]["content"], "Run the tests.\n");
    assert!(disk.run(&["explain", "codex"]).contains("  1  project  AGENTS.md  15 B\n"));
}

#[test]
fn the_tokens_at_start_hold_those_of_bundled_skills() {
    let skill = "---\nname: s\ndescription: d\n---\n";
    let disk = Disk::with(&[("project/.agents/skills/s/SKILL.md", skill)]);
    let document = disk.json(&["explain", "codex", "--json"]);
    let number = |pointer: &str| document.pointer(pointer).and_then(Value::as_u64).unwrap();
    assert_eq!(number("/totals/tokens"), number("/skills/budget/used"));
    assert!(number("/totals/bundled_tokens") > 100 && number("/totals/bytes") < 100);
    assert!(disk.run(&["explain", "codex"]).contains("tokens of bundled skills)\n"));
}

#[test]
fn the_client_s_own_arguments_reach_it() {
    let disk = Disk::with(&[("project/AGENTS.md", "Run the tests.\n")]);
    let args = ["explain", "codex", "--json", "--", "-c", "project_doc_max_bytes=3"];
    let document = disk.json(&args);
    assert_eq!(document["layers"][0]["content"], "Run");
    assert_eq!(document["layers"][0]["cut"]["lost_bytes"], 12);
}

#[test]
fn a_client_that_does_not_start_is_an_answer() {
    let disk = Disk::with(&[("home/.codex/config.toml", "= no\n")]);
    let document = disk.json(&["explain", "codex", "--json"]);
    assert_eq!(document["client"]["starts"], false);
    assert!(document["client"]["error"].is_string());
    assert!(disk.run(&["explain", "codex"]).contains("It does not start here."));
}

#[test]
fn without_a_client_all_that_have_something_are_shown() {
    let disk = Disk::with(&[]);
    assert_eq!(disk.json(&["explain", "--json"])["agents"], Value::Array(Vec::new()));
    assert!(disk.run(&["explain"]).starts_with("No client finds"));
    let disk = Disk::with(&[("project/AGENTS.md", "Tests.\n"), ("project/CLAUDE.md", "Tabs.\n")]);
    let document = disk.json(&["explain", "--json"]);
    let agents = document["agents"].as_array().unwrap();
    let agents: Vec<_> = agents.iter().map(|agent| agent["agent"].as_str().unwrap()).collect();
    assert_eq!(agents, ["codex", "claude-code"]);
    let text = disk.run(&["explain"]);
    let (_, table) = text.split_once("\nFile ").unwrap();
    assert!(table.contains("AGENTS.md") && table.contains("CLAUDE.md"), "{table}");
}

#[test]
fn every_step_has_its_entry() {
    let disk = Disk::with(&[("project/CLAUDE.md", "x\n"), ("project/sub/CLAUDE.md", "y\n")]);
    for agent in ["codex", "claude"] {
        let document = disk.json(&["explain", agent, "--json", "--touch", "sub/a", "--touch", "b"]);
        assert_eq!(document["steps"].as_array().unwrap().len(), 2, "{agent}");
        let used = &document["steps"][0]["uses"][0];
        assert!(used["input"]["file_path"].as_str().unwrap().ends_with("/project/sub/a"));
    }
}

#[test]
fn the_home_given_is_the_one_used() {
    let disk = Disk::with(&[("other/.codex/AGENTS.md", "Mine.\n")]);
    let document = disk.json(&["explain", "codex", "--json", "--home", "../other"]);
    assert!(document["home"].as_str().unwrap().ends_with("/other"));
    assert_eq!(document["layers"][0]["scope"], "user");
}
