//! Skills that agents wrote themselves: drafts until a person approves them.

use memory_core::AbsPath;
use memory_core::fs::{Fs as _, OsFs};
use memory_core::plan::{Change, WritePlan};
use memory_git::Repository;
use memport_documents::{
    Agent, ItemDocument, LIST_SCHEMA, ListDocument, MEMORY_SCHEMA, MemoryChange,
};

use super::change::carry_out;
use crate::args::{
    ApproveArgs, ClientName, DraftArgs, DraftsArgs, KeepOptions, RejectArgs, SkillCommand,
};
use crate::drafts;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start, portable_path};
use crate::text;

/// Does what one of the commands says.
pub(crate) fn skill(command: &SkillCommand, process: Process) -> Result<Answer, Failure> {
    match command {
        SkillCommand::Draft(args) => draft(args, process),
        SkillCommand::Drafts(args) => list(args, process),
        SkillCommand::Approve(args) => approve(args, process),
        SkillCommand::Reject(args) => reject(args, process),
    }
}

fn change(
    start: &Start,
    options: &KeepOptions,
    plan: impl FnMut() -> Result<WritePlan, Failure>,
) -> Result<Answer, Failure> {
    let (plan, applied) = carry_out(start, &options.write, plan)?;
    let document = MemoryChange { schema: MEMORY_SCHEMA, plan, applied, ..MemoryChange::default() };
    let words = |document: &_| text::memory_change(document, start, output::width());
    Ok(Answer::either(options.output.format(), document, words))
}

/// Refuses a place where something is.
fn free(path: &AbsPath, what: &str, hint: &str) -> Result<(), Failure> {
    match OsFs.symlink_metadata(path) {
        Err(error) if error.is_absence() => Ok(()),
        _ => Err(Failure::impossible(format!("{what} `{path}` is there already"), hint)),
    }
}

/// Takes a folder in as a draft.
fn draft(args: &DraftArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.options.place, process, &OsFs)?;
    let from = start.cwd.join(portable_path(&args.dir));
    if !drafts::is_skill(&from) {
        return Err(Failure::impossible(
            format!("`{from}` has no SKILL.md"),
            "name the folder of the skill",
        ));
    }
    let name = from.file_name().unwrap_or("skill").to_owned();
    let to = drafts::real(&drafts::folder(&start.env)?.join(&name));
    if drafts::is_skill(&to) {
        return Err(Failure::impossible(
            format!("the draft `{name}` is there already"),
            "approve or reject that one first",
        ));
    }
    change(&start, &args.options, || {
        let mut plan = WritePlan::new([drafts::innermost(&to)]);
        drafts::copy(&mut plan, &from, &to)?;
        Ok(plan)
    })
}

/// Lists the drafts.
fn list(args: &DraftsArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let items = drafts::drafts(&start.env).into_iter();
    let document = ListDocument {
        schema: LIST_SCHEMA,
        items: items.map(|item| ItemDocument::of(Agent::ClaudeCode, item)).collect(),
        diagnostics: Vec::new(),
    };
    let words = |document: &_| text::list(document, &start, output::width());
    Ok(Answer::either(args.output.format(), document, words))
}

/// Where the skills of a client lie.
fn skills_of(start: &Start, client: ClientName, is_user: bool) -> Result<AbsPath, Failure> {
    let folder = match client {
        ClientName::Codex => ".agents/skills",
        ClientName::Claude => ".claude/skills",
    };
    if !is_user {
        let root = Repository::around(&start.cwd, &OsFs).ok().map(|found| found.root().clone());
        return Ok(root.unwrap_or_else(|| start.cwd.clone()).join(folder));
    }
    let home = start.env.home.clone().ok_or(memory_core::Error::HomeUnknown)?;
    let configured = start.env.var("CLAUDE_CONFIG_DIR").and_then(|dir| AbsPath::new(dir).ok());
    Ok(match (client, configured) {
        (ClientName::Claude, Some(config)) => config.join("skills"),
        _ => home.join(folder),
    })
}

/// Puts a draft among the skills of a client.
fn approve(args: &ApproveArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.options.place, process, &OsFs)?;
    let (from, name) = drafts::named(&start.env, &args.id)?;
    let from = drafts::real(&from);
    let to = drafts::real(&skills_of(&start, args.agent, args.user)?.join(&name));
    free(&to, "the skill", "rename the draft's folder, or remove the skill that is there")?;
    change(&start, &args.options, || {
        let mut plan = WritePlan::new([drafts::innermost(&to), drafts::innermost(&from)]);
        drafts::copy(&mut plan, &from, &to)?;
        drafts::remove(&mut plan, &from)?;
        Ok(plan)
    })
}

/// Puts a draft aside, with its reason beside it.
fn reject(args: &RejectArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.options.place, process, &OsFs)?;
    let (from, name) = drafts::named(&start.env, &args.id)?;
    let from = drafts::real(&from);
    let aside = drafts::real(&drafts::rejected(&start.env)?);
    let numbered =
        |at: u32| if at == 0 { aside.join(&name) } else { aside.join(format!("{name}-{at}")) };
    let to = (0..u32::MAX).map(numbered).find(|path| OsFs.symlink_metadata(path).is_err());
    let to = to.unwrap_or_else(|| aside.join(&name));
    change(&start, &args.options, || {
        let mut plan = WritePlan::new([drafts::innermost(&to), drafts::innermost(&from)]);
        drafts::copy(&mut plan, &from, &to)?;
        plan.add(Change::create(to.join("REJECTED.txt"), format!("{}\n", args.reason.trim())))?;
        drafts::remove(&mut plan, &from)?;
        Ok(plan)
    })
}
