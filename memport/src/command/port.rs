//! Carrying what one client keeps to another.

use std::cell::RefCell;
use std::time::SystemTime;

use adapter_agents_md::{Convention, MarkerErrors, find_root};
use memory_core::fs::OsFs;
use memory_core::port::{
    Form, Imports, Loss, LowerBundle, LowerOptions, MemoryAs, OverBudget, Port, PortPlace,
    PortRequest, Prefer, ReadBundle, Widens,
};
use memory_core::store::ItemKind;
use memory_core::{AbsPath, World};

use memport_documents::{Agent, How, PortPlaces, from_port};

use super::change::carry_out_noting;
use crate::args::{
    ClientName, ImportForm, LossCode, MemoryForm, PortArgs, PortKind, SideName, TextForm, TooLong,
};
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::{journal, state, text};

/// How often the source is read again while somebody writes there.
const ATTEMPTS: u32 = 8;

/// Shows what a port would do and lose, and does it when that is asked for.
pub(crate) fn port(args: &PortArgs, process: Process) -> Result<Answer, Failure> {
    if args.from == args.to {
        return Err(Failure::usage(
            "`--from` and `--to` name the same client",
            "name two: `--from claude --to codex`, or the other way round",
        ));
    }
    let clients = Clients::chosen(None, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let request = request(args, &start)?;
    let world = World { fs: &OsFs, env: &start.env };
    let (source, target): (&dyn ReadBundle, &dyn LowerBundle) = match args.from {
        ClientName::Claude => (&clients.claude, &clients.codex),
        ClientName::Codex => (&clients.codex, &clients.claude),
    };
    let planned = || -> Result<Port, Failure> {
        Ok(memory_core::port::port(world, source, target, &request)?)
    };
    let ways = [source.client(), target.client()];
    let agrees =
        |loss: &Loss| args.accept_loss.iter().any(|code| code.agrees_to(How::of(&loss.how)));
    let found: RefCell<Option<Port>> = RefCell::new(None);
    let (plan, applied) = carry_out_noting(
        &start,
        &args.write,
        || {
            let port = if args.write.write { settled(&planned)? } else { planned()? };
            let plan = port.plan.clone();
            found.replace(Some(port));
            Ok(plan)
        },
        |plan| {
            let found = found.borrow();
            let Some(port) = found.as_ref() else { return Ok(plan) };
            keep(port)?;
            if !args.accept_loss.is_empty() {
                Ok(port.accepting(world, &request, ways, agrees)?)
            } else {
                Ok(plan)
            }
        },
    )?;
    let port = match found.into_inner() {
        Some(port) => port,
        None => planned()?,
    };
    let would_change = !plan.changes.is_empty();
    let known = port.was_accepted(world, &request, ways)?;
    let places = PortPlaces {
        from: agent(args.from),
        to: agent(args.to),
        project: request.place.project.to_string(),
        home: request.place.home.to_string(),
    };
    let document = from_port(port, places, plan, applied, |loss| agrees(loss) || known(loss));
    let has_findings = if args.check { would_change } else { document.has_findings() };
    let shown = text::PortText { all: args.all, diff: args.diff };
    let words = |document: &_| text::port(document, shown, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    let notice = if args.write.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_findings(has_findings).with_notice(notice))
}

fn request(args: &PortArgs, start: &Start) -> Result<PortRequest, Failure> {
    let home = start.env.home.clone().ok_or_else(|| {
        Failure::usage("the home directory is not known", "set HOME, or pass `--home DIR`")
    })?;
    let mut request = PortRequest::new(PortPlace { project: project(start), home });
    request.only = args.only.iter().map(|kind| item_kind(*kind)).collect();
    request.prefer = args.prefer.map(|side| match side {
        SideName::From => Prefer::From,
        SideName::To => Prefer::To,
    });
    request.widens = if args.accept_loss.contains(&LossCode::One(How::ScopeWidened)) {
        Widens::Tracked
    } else if args.accept_loss.contains(&LossCode::All) {
        Widens::Untracked
    } else {
        Widens::Known
    };
    request.state = Some(journal::state(&start.env)?.join("port"));
    request.options = LowerOptions {
        form: args.form.map(|form| match form {
            TextForm::Import => Form::Import,
            TextForm::Link => Form::Link,
            TextForm::Copy => Form::Copy,
        }),
        imports: match args.imports {
            ImportForm::Inline => Imports::Inline,
            ImportForm::Reference => Imports::Reference,
        },
        memory_as: match args.memory_as {
            MemoryForm::Import => MemoryAs::Import,
            MemoryForm::Notes => MemoryAs::Notes,
            MemoryForm::AgentsMd => MemoryAs::Instructions,
        },
        over_budget: match args.over_budget {
            TooLong::Report => OverBudget::Tell,
            TooLong::Raise => OverBudget::Raise,
            TooLong::Split => OverBudget::Split,
        },
    };
    Ok(request)
}

/// Keeps what the next port needs beside the files: the texts by which it sees who
/// changed what, and files to settle conflicts in.
fn keep(port: &Port) -> Result<(), Failure> {
    let mut files: Vec<(&AbsPath, &[u8])> = Vec::new();
    files.extend(port.kept.as_ref().map(|(path, bytes)| (path, bytes.as_slice())));
    let settled = port.conflicts.iter().filter_map(|conflict| conflict.settled_in.as_ref());
    let settled: Vec<_> = settled.map(|(path, text)| (path, text.as_bytes())).collect();
    if let Some(folder) = &port.conflict_folder {
        let open: Vec<&AbsPath> = settled.iter().map(|(path, _)| *path).collect();
        state::keep_only(folder, &open)?;
    }
    files.extend(settled);
    Ok(files.into_iter().try_for_each(|(path, bytes)| state::keep(path, bytes))?)
}

fn agent(name: ClientName) -> Agent {
    match name {
        ClientName::Codex => Agent::Codex,
        ClientName::Claude => Agent::ClaudeCode,
    }
}

fn item_kind(kind: PortKind) -> ItemKind {
    match kind {
        PortKind::Instructions => ItemKind::Instruction,
        PortKind::Rules => ItemKind::Rule,
        PortKind::Skills => ItemKind::Skill,
        PortKind::Memory => ItemKind::Memory,
    }
}

/// The top folder of the repository, or the start folder outside of any.
fn project(start: &Start) -> AbsPath {
    let world = World { fs: &OsFs, env: &start.env };
    let markers = Convention::default().root_markers;
    find_root(world, &markers, &start.cwd, MarkerErrors::Absent)
        .unwrap_or_else(|| start.cwd.clone())
}

/// A port whose source is as it was read: nobody wrote its files meanwhile.
fn settled(planned: &dyn Fn() -> Result<Port, Failure>) -> Result<Port, Failure> {
    for _ in 0..ATTEMPTS {
        let began = SystemTime::now();
        let port = planned()?;
        refuse_unaccounted(&port)?;
        if port.changed_source(&OsFs, began).is_none() {
            return Ok(port);
        }
    }
    Err(Failure::impossible(
        "the files that are to be carried change again and again while they are read",
        "stop what writes them, and try again",
    ))
}

/// Nothing of the source may vanish without a word.
fn refuse_unaccounted(port: &Port) -> Result<(), Failure> {
    let Some(first) = port.unaccounted.first() else { return Ok(()) };
    Err(Failure::impossible(
        format!("`{first}` has neither a place nor a loss, so nothing is written"),
        "this is a fault of memport; leave its kind out with `--only`, and please report it",
    ))
}
