use memory_core::AbsPath;
use memory_core::doc::Source;

use super::*;

fn parse(text: &str) -> Parsed<Handbook> {
    Handbook::parse(AbsPath::new("/m/MEMORY.md").unwrap(), Source::new(text.as_bytes()))
}

const GROUP: &str = "\
# Task Group: numeric tests

scope: rounding; not the web UI
applies_to: cwd=C:\\Users\\mio\\x; reuse_rule=safe while a; b
## Task 1: pin rounding, for totals, success
### rollout_summary_files
- rollout_summaries/a.md (cwd=/x, rollout_path=/r.jsonl, updated_at=2026-11-02T09:40:00Z)
### keywords
- decimal, \"half even\", 丸め
## Task 2: nobody knows
- Related skill: skills/csv/SKILL.md
## User preferences
- be short [Task 1][Task 2]
  and kind
## Failures and how to do differently
- a -> b [Task 1] [ad-hoc note]
";

#[test]
fn a_group_has_tasks_and_sections_with_places() {
    let parsed = parse(GROUP);
    assert_eq!(parsed.diagnostics, []);
    let [group] = &parsed.value.groups[..] else { panic!("{parsed:?}") };
    assert_eq!(group.scope.as_deref(), Some("rounding; not the web UI"));
    assert_eq!(group.cwd(), Some("C:\\Users\\mio\\x"));
    assert_eq!(group.reuse_rule(), Some("safe while a; b"));
    let [first, second] = &group.tasks[..] else { panic!("{group:?}") };
    assert_eq!((first.number, first.title.as_str()), (Some(1), "pin rounding, for totals"));
    assert_eq!(first.outcome, Some(TaskOutcome::Success));
    assert_eq!(first.keywords, ["decimal", "half even", "丸め"]);
    assert_eq!((first.place.first_line, first.place.last_line), (5, 9));
    assert_eq!((second.outcome, second.bullets.len()), (None, 1));
    let [preferences, failures] = &group.sections[..] else { panic!("{group:?}") };
    assert_eq!(preferences.bullets[0].text, "be short [Task 1][Task 2]\nand kind");
    assert_eq!(failures.kind, HandbookSectionKind::Failures);
    assert_eq!(failures.bullets[0].tags(), ["ad-hoc note"]);
}

#[test]
fn items_may_stand_for_headings() {
    let parsed = parse(
        "# Task Group: CSV\n\n- Scope: 文字コード\n- Task: 読む, partial\n- rollout_summary_files:\n  - 00042_a.md\n  - `0001_b.md`\n\
         - keywords: csv, shift-jis\n- Failures and how to do differently:\n  UTF-8 と決めつけた。\n",
    );
    let group = &parsed.value.groups[0];
    assert_eq!(group.scope.as_deref(), Some("文字コード"));
    let [task] = &group.tasks[..] else { panic!("{group:?}") };
    assert_eq!((task.title.as_str(), task.outcome), ("読む", Some(TaskOutcome::Partial)));
    let paths: Vec<_> = task.sources.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(paths, ["00042_a.md", "0001_b.md"]);
    assert_eq!(task.keywords, ["csv", "shift-jis"]);
    assert_eq!(group.sections[0].bullets[0].text, "UTF-8 と決めつけた。");
    assert_eq!(parsed.diagnostics.len(), 2);
}

#[test]
fn what_is_around_the_groups_is_kept() {
    let text = format!(
        "# My notes\n\nDo not touch.\n\n## MEMORY.md\n\n{GROUP}\n## memory_summary.md\n\nv1\n"
    );
    let handbook = parse(&text).value;
    assert_eq!((handbook.groups.len(), handbook.other.len()), (1, 2));
    assert_eq!(handbook.groups[0].sections.len(), 2);
    assert_eq!(handbook.text(handbook.other[1]), "## memory_summary.md\n\nv1\n");
}

#[test]
fn plain_markdown_is_one_stretch_of_text() {
    let parsed = parse("# Shop Memory\n\n## Stack\n\n- Rust\n");
    assert_eq!(parsed.diagnostics[0].code.0, "codex/memory-handbook-opaque");
    assert_eq!(parsed.value.groups, []);
    assert_eq!(parsed.value.other.len(), 1);
}
