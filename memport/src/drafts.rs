//! Skills that wait to be approved, outside every folder that a client scans.

use memory_core::fs::{FileKind, Fs, MAX_READ, OsFs};
use memory_core::plan::{Change, WritePlan};
use memory_core::store::{Item, ItemKind, ItemStatus};
use memory_core::{AbsPath, ClientId, Env, Error};

use crate::failure::Failure;

/// What stands before the name of a draft.
const PREFIX: &str = "draft:";

/// The file that makes a folder a skill.
const SKILL: &str = "SKILL.md";

/// Where drafts lie: in `XDG_DATA_HOME`, else in the usual place below the home.
pub(crate) fn folder(env: &Env) -> Result<AbsPath, Error> {
    let given = env.var("XDG_DATA_HOME").and_then(|dir| AbsPath::new(dir).ok());
    let usual = || env.home.as_ref().map(|home| home.join(".local/share"));
    let data = given.or_else(usual).ok_or(Error::HomeUnknown)?;
    Ok(data.join("memport/drafts"))
}

/// Where rejected drafts are kept.
pub(crate) fn rejected(env: &Env) -> Result<AbsPath, Error> {
    Ok(folder(env)?.join("../rejected"))
}

/// All drafts, by name.
pub(crate) fn drafts(env: &Env) -> Vec<Item> {
    let Ok(folder) = folder(env) else { return Vec::new() };
    let Ok(entries) = OsFs.read_dir(&folder) else { return Vec::new() };
    let mut names: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.kind == FileKind::Dir)
        .map(|entry| entry.name)
        .collect();
    names.sort();
    names.into_iter().filter_map(|name| draft(&folder, name)).collect()
}

fn draft(folder: &AbsPath, name: String) -> Option<Item> {
    let path = folder.join(&name).join(SKILL);
    let (found, bytes) = OsFs.read_with_metadata(&path, MAX_READ).ok()?;
    let doc = memory_core::doc::Doc::parse(memory_core::doc::Source::new(bytes)).value;
    let description = doc.find("description").map(|entry| doc.value(entry));
    Some(Item {
        id: format!("{PREFIX}{name}"),
        client: ClientId("memport"),
        kind: ItemKind::Skill,
        status: ItemStatus::Draft,
        name,
        description,
        path,
        modified: found.modified,
        bytes: found.len,
        links: Vec::new(),
    })
}

/// The folder of the draft of this id, and its name.
pub(crate) fn named(env: &Env, id: &str) -> Result<(AbsPath, String), Failure> {
    let found = drafts(env).into_iter().find(|item| item.id == id || item.name == id);
    let found = found.and_then(|item| Some((item.path.parent()?, item.name)));
    found.ok_or_else(|| {
        Failure::impossible(
            format!("there is no draft `{id}`"),
            "`memport skill drafts` shows all, with their ids",
        )
    })
}

/// Adds a copy of a folder to a plan, modes kept; links and what is no file are refused.
pub(crate) fn copy(plan: &mut WritePlan, from: &AbsPath, to: &AbsPath) -> Result<(), Failure> {
    for (path, mode) in files(from)? {
        let bytes = OsFs
            .read_up_to(&path, MAX_READ)
            .map_err(|error| Failure::at("file", &path, error, "check the spelling"))?;
        let below = path.strip_prefix(from).unwrap_or_default();
        let mut change = Change::create(to.join(below), bytes);
        if let Change::Create { mode: wanted, .. } = &mut change {
            *wanted = mode.filter(|mode| mode & 0o111 != 0).map(|mode| mode & 0o777);
        }
        plan.add(change)?;
    }
    Ok(())
}

/// Adds the removal of a folder's files to a plan.
pub(crate) fn remove(plan: &mut WritePlan, from: &AbsPath) -> Result<(), Failure> {
    for (path, _) in files(from)? {
        let bytes = OsFs
            .read_up_to(&path, u64::MAX)
            .map_err(|error| Failure::at("file", &path, error, "check the spelling"))?;
        plan.add(Change::remove(path, &bytes))?;
    }
    Ok(())
}

fn files(folder: &AbsPath) -> Result<Vec<(AbsPath, Option<u32>)>, Failure> {
    let mut open = vec![folder.clone()];
    let mut found = Vec::new();
    while let Some(dir) = open.pop() {
        let entries = OsFs
            .read_dir(&dir)
            .map_err(|error| Failure::at("folder", &dir, error, "check the spelling"))?;
        for entry in entries.flatten() {
            let path = dir.join(&entry.name);
            match entry.kind {
                FileKind::Dir => open.push(path),
                FileKind::File => {
                    let mode = OsFs.metadata(&path).ok().and_then(|found| found.mode);
                    found.push((path, mode));
                }
                _ => {
                    return Err(Failure::impossible(
                        format!("`{path}` is no regular file"),
                        "put the file itself into the folder of the skill",
                    ));
                }
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The innermost folder of a path that is there: what a plan may write below.
pub(crate) fn innermost(path: &AbsPath) -> AbsPath {
    let there = path.ancestors().find_map(|dir| OsFs.canonicalize(&dir).ok());
    there.unwrap_or_else(AbsPath::root)
}

/// A path whose folders that are there are real ones.
pub(crate) fn real(path: &AbsPath) -> AbsPath {
    for dir in path.ancestors() {
        if let Ok(real) = OsFs.canonicalize(&dir) {
            let below = path.strip_prefix(&dir).unwrap_or_default();
            return if below.is_empty() { real } else { real.join(below) };
        }
    }
    path.clone()
}

/// Whether a folder has what makes it a skill.
pub(crate) fn is_skill(folder: &AbsPath) -> bool {
    OsFs.metadata(&folder.join(SKILL)).is_ok_and(|found| found.is_file())
}
