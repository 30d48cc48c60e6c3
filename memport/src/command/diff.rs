//! What a change does to what each client loads.

use std::collections::{BTreeMap, BTreeSet};

use memory_core::fs::{CachedFs, OsFs};
use memory_core::{AbsPath, Env};
use memory_git::Repository;
use memport_documents::{
    Agent, AgentChange, AgentExplanation, DIFF_SCHEMA, DiffDocument, FindingChanges,
    FindingDocument,
};

use crate::args::{DiffArgs, DiffFormat};
use crate::client::Clients;
use crate::diff::{Ask, NO_HOME, State, looked_for, parse};
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::text;

/// Compares what clients load in two states of the repository.
pub(crate) fn diff(args: &DiffArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(None, &args.release)?;
    let mut start = Start::at(&args.place, process, &OsFs)?;
    if args.no_home {
        start.env = bare_env(args)?;
    }
    let repository = Repository::around(&start.cwd, &OsFs)?;
    let (from, to) = parse(args.revisions.as_deref())?;
    let from = State::open(&repository, Some(&from), args.no_home)?;
    let to = State::open(&repository, to.as_deref(), args.no_home)?;
    let document = compare(&repository, &clients, &start.env, &from, &to)?;
    let has_loss = args.fail_on_loss && document.losses > 0;
    let answer = match args.format() {
        DiffFormat::Json => Answer::json(document),
        DiffFormat::Text => Answer::text(text::diff(&document, output::width())),
        DiffFormat::Markdown => Answer::bytes(text::diff_markdown(&document).into_bytes()),
    };
    Ok(answer.with_findings(has_loss))
}

/// An environment that is the same on every machine: only what was given.
fn bare_env(args: &DiffArgs) -> Result<Env, Failure> {
    let mut env = Env { home: Some(AbsPath::new(NO_HOME)?), ..Env::default() };
    env.vars.insert("HOME".to_owned(), NO_HOME.to_owned());
    for change in &args.place.env {
        if let Some(value) = &change.value {
            env.vars.insert(change.key.clone(), value.clone());
        }
    }
    Ok(env)
}

fn compare(
    repository: &Repository,
    clients: &Clients,
    env: &Env,
    from: &State<'_>,
    to: &State<'_>,
) -> Result<DiffDocument, Failure> {
    let root = repository.root();
    let (old, new) = (from.shown(), to.shown());
    let (old, new) = (CachedFs::new(old.fs()), CachedFs::new(new.fs()));
    let before = Ask { clients, env, fs: &old };
    let after = Ask { clients, env, fs: &new };
    let mut names = looked_for(&before, root)?;
    names.extend(looked_for(&after, root)?);
    let mut folders = BTreeSet::from([root.clone()]);
    folders.extend(from.directories_holding(&names)?);
    folders.extend(to.directories_holding(&names)?);

    let mut whole: BTreeMap<(AbsPath, Agent), AgentChange> = BTreeMap::new();
    let mut changes = Vec::new();
    let mut findings = Findings::default();
    for folder in folders {
        for agent in [Agent::ClaudeCode, Agent::Codex] {
            let first = before.explain(agent, &before.existing(&folder, root))?;
            let second = after.explain(agent, &after.existing(&folder, root))?;
            findings.before.add(root, &first);
            findings.after.add(root, &second);
            let name = folder.strip_prefix(root).filter(|rel| !rel.is_empty()).unwrap_or(".");
            let full = AgentChange::between(root.as_str(), name.to_owned(), &first, &second);
            let mut told = full.clone();
            for above in folder.ancestors().skip(1).take_while(|dir| dir.starts_with(root)) {
                if let Some(above) = whole.get(&(above, agent)) {
                    told.leave_out(above);
                }
            }
            whole.insert((folder.clone(), agent), full);
            if !told.is_empty() {
                changes.push(told);
            }
        }
    }
    let losses = changes.iter().map(AgentChange::losses).sum();
    Ok(DiffDocument {
        schema: DIFF_SCHEMA,
        from: from.document(),
        to: to.document(),
        changes,
        findings: findings.changes(),
        losses,
    })
}

/// What was and what is wrong.
#[derive(Default)]
struct Findings {
    before: FoundOnce,
    after: FoundOnce,
}

/// Findings by what they say and of which file, wherever its lines went.
#[derive(Default)]
struct FoundOnce(BTreeMap<(Option<String>, &'static str, String), FindingDocument>);

impl FoundOnce {
    fn add(&mut self, root: &AbsPath, found: &AgentExplanation) {
        for diagnostic in &found.diagnostics {
            let finding = FindingDocument::of(root.as_str(), diagnostic);
            let key = (finding.path.clone(), diagnostic.code, diagnostic.message.clone());
            self.0.entry(key).or_insert(finding);
        }
    }
}

impl Findings {
    fn changes(self) -> FindingChanges {
        let Self { before: FoundOnce(before), after: FoundOnce(after) } = self;
        let added = after.iter().filter(|(key, _)| !before.contains_key(key));
        let removed = before.iter().filter(|(key, _)| !after.contains_key(key));
        FindingChanges {
            added: added.map(|(_, finding)| finding.clone()).collect(),
            removed: removed.map(|(_, finding)| finding.clone()).collect(),
        }
    }
}
