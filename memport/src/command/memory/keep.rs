//! Putting memories away, bringing them back, changing them.

use std::process::{Command, Stdio};
use std::time::SystemTime;

use adapter_claude::ArchiveReason;
use memory_core::fs::{Fs as _, OsFs};
use memory_core::plan::{Change, WritePlan};
use memory_core::store::{Item, ItemKind, ItemStatus};
use memory_core::time::UtcTime;
use memory_core::{AbsPath, World};
use memport_documents::{
    Agent, EventDocument, HISTORY_SCHEMA, HistoryDocument, MEMORY_SCHEMA, MemoryChange,
};

use crate::args::{
    ArchiveArgs, EditArgs, HistoryArgs, KeepOptions, RestoreArgs, RmArgs, SupersedeArgs,
};
use crate::client::Clients;
use crate::command::change::carry_out;
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start};
use crate::store::Stores;
use crate::{journal, text};

/// The folder of what is put away, below a memory folder.
const PUT_AWAY: &str = ".archive/";

/// A memory that was named, and where it is kept.
struct Named {
    /// The memory folder.
    root: AbsPath,
    /// The file below it, as it was before it was put away.
    below: String,
    path: AbsPath,
    status: ItemStatus,
}

/// The memories of a start.
struct Memories {
    clients: Clients,
    start: Start,
    items: Vec<(Agent, Item)>,
    roots: Vec<AbsPath>,
}

impl Memories {
    fn open(options: &KeepOptions, process: Process) -> Result<Self, Failure> {
        let clients = Clients::chosen(None, &options.release)?;
        let start = Start::at(&options.place, process, &OsFs)?;
        Self::of(clients, start)
    }

    fn of(clients: Clients, start: Start) -> Result<Self, Failure> {
        let items = Stores::open(&clients, &start).inventory()?.value;
        let world = World { fs: &OsFs, env: &start.env };
        let query = adapter_claude::Query::new(start.cwd.clone());
        let places = clients.claude.memory_folders(world, &query)?;
        let roots = places.into_iter().map(|place| place.root).collect();
        Ok(Self { clients, start, items, roots })
    }

    fn world(&self) -> World<'_> {
        World { fs: &OsFs, env: &self.start.env }
    }

    /// The memory of an id.
    fn named(&self, id: &str) -> Result<Named, Failure> {
        let is_it = |(_, item): &&(Agent, Item)| item.id == id && item.kind == ItemKind::Memory;
        let Some((agent, item)) = self.items.iter().find(is_it) else {
            return Err(Failure::impossible(
                format!("there is no memory `{id}` here"),
                "`memport list --kind memory` and `--kind archived` show all, with their ids",
            ));
        };
        if *agent == Agent::Codex {
            return Err(Failure::impossible(
                format!("`{id}` belongs to Codex, which writes its memory anew by itself"),
                "tell Codex what no longer holds: `memport memory add codex --fact …`",
            ));
        }
        let held = self.roots.iter().find_map(|root| Some((root, item.path.strip_prefix(root)?)));
        let Some((root, below)) =
            held.filter(|(_, below)| !matches!(*below, "MEMORY.md" | "MEMORY_ARCHIVED.md"))
        else {
            return Err(Failure::impossible(
                format!("`{id}` has no file of its own"),
                "change the line in the index by hand",
            ));
        };
        let below = below.strip_prefix(PUT_AWAY).unwrap_or(below).to_owned();
        Ok(Named { root: root.clone(), below, path: item.path.clone(), status: item.status })
    }

    /// The memory of an id that is in use.
    fn active(&self, id: &str) -> Result<Named, Failure> {
        let named = self.named(id)?;
        if named.path.as_str().contains("/.archive/") {
            return Err(Failure::impossible(
                format!("`{id}` is put away already"),
                "`memport memory restore ID` brings it back",
            ));
        }
        Ok(named)
    }

    /// The id of a file below a memory folder, wherever it stands now.
    fn id_of(&self, root: &AbsPath, below: &str) -> String {
        let paths = [root.join(below), root.join(PUT_AWAY).join(below)];
        let found = self.items.iter().find(|(_, item)| paths.contains(&item.path));
        found.map_or_else(
            || below.strip_suffix(".md").unwrap_or(below).to_owned(),
            |(_, item)| item.id.clone(),
        )
    }
}

fn today() -> String {
    UtcTime::from(SystemTime::now()).date()
}

/// Carries a change out and says what it is.
fn change(
    memories: &Memories,
    options: &KeepOptions,
    plan: impl FnMut() -> Result<WritePlan, Failure>,
) -> Result<Answer, Failure> {
    let start = &memories.start;
    let (plan, applied) = carry_out(start, &options.write, plan)?;
    let document = MemoryChange { schema: MEMORY_SCHEMA, plan, applied, ..MemoryChange::default() };
    let words = |document: &_| text::memory_change(document, start, output::width());
    let answer = Answer::either(options.output.format(), document, words);
    let notice = if options.write.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_notice(notice))
}

/// A reason that says something.
fn said(reason: &str) -> Result<&str, Failure> {
    if reason.trim().is_empty() {
        return Err(Failure::usage("the reason is empty", "say why: `--reason \"…\"`"));
    }
    Ok(reason.trim())
}

