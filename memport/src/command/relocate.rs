//! Letting a project's memory follow its folder.

use adapter_claude::RelocateRefusal;
use memory_core::fs::OsFs;
use memory_core::plan::{Change, WritePlan};
use memory_core::{AbsPath, World};
use memport_documents::{RELOCATE_SCHEMA, RelocateDocument};

use super::change::carry_out;
use crate::args::RelocateArgs;
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start, portable_path};
use crate::{journal, text};

/// Moves what is kept for a project whose folder was moved.
pub(crate) fn relocate(args: &RelocateArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(None, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let old = start.cwd.join(portable_path(&args.old));
    let new = start.cwd.join(portable_path(&args.new));
    let world = World { fs: &OsFs, env: &start.env };
    let (mut told, mut moves) = (Vec::new(), Vec::new());
    let (plan, applied) = carry_out(&start, &args.write, || {
        let found = clients.claude.plan_relocate(world, &old, &new).map_err(refused)?;
        told = found.diagnostics;
        told.extend(clients.codex.entries_of_moved(world, &start.cwd, &old, &new)?);
        moves = moves_of(&found.plan);
        Ok(found.plan)
    })?;
    if applied.is_some() {
        // Files are named where they are.
        for told in &mut told {
            told.path = told.path.take().map(|path| moved(path, &moves));
        }
    }
    let diagnostics = told.into_iter().map(Into::into).collect();
    let document = RelocateDocument { schema: RELOCATE_SCHEMA, plan, applied, diagnostics };
    let words = |document: &_| text::relocate(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    let notice = if args.write.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_notice(notice))
}

fn moves_of(plan: &WritePlan) -> Vec<(AbsPath, AbsPath)> {
    let moves = plan.changes().iter().filter_map(|change| match change {
        Change::Move { from, to } => Some((from.clone(), to.clone())),
        _ => None,
    });
    moves.collect()
}

/// Where a path leads after some moves.
fn moved(path: AbsPath, moves: &[(AbsPath, AbsPath)]) -> AbsPath {
    let place = moves.iter().find_map(|(from, to)| Some(to.join(path.strip_prefix(from)?)));
    place.unwrap_or(path)
}

fn refused(refusal: RelocateRefusal) -> Failure {
    let message = refusal.to_string();
    let hint = match refusal {
        RelocateRefusal::Other(error) => return error.into(),
        RelocateRefusal::SamePlace { .. } => "name the old place first, then the new one",
        RelocateRefusal::Inside { .. } => "name the place that the project itself has now",
        RelocateRefusal::NothingKept { .. } => "`memport check` finds what lost its folder",
        RelocateRefusal::BothKept { .. } => {
            "two memories are not thrown together; put one of the folders away first"
        }
        RelocateRefusal::Shared { .. } => {
            "copy by hand what belongs to the project that moved, or rename the other one too"
        }
        RelocateRefusal::Linked { .. } => {
            "rename the link yourself, or put the folder in its place"
        }
        RelocateRefusal::Notes { .. } => "mend the file, then relocate again",
        _ => "see `memport help relocate`",
    };
    Failure::impossible(message, hint)
}
