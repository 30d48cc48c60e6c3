use std::time::{SystemTime, UNIX_EPOCH};

use memory_core::fs::OsFs;
use memory_core::plan::WritePlan;
use memory_core::{AbsPath, Digest};
use memport_documents::{AlikeDocument, MEMORY_SCHEMA, MemoryChange, PointerDocument};

use crate::args::{AddArgs, WriteArgs};
use crate::client::Clients;
use crate::command::change::carry_out;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::store::{Addition, Alike, NewFact, Stores, alike};
use crate::{journal, text};

/// How long a plan that was seen can be asked for, in seconds. A plan holds
/// the time at which it was made.
const PLAN_LASTS: i64 = 60 * 60;

/// Remembers a fact.
pub(super) fn add(args: &AddArgs, process: Process) -> Result<Answer, Failure> {
    let fact = NewFact {
        fact: args.fact.clone(),
        why: args.why.clone(),
        source: args.source.clone(),
        kind: args.kind.clone(),
    };
    if !fact.says_something() {
        return Err(NewFact::says_nothing());
    }
    let clients = Clients::chosen(args.agent, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let stores = Stores::open(&clients, &start);
    let mut known = Addition::default();
    let items = stores.inventory()?.value;
    let mut near = alike(&fact.fact, items.iter().map(|(_, item)| item));
    // Without somebody to ask, nothing is written that may be known already.
    let is_near = !near.similar.is_empty() || !near.contradicts.is_empty();
    let may_write = !args.write.write || args.yes || !is_near || agree_to_alike(&near);
    let wanted = WriteArgs { write: args.write.write && may_write, ..args.write.clone() };
    // A plan may be made more than once, and a question is asked once.
    let mut is_agreed = false;
    let (plan, applied) = carry_out(&start, &wanted, || {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let now = i64::try_from(now).unwrap_or(i64::MAX);
        let found = addition(args.write.plan, now, |time| stores.plan_add(&fact, time))?;
        if found.is_doubled && wanted.write && !args.yes && !is_near {
            agree_to(&found.known_in)?;
        }
        if wanted.write && !args.yes && !is_agreed && !is_near {
            agree_to_similar(&found.similar)?;
            is_agreed = true;
        }
        let plan = found.plan.clone();
        known = found;
        Ok(plan)
    })?;
    for place in known.similar.into_iter().map(alike_of) {
        if !near.similar.iter().chain(&near.contradicts).any(|near| near.path == place.path) {
            near.similar.push(place);
        }
    }
    let document = MemoryChange {
        schema: MEMORY_SCHEMA,
        plan,
        known_in: known.known_in.iter().map(AbsPath::to_string).collect(),
        similar: near.similar,
        contradicts: near.contradicts,
        applied,
        diagnostics: known.diagnostics.into_iter().map(Into::into).collect(),
    };
    let is_open = document.applied.is_none()
        && !args.yes
        && (!document.similar.is_empty() || !document.contradicts.is_empty());
    let words = |document: &_| text::memory_change(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    let notice = if args.write.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_findings(is_open).with_notice(notice))
}

/// The addition as it is planned now, or, where a plan is asked for that was
/// seen a while ago, that one if it is still the same but for its time.
fn addition(
    seen: Option<Digest>,
    now: i64,
    plan: impl Fn(i64) -> Result<Addition, Failure>,
) -> Result<Addition, Failure> {
    let planned = plan(now)?;
    let is_seen = |plan: &WritePlan| seen.is_none_or(|seen| plan.digest() == seen);
    if is_seen(&planned.plan) {
        return Ok(planned);
    }
    let mut earlier = (1..=PLAN_LASTS).filter_map(|ago| plan(now - ago).ok());
    Ok(earlier.find(|earlier| is_seen(&earlier.plan)).unwrap_or(planned))
}

/// Asks whether something is to be remembered twice.
fn agree_to(known_in: &[AbsPath]) -> Result<(), Failure> {
    let Some(first) = known_in.first() else { return Ok(()) };
    let told = format!("`{first}` says the same already");
    match output::confirm(&format!("{told}. Add it anyway?")) {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::not_agreed("nothing is added", "`--yes` asks no questions")),
        None => Err(Failure::not_agreed(told, "`--yes` adds it anyway")),
    }
}

fn alike_of(place: PointerDocument) -> AlikeDocument {
    AlikeDocument {
        id: None,
        path: place.path,
        line: place.line,
        excerpt: place.text.unwrap_or_default(),
    }
}

/// Asks whether something is to be remembered beside what is there; not without
/// somebody to ask.
fn agree_to_alike(near: &Alike) -> bool {
    let places = near.similar.iter().chain(&near.contradicts);
    let told: Vec<_> = places.map(text::candidate).collect();
    let question = format!("this is remembered already: {}. Add it anyway?", told.join("; "));
    output::confirm(&question) == Some(true)
}

/// Asks whether something is to be remembered that is nearly known.
fn agree_to_similar(similar: &[PointerDocument]) -> Result<(), Failure> {
    if similar.is_empty() {
        return Ok(());
    }
    let candidates: Vec<_> =
        similar.iter().cloned().map(alike_of).map(|place| text::candidate(&place)).collect();
    let told = format!("nearly the same is remembered already: {}", candidates.join("; "));
    match output::confirm(&format!("{told}. Add it anyway?")) {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::not_agreed("nothing is added", "`--yes` asks no questions")),
        None => Err(Failure::not_agreed(told, "`--yes` adds it anyway")),
    }
}
