//! Carrying what one client keeps to another.

use std::time::SystemTime;

use adapter_agents_md::{Convention, MarkerErrors, find_root};
use memory_core::fs::OsFs;
use memory_core::port::{
    LowerBundle, LowerOptions, MemoryAs, OverBudget, Port, PortPlace, PortRequest, ReadBundle,
};
use memory_core::store::ItemKind;
use memory_core::{AbsPath, World};

use memport_documents::{Agent, PortPlaces, from_port};

use super::change::carry_out;
use crate::args::{ClientName, MemoryForm, PortArgs, PortKind, TooLong};
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::{journal, text};

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
    let mut found = None;
    let (plan, applied) = carry_out(&start, &args.write, || {
        let port = if args.write.write { settled(&planned)? } else { planned()? };
        let plan = port.plan.clone();
        found = Some(port);
        Ok(plan)
    })?;
    let port = match found {
        Some(port) => port,
        None => planned()?,
    };
    let places = PortPlaces {
        from: agent(args.from),
        to: agent(args.to),
        project: request.place.project.to_string(),
        home: request.place.home.to_string(),
    };
    let accepts = |how| args.accept_loss.iter().any(|accepted| accepted.agrees_to(how));
    let document = from_port(port, places, plan, applied, accepts);
    let has_findings = document.has_findings();
    let words = |document: &_| text::port(document, &start, output::width());
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
    request.options = LowerOptions {
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
