//! What goes from one client to another, and what is lost on the way.

use std::collections::{BTreeMap, BTreeSet};

use memory_core::{counted, grouped};

use super::layout::palette;
use super::layout::{Cell, Row, Table};
use super::len;
use super::page::Page;
use super::{diagnostics, plan};
use crate::place::Start;
use memport_documents::{
    CarriedDocument, ChangedBy, ConflictDocument, How, LossDocument, PortDocument, SideDocument,
};

/// The end of the paths of manifests, whose text says nothing to people.
const MANIFEST: &str = "/.memport/port.toml";

/// Sources of one target that are named one by one.
const NAMED: usize = 12;

/// A port: first in short, then the diff, then the losses.
pub(crate) fn port(port: &PortDocument, start: &Start, width: usize) -> String {
    let mut page = Page::at(start, width);
    title(&mut page, port);
    places(&mut page, &port.carried);
    sides(&mut page, port);
    changes(&mut page, port);
    conflicts(&mut page, &port.conflicts);
    losses(&mut page, &port.losses);
    unaccounted(&mut page, &port.unaccounted);
    diagnostics::section(&mut page, &port.diagnostics);
    page.line(0, &[]);
    ending(&mut page, port);
    page.finish()
}

fn title(page: &mut Page, port: &PortDocument) {
    let clients = format!("{} -> {}", port.from.title(), port.to.title());
    let place = format!("in {}", page.paths().folder(&port.project));
    page.line(0, &[(&clients, palette::TITLE), (" ", palette::PLAIN), (&place, palette::PLAIN)]);
    let open = port.losses.iter().filter(|loss| !loss.accepted).count() as u64;
    let files = counted(len(&port.carried), "file");
    let done = match (port.carried.len(), port.applied.is_some()) {
        (0, _) => "nothing is carried".to_owned(),
        (_, true) => format!("{files} carried"),
        (_, false) => format!("{files} to carry"),
    };
    let written = match port.plan.changes.len() {
        0 => "nothing to write".to_owned(),
        changes => counted(changes as u64, "change"),
    };
    let lost = match (port.losses.len() as u64, open) {
        (0, _) => "nothing is lost".to_owned(),
        (all, 0) => format!("{}, all accepted", losses_of(all)),
        (all, open) if all == open => losses_of(all),
        (all, open) => format!("{}, {} not accepted", losses_of(all), grouped(open)),
    };
    page.prose(0, &format!("{done}, {written}, {lost}"), palette::DIM);
}

fn losses_of(number: u64) -> String {
    if number == 1 { "1 loss".to_owned() } else { format!("{} losses", grouped(number)) }
}

/// Which files hold what, a row each.
fn places(page: &mut Page, carried: &[CarriedDocument]) {
    if carried.is_empty() {
        return;
    }
    let by_target = by_target(carried);
    page.heading("Where it goes", &counted(len(carried), "file"));
    let rows = by_target.iter().map(|(to, from)| {
        let said = if from.contains_key(to) && from.len() == 1 {
            "read where it is".to_owned()
        } else {
            let named = from.iter().take(NAMED).map(|(from, count)| source(page, from, *count));
            let mut said = named.collect::<Vec<_>>().join(", ");
            let more: u64 = from.values().skip(NAMED).sum();
            if more > 0 {
                said.extend([" and ", &counted(more, "other")]);
            }
            format!("from {said}")
        };
        Row {
            cells: vec![Cell::left(folder_or_file(page, to), palette::PLAIN)],
            tail: Cell::left(said, palette::DIM),
            below: Vec::new(),
        }
    });
    let rows = rows.collect();
    page.table(&Table { indent: 2, name: 0, rows });
}

fn source(page: &Page, from: &str, count: u64) -> String {
    let name = folder_or_file(page, from);
    if from.ends_with('/') { format!("{name} ({})", counted(count, "file")) } else { name }
}

fn folder_or_file(page: &Page, path: &str) -> String {
    match path.strip_suffix('/') {
        Some(folder) => page.paths().file(folder) + "/",
        None => page.paths().file(path),
    }
}

/// How many files of which source each target holds. Folders, which end with a
/// `/`, stand for files that keep their names.
fn by_target(carried: &[CarriedDocument]) -> BTreeMap<String, BTreeMap<String, u64>> {
    let mut by_root: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for file in carried {
        for to in &file.to {
            let same = shared_end(&file.path, to);
            let root = |path: &'_ str| path.len() - same.len();
            let from = file.path.get(..root(&file.path)).unwrap_or_default();
            let to = to.get(..root(to)).unwrap_or_default();
            by_root.entry((from, to)).or_default().push(same);
        }
    }
    let mut targets: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for ((from, to), files) in by_root {
        let folder = shared_start(&files);
        let (from, to) = (format!("{from}{folder}"), format!("{to}{folder}"));
        *targets.entry(to).or_default().entry(from).or_default() += len(&files);
    }
    targets
}

