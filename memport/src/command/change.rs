//! Plans shown, and carried out when they are meant to be.

use memory_core::Error;
use memory_core::fs::OsFs;
use memory_core::plan::{WritePlan, apply};
use memport_documents::{AppliedDocument, PlanDocument};

use crate::args::WriteArgs;
use crate::failure::Failure;
use crate::journal;
use crate::place::Start;

/// How often a plan is made again when somebody else writes at the same time.
const ATTEMPTS: u32 = 8;

/// Shows a plan, and carries it out when that is asked for. It is made again
/// where somebody else wrote meanwhile, and refused where it is not the one
/// that was seen.
pub(super) fn carry_out(
    start: &Start,
    wanted: &WriteArgs,
    mut plan: impl FnMut() -> Result<WritePlan, Failure>,
) -> Result<(PlanDocument, Option<AppliedDocument>), Failure> {
    if !wanted.write {
        let plan = plan()?;
        refuse_another(wanted, &plan)?;
        return Ok((PlanDocument::of(&OsFs, &plan), None));
    }
    let journal = journal::patient(&start.env, &wanted.run)?;
    journal::tell(&journal.recover(&OsFs)?);
    let mut left = ATTEMPTS;
    loop {
        let plan = plan()?;
        refuse_another(wanted, &plan)?;
        // What a change replaces is gone afterwards.
        let document = PlanDocument::of(&OsFs, &plan);
        if plan.is_empty() {
            return Ok((document, None));
        }
        left -= 1;
        match apply(&OsFs, &plan, &journal) {
            Ok(applied) => {
                journal::tell(&applied.recovered);
                return Ok((document, Some(applied.run.into())));
            }
            Err(Error::Stale { .. } | Error::AlreadyExists { .. }) if left > 0 => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn refuse_another(wanted: &WriteArgs, plan: &WritePlan) -> Result<(), Failure> {
    let Some(seen) = wanted.plan else { return Ok(()) };
    let now = plan.digest();
    if seen == now {
        return Ok(());
    }
    Err(Failure::impossible(
        format!("the plan is not the one that was seen: it is {now} now"),
        "look at the plan again, without `--write` and `--plan`",
    ))
}
