//! What is wrong with what agents remember and are told.

use std::collections::BTreeMap;
use std::io::Read as _;

use memory_audit::{Check, Relation, Statement, without_secrets};
use memory_core::fs::{Confined, Fs, OsFs};
use memory_core::plan::{Change, WritePlan};
use memory_core::{AbsPath, Env, Severity};
use memory_git::Repository;
use memport_documents::{
    AppliedDocument, CHECK_SCHEMA, CheckDocument, CountsDocument, FixDocument, PlanDocument,
};
use serde::Deserialize;

use super::change::carry_out;
use crate::args::{CheckArgs, CheckFormat, WriteArgs};
use crate::check::{Baseline, Config, Finding, Fix, Level, Looked, Root, judge_entry, look};
use crate::client::Clients;
use crate::diff::{Ask, NO_HOME, looked_for};
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start, portable_path};
use crate::{journal, text};

/// Most findings whose fix is shown one by one.
const SHOWN_FIXES: usize = 200;

/// Looks for what is wrong, and mends what can be mended safely.
pub(crate) fn check(args: &CheckArgs, process: Process) -> Result<Answer, Failure> {
    let (only, paths) = args.client_and_paths();
    let clients = Clients::chosen(only, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let repository = Repository::around(&start.cwd, &OsFs).ok();
    let top = repository.as_ref().map_or(&start.cwd, Repository::root);
    let root = Root { folder: top.clone() };
    let at = |path: &std::path::PathBuf| start.cwd.join(portable_path(path));
    let config = Config::read(&OsFs, &root.folder, args.config.as_ref().map(at).as_ref())?;
    let fail_on = args.fail_on.or(config.fail_on).unwrap_or(Level::Warning);
    if args.stdin_lines || args.stdin_pairs {
        // An id stands for a path.
        let root = Root { folder: AbsPath::root() };
        let findings = if args.stdin_lines { stdin_lines(&config)? } else { stdin_pairs()? };
        return Ok(answer(args, findings.1, &findings.0, &root, fail_on, Outcome::default()));
    }
    let baseline =
        args.baseline.as_ref().map(|file| Baseline::read(&OsFs, &at(file))).transpose()?;
    let within = Confined::new(&OsFs, root.folder.clone());
    let nobody = Env::with_home(AbsPath::new(NO_HOME)?);
    let (fs, env): (&dyn Fs, &Env) =
        if args.no_home { (&within, &nobody) } else { (&OsFs, &start.env) };
    let mut folders = vec![start.cwd.clone()];
    if args.all_directories {
        let ask = Ask { clients: &clients, env, fs };
        let names = looked_for(&ask, &root.folder)?;
        let below = repository.as_ref().map(|found| found.directories_holding(&names, &OsFs));
        let mut all = below.transpose()?.unwrap_or_default();
        all.extend(folders.drain(..));
        all.remove(&root.folder);
        folders = std::iter::once(root.folder.clone()).chain(all).collect();
    }
    let narrowed: Vec<_> = paths.iter().map(at).collect();
    let gather = || -> Result<(Looked, Outcome), Failure> {
        let mut looked = look(fs, env, &clients, &folders, &config)?;
        if !args.no_home {
            looked.findings.extend(unfinished(&start));
        }
        settle(&mut looked.findings, &root);
        if !narrowed.is_empty() {
            let is_in = |path: &AbsPath| narrowed.iter().any(|narrow| path.starts_with(narrow));
            looked.findings.retain(|finding| finding.path.as_ref().is_some_and(is_in));
        }
        let ignored = config.settle(&mut looked.findings, &root);
        let known = baseline.as_ref().map_or(0, |known| known.settle(&mut looked.findings, &root));
        Ok((looked, Outcome { known, ignored, ..Outcome::default() }))
    };
    let (mut looked, mut outcome) = gather()?;
    if let Some(file) = &args.write_baseline {
        write_baseline(&at(file), &Baseline::of(&looked.findings, &root))?;
    }
    if args.fix {
        let wanted = WriteArgs { write: args.write, plan: None, run: args.run.clone() };
        let (plan, applied) = carry_out(&start, &wanted, || mend(&gather()?.0.findings))?;
        if applied.is_some() {
            (looked, outcome) = gather()?;
        }
        outcome.plan = Some(plan);
        outcome.applied = applied;
    }
    let fail_on = if args.write_baseline.is_some() { Level::Never } else { fail_on };
    Ok(answer(args, looked.counts, &looked.findings, &root, fail_on, outcome))
}

/// What there is to say beside the findings.
#[derive(Default)]
struct Outcome {
    known: u64,
    ignored: u64,
    plan: Option<PlanDocument>,
    applied: Option<AppliedDocument>,
}

fn answer(
    args: &CheckArgs,
    counts: CountsDocument,
    findings: &[Finding],
    root: &Root,
    fail_on: Level,
    outcome: Outcome,
) -> Answer {
    let least = fail_on.severity();
    let fails = least.is_some_and(|least| findings.iter().any(|found| found.severity >= least));
    let is_portable = args.no_home || args.stdin_lines || args.stdin_pairs;
    let is_shown = findings.iter().filter(|finding| finding.fix.is_some()).count() <= SHOWN_FIXES;
    let said = |finding: &Finding| {
        let mut document = finding.to_document(root);
        if let Some(fix) = finding.fix.as_ref().filter(|_| is_shown)
            && let Ok(plan) = mended(std::iter::once(fix))
        {
            document.fix = Some(FixDocument { plan: masked(PlanDocument::of(&OsFs, &plan)) });
        }
        document
    };
    let document = CheckDocument {
        schema: CHECK_SCHEMA,
        root: (!is_portable).then(|| root.folder.to_string()),
        findings: findings.iter().map(said).collect(),
        counts,
        known: outcome.known,
        ignored: outcome.ignored,
        plan: outcome.plan.map(masked),
        applied: outcome.applied,
    };
    let answer = match args.format() {
        CheckFormat::Json => Answer::json(document),
        CheckFormat::Sarif => Answer::json(text::sarif(&document)),
        CheckFormat::Github => Answer::bytes(text::github(&document).into_bytes()),
        CheckFormat::Text => Answer::text(text::check(&document, output::width())),
    };
    answer.with_findings(fails)
}

/// A plan whose texts show no secret in full.
fn masked(mut plan: PlanDocument) -> PlanDocument {
    for change in &mut plan.changes {
        change.diff = change.diff.as_deref().map(without_secrets);
    }
    plan
}

/// One finding of what several folders say alike, in the order of the answer.
fn settle(findings: &mut Vec<Finding>, root: &Root) {
    findings.sort_by_cached_key(|finding| finding.key(root));
    // Where the same place is told of, the sentence may name the folder asked from.
    let mut last: Option<(String, Option<AbsPath>, Option<u32>, String)> = None;
    findings.retain(|finding| {
        let message = if finding.line.is_some() { String::new() } else { finding.message.clone() };
        let place =
            finding.related.first().map_or(message, |(path, line)| format!("{path}:{line:?}"));
        let key = Some((finding.code.clone(), finding.path.clone(), finding.line, place));
        let is_new = last != key;
        last = key;
        is_new
    });
}

/// That a run was interrupted.
fn unfinished(start: &Start) -> Option<Finding> {
    let notice = journal::notice(&OsFs, &start.env)?;
    let code = memory_core::Code("memport/run-unfinished");
    let told =
        memory_core::Diagnostic::new(code, Severity::Warning, notice.message).help(notice.hint);
    Some(Finding::told(told))
}

/// The safe fixes together.
fn mend(findings: &[Finding]) -> Result<WritePlan, Failure> {
    mended(findings.iter().filter_map(|finding| finding.fix.as_ref()))
}

fn mended<'a>(fixes: impl Iterator<Item = &'a Fix>) -> Result<WritePlan, Failure> {
    let mut lines: BTreeMap<&AbsPath, Vec<u32>> = BTreeMap::new();
    for fix in fixes {
        lines.entry(&fix.path).or_default().push(fix.line);
    }
    let real = |path: &AbsPath| OsFs.canonicalize(path).unwrap_or_else(|_| path.clone());
    let paths: Vec<_> = lines.into_iter().map(|(path, lines)| (real(path), lines)).collect();
    let mut plan = WritePlan::new(paths.iter().filter_map(|(path, _)| path.parent()));
    for (path, gone) in paths {
        let before = OsFs
            .read_up_to(&path, u64::MAX)
            .map_err(|error| Failure::at("index", &path, error, "run the command again"))?;
        let kept = (1_u32..).zip(before.split_inclusive(|byte| *byte == b'\n'));
        let kept = kept.filter(|(line, _)| !gone.contains(line));
        let after: Vec<u8> = kept.flat_map(|(_, text)| text.iter().copied()).collect();
        plan.add(Change::replace(path, &before, after))?;
    }
    Ok(plan)
}

