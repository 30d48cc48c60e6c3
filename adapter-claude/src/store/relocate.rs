//! Moving what the client keeps for a project whose folder moved.

use memory_core::{AbsPath, Change, Error, Fs, World, WritePlan};

use super::projects::Home;
use super::state_file;
use crate::Claude;
use crate::memory::slug;

impl Claude {
    /// Plans the move of everything the client keeps for the project that lay at
    /// `old` and lies at `new` now: its folder with memory and transcripts, those
    /// of folders below it in which the client was started, and the names of
    /// both in the client's notes.
    ///
    /// Links in `new` are resolved, as the client does; `old` is taken as it is.
    /// A folder that memory settings name stays where it is: it depends on no path.
    ///
    /// Errors when nothing is kept for `old`, and when something is kept for
    /// `new` already: two memories are not thrown together.
    pub fn plan_relocate(
        &self,
        world: World<'_>,
        old: &AbsPath,
        new: &AbsPath,
    ) -> Result<WritePlan, Error> {
        let fs = world.fs;
        let home = Home::of(world)?;
        let new = real(fs, new);
        let moved = |path: &AbsPath| path.strip_prefix(old).map(|below| new.join(below));
        let mut plan =
            WritePlan::new(home.state.parent().into_iter().chain([home.projects.clone()]));
        let is_kept = move_folders(fs, &home, old, &moved, &mut plan)?;
        let is_noted = rename_notes(fs, &home, &moved, &mut plan)?;
        if !is_kept && !is_noted {
            let path = home.projects.join(slug(&old.to_string()));
            return Err(Error::NotFound { what: "the project's folder", path });
        }
        Ok(plan)
    }
}

/// The real path of a folder that need not be there.
fn real(fs: &dyn Fs, path: &AbsPath) -> AbsPath {
    for dir in path.ancestors() {
        if let Ok(real) = fs.canonicalize(&dir) {
            return real.join(path.strip_prefix(&dir).unwrap_or_default());
        }
    }
    path.clone()
}

/// Moves the folder of the project, and those of folders below it that were
/// certainly its own; whether there was any.
fn move_folders(
    fs: &dyn Fs,
    home: &Home,
    old: &AbsPath,
    moved: &dyn Fn(&AbsPath) -> Option<AbsPath>,
    plan: &mut WritePlan,
) -> Result<bool, Error> {
    let own = slug(&old.to_string());
    let mut any = false;
    for name in home.slugs(fs) {
        let target = if name == own {
            moved(old)
        } else if name.starts_with(own.get(..own.len().min(200)).unwrap_or(&own)) {
            let made_in = home.transcribed(fs, &name);
            // The name alone could be that of a sibling with a longer name.
            let owner = made_in.iter().find(|path| slug(&path.to_string()) == name);
            owner.filter(|_| made_in.iter().all(|path| path.starts_with(old))).and_then(moved)
        } else {
            None
        };
        let Some(target) = target else { continue };
        any = true;
        let to = home.projects.join(slug(&target.to_string()));
        let from = home.projects.join(&name);
        if to == from {
            continue;
        }
        if fs.symlink_metadata(&to).is_ok() {
            return Err(Error::Taken { path: to });
        }
        plan.add(Change::Move { from, to })?;
    }
    Ok(any)
}

/// Renames the project's keys in the client's notes; whether there was any.
fn rename_notes(
    fs: &dyn Fs,
    home: &Home,
    moved: &dyn Fn(&AbsPath) -> Option<AbsPath>,
    plan: &mut WritePlan,
) -> Result<bool, Error> {
    let text = home.notes(fs);
    let keys = state_file::projects(&text);
    let mut edited = String::with_capacity(text.len());
    let (mut at, mut any) = (0, false);
    for (key, span) in &keys {
        let Some(target) = AbsPath::new(key).ok().as_ref().and_then(moved) else { continue };
        any = true;
        // Notes on the new path that are there already stay; the old ones too.
        if keys.iter().any(|(other, _)| other == target.as_str()) {
            continue;
        }
        edited.push_str(text.get(at..span.start).unwrap_or_default());
        edited.push_str(&serde_json::Value::from(target.as_str()).to_string());
        at = span.end;
    }
    edited.push_str(text.get(at..).unwrap_or_default());
    if edited != text {
        plan.add(Change::replace(home.state.clone(), text.as_bytes(), edited))?;
    }
    Ok(any)
}

#[cfg(test)]
mod tests {
    use memory_core::{Env, Journal, MemFs, apply};

    use super::*;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn plan(fs: &MemFs, old: &str, new: &str) -> Result<WritePlan, Error> {
        let env = Env::with_home(path("/h"));
        Claude::default().plan_relocate(World { fs, env: &env }, &path(old), &path(new))
    }

    fn world() -> MemFs {
        let mut fs = MemFs::from_files([
            ("/h/.claude/projects/-w-old/memory/MEMORY.md", "- a\n"),
            ("/h/.claude/projects/-w-old/s.jsonl", "{\"cwd\":\"/w/old\"}\n"),
            ("/h/.claude/projects/-w-old-sub/s.jsonl", "{\"cwd\":\"/w/old/sub\"}\n"),
            ("/h/.claude/projects/-w-old-er/s.jsonl", "{\"cwd\":\"/w/old-er\"}\n"),
            (
                "/h/.claude.json",
                "{\"n\": 1,\n \"projects\": {\"/w/old\": {\"x\":  2}, \"/w/older\": {}}}\n",
            ),
        ]);
        fs.dir("/w/new").link("/w/link", "new");
        fs
    }

    #[test]
    fn folders_and_notes_of_the_project_move_and_no_others() {
        for new in ["/w/new", "/w/link"] {
            let fs = world();
            let plan = plan(&fs, "/w/old", new).unwrap();
            assert_eq!(plan.changes().len(), 3);
            apply(&fs, &plan, &Journal::new(path("/j"))).unwrap();
            let read = |at: &str| fs.read_up_to(&path(at), 999).unwrap();
            assert_eq!(read("/h/.claude/projects/-w-new/memory/MEMORY.md"), b"- a\n");
            assert!(fs.metadata(&path("/h/.claude/projects/-w-new-sub/s.jsonl")).is_ok());
            assert!(fs.metadata(&path("/h/.claude/projects/-w-old-er/s.jsonl")).is_ok());
            assert_eq!(
                String::from_utf8(read("/h/.claude.json")).unwrap(),
                "{\"n\": 1,\n \"projects\": {\"/w/new\": {\"x\":  2}, \"/w/older\": {}}}\n"
            );
        }
    }

    #[test]
    fn what_is_kept_for_the_new_path_is_not_touched() {
        let mut fs = world();
        fs.dir("/h/.claude/projects/-w-new");
        assert!(matches!(plan(&fs, "/w/old", "/w/new"), Err(Error::Taken { .. })));
        assert!(matches!(plan(&fs, "/w/none", "/w/x"), Err(Error::NotFound { .. })));
    }
}