/// Puts a memory away.
pub(super) fn archive(args: &ArchiveArgs, process: Process) -> Result<Answer, Failure> {
    let reason = said(&args.reason)?;
    let memories = Memories::open(&args.options, process)?;
    let named = memories.active(&args.id)?;
    let covered_by = args.covered_by.as_deref().map(|id| memories.named(id)).transpose()?;
    let reason =
        ArchiveReason::new(reason, today()).covered_by(covered_by.map(|named| named.below));
    change(&memories, &args.options, || {
        let claude = &memories.clients.claude;
        Ok(claude.plan_archive(memories.world(), &named.root, &named.below, &reason)?)
    })
}

/// Brings a memory back.
pub(super) fn restore(args: &RestoreArgs, process: Process) -> Result<Answer, Failure> {
    let memories = Memories::open(&args.options, process)?;
    let named = memories.named(&args.id)?;
    if named.status != ItemStatus::Archived || !named.path.as_str().contains("/.archive/") {
        return Err(Failure::impossible(
            format!("`{}` was not put away by memport", args.id),
            "`memport list --kind archived` shows what was",
        ));
    }
    change(&memories, &args.options, || {
        let claude = &memories.clients.claude;
        Ok(claude.plan_restore(memories.world(), &named.root, &named.below, &today())?)
    })
}

/// Lets one memory replace another.
pub(super) fn supersede(args: &SupersedeArgs, process: Process) -> Result<Answer, Failure> {
    if args.old == args.new {
        return Err(Failure::usage("a memory can't replace itself", "name two memories"));
    }
    let memories = Memories::open(&args.options, process)?;
    let (old, new) = (memories.active(&args.old)?, memories.active(&args.new)?);
    if old.root != new.root {
        return Err(Failure::impossible(
            "the two belong to different memories",
            "`memport memory archive ID --reason …` puts the old one away",
        ));
    }
    change(&memories, &args.options, || {
        let claude = &memories.clients.claude;
        Ok(claude.plan_supersede(memories.world(), &old.root, &old.below, &new.below, &today())?)
    })
}

/// Says what happened to a memory.
pub(super) fn history(args: &HistoryArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(None, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let memories = Memories::of(clients, start)?;
    let named = memories.named(&args.id)?;
    let events = memories.clients.claude.history(memories.world(), &named.root, &named.below)?;
    let events = events.into_iter().map(|event| EventDocument {
        event: event.kind.as_str(),
        time: event.day,
        reason: event.reason,
        other: event.other.map(|below| memories.id_of(&named.root, &below)),
    });
    let document =
        HistoryDocument { schema: HISTORY_SCHEMA, id: args.id.clone(), events: events.collect() };
    let words = |document: &_| text::history(document, &memories.start, output::width());
    Ok(Answer::either(args.output.format(), document, words))
}

/// Forgets a memory.
pub(super) fn rm(args: &RmArgs, process: Process) -> Result<Answer, Failure> {
    let reason = said(&args.reason)?;
    let memories = Memories::open(&args.options, process)?;
    let named = memories.active(&args.id)?;
    let reason = ArchiveReason::new(reason, today());
    change(&memories, &args.options, || {
        let claude = &memories.clients.claude;
        Ok(if args.purge {
            claude.plan_purge(memories.world(), &named.root, &named.below)?
        } else {
            claude.plan_archive(memories.world(), &named.root, &named.below, &reason)?
        })
    })
}

/// Changes a memory in an editor.
pub(super) fn edit(args: &EditArgs, process: Process) -> Result<Answer, Failure> {
    let memories = Memories::open(&args.options, process)?;
    let named = memories.named(&args.id)?;
    let path = OsFs.canonicalize(&named.path).unwrap_or_else(|_| named.path.clone());
    let before = OsFs
        .read_up_to(&path, u64::MAX)
        .map_err(|error| Failure::at("memory", &path, error, "it is gone meanwhile"))?;
    let after = edited(&memories.start, &path, &before)?;
    change(&memories, &args.options, || {
        let mut plan = WritePlan::new(path.parent());
        if after != before {
            plan.add(Change::replace(path.clone(), &before, &after))?;
        }
        Ok(plan)
    })
}

/// What somebody made of a copy of the bytes.
fn edited(start: &Start, path: &AbsPath, before: &[u8]) -> Result<Vec<u8>, Failure> {
    let set = |name| start.env.var(name).filter(|editor| !editor.trim().is_empty());
    let Some(editor) = set("VISUAL").or_else(|| set("EDITOR")) else {
        return Err(Failure::impossible(
            "no editor is set",
            "set `VISUAL` or `EDITOR`, such as `EDITOR=vi`",
        ));
    };
    let failed = |why: String| Failure::impossible(why, "nothing was changed");
    let folder = std::env::temp_dir().join(format!("memport-edit-{}", std::process::id()));
    let name = path.file_name().unwrap_or("memory.md");
    let copy = folder.join(name);
    let made = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&copy, before));
    made.map_err(|error| failed(format!("cannot make a copy to edit: {error}")))?;
    // The editor is a command line, as git takes it too.
    let ended = Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$@\""))
        .arg(editor)
        .arg(&copy)
        .stdin(Stdio::inherit())
        .status();
    let after = std::fs::read(&copy);
    let _gone = std::fs::remove_dir_all(&folder);
    match ended {
        Ok(status) if status.success() => {
            after.map_err(|error| failed(format!("what was saved cannot be read: {error}")))
        }
        Ok(status) => Err(failed(format!("the editor `{editor}` failed: {status}"))),
        Err(error) => Err(failed(format!("the editor `{editor}` does not start: {error}"))),
    }
}