/// The last parts that two paths share, without a `/` before them; nothing when
/// their names differ, or when they are one path.
fn shared_end<'a>(one: &'a str, other: &str) -> &'a str {
    let parts = one.rsplit('/').zip(other.rsplit('/'));
    let same = parts.take_while(|(a, b)| a == b).map(|(part, _)| part.len() + 1).sum::<usize>();
    if one == other { "" } else { one.get((one.len() + 1).saturating_sub(same)..).unwrap_or("") }
}

/// The folder that all of some relative paths lie in, with its `/`.
fn shared_start<'a>(paths: &[&'a str]) -> &'a str {
    let Some((first, others)) = paths.split_first() else { return "" };
    let ends = first.match_indices('/').map(|(at, _)| first.get(..=at).unwrap_or_default());
    ends.take_while(|folder| others.iter().all(|path| path.starts_with(folder)))
        .last()
        .unwrap_or_default()
}

/// What was changed since the last port.
fn sides(page: &mut Page, port: &PortDocument) {
    if port.sides.is_empty() {
        return;
    }
    page.heading("Changed since the last port", &counted(len(&port.sides), "piece"));
    let rows = port.sides.iter().map(|side| Row {
        cells: vec![Cell::left(page.paths().file(&side.from), palette::PLAIN)],
        tail: Cell::left(changed(page, side, comes_back(port, side)), palette::DIM),
        below: Vec::new(),
    });
    let rows = rows.collect();
    page.table(&Table { indent: 2, name: 0, rows });
}

/// Whether this port brings a copy back to where it came from.
fn comes_back(port: &PortDocument, side: &SideDocument) -> bool {
    let mut carried = port.carried.iter();
    carried.any(|file| file.path == side.to && file.to.contains(&side.from))
}

fn changed(page: &Page, side: &SideDocument, comes_back: bool) -> String {
    let copy = page.paths().file(&side.to);
    match (side.changed, comes_back) {
        (ChangedBy::Origin, false) => format!("it was changed: the copy in {copy} follows"),
        (ChangedBy::Copy, true) => format!("the copy in {copy} was changed: it follows"),
        (ChangedBy::Origin, true) => {
            "it was changed and stays; port the other way to carry it".to_owned()
        }
        (ChangedBy::Copy, false) => {
            format!("the copy in {copy} was changed and stays; port the other way to take it over")
        }
        (ChangedBy::Both, _) => format!("both it and the copy in {copy} were changed: see below"),
        (ChangedBy::OriginGone, _) => format!("it is gone; the copy in {copy} stays"),
        (ChangedBy::CopyGone, _) => format!("the copy in {copy} is gone"),
    }
}

fn changes(page: &mut Page, port: &PortDocument) {
    let changes = &port.plan.changes;
    if changes.is_empty() {
        return;
    }
    page.heading("Plan", &counted(len(changes), "change"));
    for change in changes {
        page.line(0, &[]);
        plan::header(page, change);
        if change.path.ends_with(MANIFEST) {
            let text = "(what came from where, for the next port and the way back; \
                        `--json` shows it)";
            page.prose(2, text, palette::DIM);
        } else {
            plan::body(page, change);
        }
    }
}

/// What stays as it is because it is somebody's, with both versions.
fn conflicts(page: &mut Page, conflicts: &[ConflictDocument]) {
    if conflicts.is_empty() {
        return;
    }
    page.heading("Conflicts", &counted(len(conflicts), "piece"));
    for conflict in conflicts {
        let (from, path) = (page.paths().file(&conflict.from), page.paths().file(&conflict.path));
        // What belongs to none of the source's files has no way to show.
        let way = (conflict.from != conflict.path)
            .then_some([(&*from, palette::TITLE), (" -> ", palette::DIM)]);
        let part = match &conflict.section {
            Some(name) => format!(", the part `{name}`"),
            None => String::new(),
        };
        page.line(0, &[]);
        let part = super::visible(&part);
        let to = [(&*path, palette::TITLE), (&*part, palette::DIM)];
        let line: Vec<_> = way.into_iter().flatten().chain(to).collect();
        page.line(2, &line);
        page.prose(4, &format!("it stays as it is: {}", conflict.why), palette::LOST);
        if let Some(diff) = &conflict.diff {
            page.prose(4, "- is there, + would be there:", palette::DIM);
            plan::diff_lines(page, 4, diff);
        }
    }
}