fn write_baseline(path: &AbsPath, baseline: &Baseline) -> Result<(), Failure> {
    let file = std::path::PathBuf::from(std::ffi::OsString::from(path.as_str()));
    std::fs::write(&file, baseline.to_text()).map_err(|error| {
        Failure::impossible(
            format!("cannot write `{path}`: {error}"),
            "name a file in a folder that is there",
        )
    })
}

#[derive(Deserialize)]
struct LineIn {
    id: String,
    #[serde(default)]
    kind: String,
    text: String,
}

#[derive(Deserialize)]
struct PairIn {
    id: String,
    a: String,
    b: String,
}

fn stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
        Failure::impossible(
            format!("standard input cannot be read: {error}"),
            "pipe JSON lines into the command",
        )
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn items<T: for<'de> Deserialize<'de>>(text: &str) -> Result<Vec<T>, Failure> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| {
                Failure::usage(
                    format!("line {} of standard input: {error}", at + 1),
                    "one JSON object a line",
                )
            })
        })
        .collect()
}

/// A finding about an item of standard input, which its id stands for.
fn about(check: Check, id: &str) -> Result<Finding, Failure> {
    Ok(Finding::of(check, &AbsPath::new(format!("/{id}"))?))
}

fn stdin_lines(config: &Config) -> Result<(Vec<Finding>, CountsDocument), Failure> {
    let mut counts = CountsDocument::default();
    let mut found = Vec::new();
    for item in items::<LineIn>(&stdin()?)? {
        let is_file = item.kind == "file";
        let doc =
            memory_core::doc::Doc::parse(memory_core::doc::Source::new(item.text.as_bytes())).value;
        let body = if is_file { doc.body() } else { item.text.clone() };
        let issues = judge_entry(&body, is_file, config);
        let has = |check| u64::from(issues.iter().any(|issue| issue.check == check));
        counts.entries += 1;
        counts.dated += 1 - has(Check::Undated);
        counts.too_long += has(Check::TooLong);
        counts.with_line_numbers += has(Check::LineNumber);
        counts.with_progress_words += has(Check::Progress);
        let mut told: Vec<Check> = issues.iter().map(|issue| issue.check).collect();
        if !memory_audit::secrets(&item.text).is_empty() {
            told.push(Check::Secret);
        }
        if body.lines().any(|line| !memory_audit::elisions(line).is_empty()) {
            told.push(Check::Elision);
        }
        if !memory_audit::relative_dates(&body).is_empty() {
            told.push(Check::RelativeDate);
        }
        for check in told {
            found.push(
                about(check, &item.id)?
                    .on(1, &without_secrets(body.trim().lines().next().unwrap_or_default())),
            );
        }
    }
    Ok((found, counts))
}

fn stdin_pairs() -> Result<(Vec<Finding>, CountsDocument), Failure> {
    let mut found = Vec::new();
    for item in items::<PairIn>(&stdin()?)? {
        let verdict = Statement::of(&item.a).compare(&Statement::of(&item.b));
        let (check, shown) = match verdict.map(|verdict| verdict.relation) {
            Some(Relation::Duplicate) => (Check::Duplicate, &item.a),
            Some(Relation::Contradiction) => (Check::Contradiction, &item.a),
            Some(Relation::FirstSuperseded) => (Check::Superseded, &item.a),
            Some(Relation::SecondSuperseded) => (Check::Superseded, &item.b),
            _ => continue,
        };
        found.push(about(check, &item.id)?.on(1, &without_secrets(shown)));
    }
    Ok((found, CountsDocument::default()))
}
