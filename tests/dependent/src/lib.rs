//! What a program outside this workspace does with the libraries: it resolves,
//! reads a memory, changes one key of it, applies the plan, undoes it, and pins
//! down what is loaded. Public items alone; what it needs and can't reach is
//! missing from the libraries.

use std::path::Path;

use adapter_claude::Claude;
use adapter_codex::Codex;
use memory_core::doc::{Doc, Source};
use memory_core::fs::{Fs, FsMut, MAX_READ};
use memory_core::plan::{Change, Journal, RunId, WritePlan, apply, undo};
use memory_core::{AbsPath, Env, Error, Snapshot, World};

/// What both clients load when they are started in a directory, as pictures
/// that are the same for every clone.
///
/// # Errors
/// When the directory is not there or the home directory is not known.
pub fn pictures(fs: &dyn Fs, env: &Env, cwd: &Path) -> Result<[String; 2], Error> {
    let (world, cwd) = (World { fs, env }, AbsPath::try_from(cwd)?);
    let codex = Codex::default().resolve(world, &adapter_codex::Query::new(cwd.clone()))?;
    let claude = Claude::default().resolve(world, &adapter_claude::Query::new(cwd))?;
    Ok([Snapshot::of(&codex).to_string(), Snapshot::of(&claude).to_string()])
}

/// Sets one key in the frontmatter of a file and gives the number of the run
/// that can be undone; `None` when it is set so already.
///
/// # Errors
/// When the file cannot be read, or somebody else wrote to it at the same time.
pub fn set_key(
    fs: &dyn FsMut,
    journal: &Journal,
    file: &AbsPath,
    (key, value): (&str, &str),
) -> Result<Option<RunId>, Error> {
    let read = fs.read_up_to(file, MAX_READ);
    let before = read.map_err(|source| Error::Io { path: file.clone(), source })?;
    let doc = Doc::parse(Source::new(before.clone())).value;
    let mut edit = doc.edit();
    edit.set(key, value);
    let edited = edit.finish();
    let after = edited.map_err(|source| Error::Edit { path: file.clone(), source })?;
    if before == after {
        return Ok(None);
    }
    let mut plan = WritePlan::new(file.parent());
    plan.add(Change::replace(file.clone(), &before, after))?;
    Ok(Some(apply(fs, &plan, journal)?.run))
}

/// Takes a run back.
///
/// # Errors
/// When something changed since.
pub fn take_back(fs: &dyn FsMut, journal: &Journal, run: RunId) -> Result<(), Error> {
    undo(fs, journal, run).map(drop)
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use memory_core::store::{KeepMemory, SessionStart};

    use super::*;

    /// A project with a memory of each client, cloned to `project` by a person
    /// whose home is `home`.
    fn clone_at(project: &str, home: &str) -> (MemFs, Env) {
        // The client makes a dash of every UTF-16 unit that is no letter or digit.
        let unit = |unit: u16| u8::try_from(unit).ok().filter(u8::is_ascii_alphanumeric);
        let slug: String =
            project.encode_utf16().map(|it| unit(it).map_or('-', char::from)).collect();
        let memory = format!("{home}/.claude/projects/{slug}/memory");
        let mut fs = MemFs::from_files([
            (format!("{home}/.codex/AGENTS.md"), "Answer in Japanese.\n"),
            (format!("{home}/.codex/memories_v2/memory_summary.md"), "- CSV keeps its zeros\n"),
            (format!("{home}/.codex/config.toml"), "[features]\nmemories = true\n"),
            (format!("{memory}/MEMORY.md"), "- [Tabs](tabs.md) — use tabs\n"),
            (format!("{memory}/tabs.md"), "---\nname: tabs\nnote: a: b\n---\n\nUse tabs.\n"),
            (format!("{project}/AGENTS.md"), "Run the tests.\n"),
            (format!("{project}/CLAUDE.md"), "@docs/style.md\n@missing.md\n"),
            (format!("{project}/docs/style.md"), "Use tabs.\n"),
            (format!("{project}/api/AGENTS.override.md"), ""),
            (format!("{project}/api/AGENTS.md"), "Keep the schema.\n"),
            (format!("{project}/.agents/skills/ship/SKILL.md"), SKILL),
            (format!("{project}/.claude/skills/ship/SKILL.md"), SKILL),
            (format!("{project}/.git/HEAD"), "ref: refs/heads/main\n"),
        ]);
        fs.dir(format!("{project}/.git/objects")).dir(format!("{project}/.git/refs"));
        (fs, Env::with_home(AbsPath::new(home).unwrap()))
    }

    const SKILL: &str = "---\nname: ship\ndescription: ships it\n---\nShip it.\n";

    #[test]
    fn two_clones_give_the_same_pictures() {
        let picture = |project: &str, home: &str| {
            let (fs, env) = clone_at(project, home);
            pictures(&fs, &env, Path::new(&format!("{project}/api"))).unwrap()
        };
        let [codex, claude] = picture("/work/shop", "/home/mio");
        assert_eq!(picture("/tmp/x1/ショップ", "/Users/k.sato"), [codex.clone(), claude.clone()]);
        for (picture, parts) in [
            (&codex, ["<home>/.codex/AGENTS.md", "<project>/api/AGENTS.md", ". ship project"]),
            (&claude, ["<project>/CLAUDE.md", "<project>/docs/style.md", ". ship project"]),
        ] {
            assert!(parts.iter().all(|part| picture.contains(part)), "{picture}");
            assert!(!picture.contains("mio") && !picture.contains("/work"), "{picture}");
        }
        let memory = "memory <home>/.claude/projects/<project>/memory/MEMORY.md, 1 lines";
        assert!(claude.contains(memory), "{claude}");
    }

    #[test]
    fn one_key_of_a_memory_is_changed_and_taken_back() {
        let (fs, env) = clone_at("/work/shop", "/home/mio");
        let start = SessionStart::new(AbsPath::new("/work/shop").unwrap());
        let keeper: &dyn KeepMemory = &Claude::default();
        let found = keeper.show(World { fs: &fs, env: &env }, &start, "tabs").unwrap();
        let file = &found[0].path;
        let read = || String::from_utf8(fs.read_up_to(file, MAX_READ).unwrap()).unwrap();
        let before = read();
        let journal = Journal::new(AbsPath::new("/state/tool").unwrap());
        let run = set_key(&fs, &journal, file, ("name", "tabs: always")).unwrap().unwrap();
        assert_eq!(read(), before.replace("name: tabs", "name: \"tabs: always\""));
        assert_eq!(set_key(&fs, &journal, file, ("name", "tabs: always")), Ok(None));
        take_back(&fs, &journal, run).unwrap();
        assert_eq!(read(), before);
    }

    #[test]
    fn every_client_that_keeps_memory_is_asked_in_one_way() {
        let (fs, env) = clone_at("/work/shop", "/home/mio");
        let world = World { fs: &fs, env: &env };
        let start = SessionStart::new(AbsPath::new("/work/shop").unwrap());
        let keepers: [&dyn KeepMemory; 2] = [&Claude::default(), &Codex::default()];
        for keeper in keepers {
            assert!(keeper.has_memory(world, &start).unwrap(), "{}", keeper.name());
            let items = keeper.inventory(world, &start).unwrap().value;
            assert!(items.iter().all(|item| item.client == keeper.client()));
            assert!(!items.is_empty(), "{}", keeper.name());
        }
    }
}