/// What is not what it was, file by file.
fn losses(page: &mut Page, losses: &[LossDocument]) {
    if losses.is_empty() {
        return;
    }
    let files: BTreeSet<&str> = losses.iter().map(|loss| loss.path.as_str()).collect();
    let accepted = losses.iter().filter(|loss| loss.accepted).count() as u64;
    let mut summary =
        format!("{} in {}", grouped(len(losses)), counted(files.len() as u64, "file"));
    if accepted > 0 {
        summary.extend([", ", &grouped(accepted), " accepted"]);
    }
    page.heading("Losses", &summary);
    for group in losses.chunk_by(|a, b| a.path == b.path) {
        let Some(first) = group.first() else { continue };
        let path = page.paths().file(&first.path);
        page.line(2, &[(&path, palette::TITLE)]);
        let rows = group.iter().map(|loss| loss_row(page, loss)).collect();
        page.table(&Table { indent: 4, name: 1, rows });
    }
}

fn loss_row(page: &Page, loss: &LossDocument) -> Row {
    let style = match loss.how {
        _ if loss.accepted => palette::DIM,
        How::Dropped | How::Truncated => palette::WARNING,
        How::Flattened
        | How::Renamed
        | How::ScopeWidened
        | How::ScopeNarrowed
        | How::Approximated
        | How::NotEnforced => palette::LOST,
    };
    let line = loss.line.map(|line| format!(", line {}", grouped(line.into()))).unwrap_or_default();
    let renamed = loss.renamed_to.as_ref().map(|to| format!(" -> `{to}`")).unwrap_or_default();
    let accepted = if loss.accepted { " (accepted)" } else { "" };
    let said = page.paths().in_prose(&format!("{}{renamed}{line}{accepted}", loss.what));
    let mut below = vec![Cell::left(page.paths().in_prose(&loss.message), palette::PLAIN)];
    if let Some(kept) = &loss.kept_in {
        let kept = format!("its text: {}", page.paths().file(kept));
        below.push(Cell::left(kept, palette::DIM));
    }
    Row {
        cells: vec![Cell::left(loss.how.as_str(), style), Cell::left(said, palette::PLAIN)],
        tail: Cell::default(),
        below,
    }
}

fn unaccounted(page: &mut Page, paths: &[String]) {
    if paths.is_empty() {
        return;
    }
    page.heading("Unaccounted for (bug)", "nothing is written; please report this");
    for path in paths {
        let path = page.paths().file(path);
        page.line(2, &[(&path, palette::ERROR)]);
    }
}

/// What to do next.
fn ending(page: &mut Page, port: &PortDocument) {
    if !port.plan.changes.is_empty() {
        plan::outcome(page, &port.plan, port.applied.as_ref());
    } else if !port.unaccounted.is_empty() {
        page.prose(0, "There is nothing to write.", palette::PLAIN);
    } else if port.conflicts.is_empty() {
        page.prose(0, "There is nothing to write: everything is as it is wanted.", palette::PLAIN);
    } else {
        page.prose(0, "There is nothing to write beside what is in the way.", palette::PLAIN);
    }
    let mut hint = |text: &str| page.labelled("hint:", palette::HINT, text);
    if !port.conflicts.is_empty() {
        hint("move away or merge by hand what is in the way, then port again");
    }
    let open = port.losses.iter().filter(|loss| !loss.accepted);
    let codes: BTreeSet<&str> = open.map(|loss| loss.how.as_str()).collect();
    if !codes.is_empty() {
        let codes: Vec<&str> = codes.into_iter().collect();
        hint(&format!(
            "the exit code is 1 while losses are not accepted; `--accept-loss {}` accepts these",
            codes.join(",")
        ));
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use memory_core::{AbsPath, Env};

    use super::*;
    use memport_documents::{
        Agent, AppliedDocument, ChangeDocument, DiagnosticDocument, Op, PORT_SCHEMA, PlanDocument,
        Severity,
    };

    fn shown(document: &PortDocument) -> String {
        let path = |text| AbsPath::new(text).unwrap();
        let start = Start { cwd: path("/h/shop"), env: Env::with_home(path("/h")) };
        anstream::adapter::strip_str(&port(document, &start, 80)).to_string() + "[EOF]"
    }

    fn change(op: Op, path: &str, from: &[&str], diff: &str) -> ChangeDocument {
        ChangeDocument {
            op,
            path: path.to_owned(),
            from: from.iter().map(|from| (*from).to_owned()).collect(),
            bytes: Some(1204),
            mode: None,
            diff: Some(format!("--- a\n+++ b\n{diff}")),
            warning: None,
        }
    }

    fn loss(path: &str, how: How, accepted: bool) -> LossDocument {
        LossDocument {
            what: "rule `規則`".to_owned(),
            path: path.to_owned(),
            line: Some(3),
            how,
            renamed_to: (how == How::Renamed).then(|| "deploy-2".to_owned()),
            kept_in: (how != How::Dropped).then(|| "/h/shop/AGENTS.md".to_owned()),
            message: "it is always shown now and asks to be followed for these files only".into(),
            accepted,
        }
    }

    fn document() -> PortDocument {
        let carried = |path: &str, to: &str| CarriedDocument {
            path: path.to_owned(),
            to: vec![to.to_owned()],
        };
        PortDocument {
            schema: PORT_SCHEMA,
            from: Agent::ClaudeCode,
            to: Agent::Codex,
            project: "/h/shop".to_owned(),
            home: "/h".to_owned(),
            plan: PlanDocument {
                digest: "sha256:12".to_owned(),
                changes: vec![
                    change(Op::Create, "/h/shop/.memport/port.toml", &[], "@@ -0,0 +1 @@\n+x\n"),
                    change(
                        Op::Replace,
                        "/h/shop/AGENTS.md",
                        &["/h/shop/CLAUDE.md", "/h/shop/docs/規則.md"],
                        "@@ -1 +1,2 @@\n Mine.\n+Use tabs.\u{1b}[31m\n",
                    ),
                ],
            },
            losses: vec![
                loss("/h/shop/.claude/rules/規則.md", How::NotEnforced, false),
                loss("/h/shop/.claude/rules/規則.md", How::Renamed, true),
                loss("/h/shop/\u{1b}x.md", How::Dropped, false),
            ],
            carried: vec![
                carried("/h/shop/.claude/skills/a/SKILL.md", "/h/shop/.agents/skills/a/SKILL.md"),
                carried("/h/shop/.claude/skills/b/SKILL.md", "/h/shop/.agents/skills/b/SKILL.md"),
                carried("/h/shop/CLAUDE.md", "/h/shop/AGENTS.md"),
                carried("/h/shop/docs/規則.md", "/h/shop/AGENTS.md"),
                carried("/h/shop/web/AGENTS.md", "/h/shop/web/AGENTS.md"),
            ],
            conflicts: vec![ConflictDocument {
                from: "/h/shop/.claude/rules/x.md".to_owned(),
                path: "/h/shop/AGENTS.md".to_owned(),
                section: Some(".claude/rules/x.md".to_owned()),
                why: "both it and what it was carried from were changed since".to_owned(),
                wanted: Some("ours\n".to_owned()),
                found: Some("theirs\n".to_owned()),
                diff: Some("--- a\n+++ b\n@@ -1 +1 @@\n-theirs\n+ours\n".to_owned()),
            }],
            sides: ChangedBy::ALL
                .iter()
                .map(|changed| SideDocument {
                    from: "/h/shop/.claude/rules/x.md".to_owned(),
                    to: "/h/shop/AGENTS.md".to_owned(),
                    section: None,
                    changed: *changed,
                })
                .collect(),
            unaccounted: Vec::new(),
            diagnostics: vec![DiagnosticDocument {
                code: "codex/over-budget",
                severity: Severity::Warning,
                message: "the last ones would be cut".to_owned(),
                path: None,
                line: None,
                help: Some("make room".to_owned()),
                quirk: None,
            }],
            applied: None,
        }
    }

    #[test]
    fn a_dry_run_says_what_goes_where_and_what_is_lost() {
        assert_snapshot!(shown(&document()), @r"
        Claude Code -> Codex in ~/shop
        5 files to carry, 2 changes, 3 losses, 2 not accepted

        Where it goes  5 files
          .agents/skills/  from .claude/skills/ (2 files)
          AGENTS.md        from CLAUDE.md, docs/規則.md
          web/AGENTS.md    read where it is

        Changed since the last port  5 pieces
          .claude/rules/x.md  it was changed: the copy in AGENTS.md follows
          .claude/rules/x.md  the copy in AGENTS.md was changed and stays; port the
                              other way to take it over
          .claude/rules/x.md  both it and the copy in AGENTS.md were changed: see below
          .claude/rules/x.md  it is gone; the copy in AGENTS.md stays
          .claude/rules/x.md  the copy in AGENTS.md is gone

        Plan  2 changes

        create .memport/port.toml  1,204 B
          (what came from where, for the next port and the way back; `--json` shows it)

        replace AGENTS.md  1,204 B, from CLAUDE.md and 1 other
          @@ -1 +1,2 @@
           Mine.
          +Use tabs.\u{1b}[31m

        Conflicts  1 piece

          .claude/rules/x.md -> AGENTS.md, the part `.claude/rules/x.md`
            it stays as it is: both it and what it was carried from were changed since
            - is there, + would be there:
            @@ -1 +1 @@
            -theirs
            +ours

        Losses  3 in 2 files, 1 accepted
          .claude/rules/規則.md
            not-enforced  rule `規則`, line 3
                          it is always shown now and asks to be followed for these files
                          only
                          its text: AGENTS.md
            renamed       rule `規則` -> `deploy-2`, line 3 (accepted)
                          it is always shown now and asks to be followed for these files
                          only
                          its text: AGENTS.md
          \u{1b}x.md
            dropped  rule `規則`, line 3
                     it is always shown now and asks to be followed for these files only

        warning[codex/over-budget]: the last ones would be cut
          hint: make room

        sha256:12
        hint: nothing is written yet; `--write` does it, and with `--plan` and the
              digest above only if it is still this plan
        hint: move away or merge by hand what is in the way, then port again
        hint: the exit code is 1 while losses are not accepted; `--accept-loss
              dropped,not-enforced` accepts these
        [EOF]
        ");
    }

    #[test]
    fn what_is_done_can_be_taken_back() {
        let mut done = document();
        done.applied = Some(AppliedDocument { run: "7".into(), undo: "memport undo 7".into() });
        (done.conflicts, done.sides, done.diagnostics) = (Vec::new(), Vec::new(), Vec::new());
        done.carried.truncate(1);
        done.plan.changes.truncate(1);
        done.losses.retain(|loss| loss.accepted);
        assert_snapshot!(shown(&done), @r"
        Claude Code -> Codex in ~/shop
        1 file carried, 1 change, 1 loss, all accepted

        Where it goes  1 file
          .agents/skills/a/  from .claude/skills/a/ (1 file)

        Plan  1 change

        create .memport/port.toml  1,204 B
          (what came from where, for the next port and the way back; `--json` shows it)

        Losses  1 in 1 file, 1 accepted
          .claude/rules/規則.md
            renamed  rule `規則` -> `deploy-2`, line 3 (accepted)
                     it is always shown now and asks to be followed for these files only
                     its text: AGENTS.md

        Written as run 7.
        hint: `memport undo 7 --write` takes it back
        [EOF]
        ");
        done.plan.changes.clear();
        done.losses.clear();
        done.applied = None;
        done.unaccounted = vec!["/h/shop/x.md".to_owned()];
        assert_snapshot!(shown(&done), @r"
        Claude Code -> Codex in ~/shop
        1 file to carry, nothing to write, nothing is lost

        Where it goes  1 file
          .agents/skills/a/  from .claude/skills/a/ (1 file)

        Unaccounted for (bug)  nothing is written; please report this
          x.md

        There is nothing to write.
        [EOF]
        ");
    }

    fn said(carried: &[(&str, &str)]) -> Vec<String> {
        let document = |(path, to): &(&str, &str)| CarriedDocument {
            path: (*path).to_owned(),
            to: vec![(*to).to_owned()],
        };
        let carried: Vec<_> = carried.iter().map(document).collect();
        let rows = by_target(&carried);
        let rows = rows.iter().flat_map(|(to, from)| from.iter().map(move |from| (to, from)));
        rows.map(|(to, (from, count))| format!("{to} from {from} {count}")).collect()
    }

    #[test]
    fn files_that_keep_their_names_are_told_by_their_folder() {
        let one = ("/p/.a/skills/x/s.md", "/p/.b/skills/x/s.md");
        let other = ("/p/.a/skills/y/s.md", "/p/.b/skills/y/s.md");
        assert_eq!(said(&[one]), ["/p/.b/skills/x/ from /p/.a/skills/x/ 1"]);
        assert_eq!(said(&[one, other]), ["/p/.b/skills/ from /p/.a/skills/ 2"]);
        assert_eq!(
            said(&[("/h/m/A.md", "/h/r/A.md"), ("/h/m/t/x.md", "/h/r/t/x.md")]),
            ["/h/r/ from /h/m/ 2"]
        );
    }

    #[test]
    fn files_that_become_parts_are_told_one_by_one() {
        assert_eq!(
            said(&[("/p/A.md", "/p/B.md"), ("/p/d/A.md", "/p/B.md"), ("/p/C.md", "/p/C.md")]),
            ["/p/B.md from /p/A.md 1", "/p/B.md from /p/d/A.md 1", "/p/C.md from /p/C.md 1"]
        );
    }
}
