//! Ports to a client of one's own: what its adapter has to say, and no more.
//!
//! The imaginary client Toy reads one file, `.toy/RULES.md`, in the project and
//! in the home directory. It knows no skills and no memory.
//!
//! `cargo run -p examples --example custom_target`

use adapter_codex::Codex;
use memory_core::fs::MemFs;
use memory_core::model::{Bundle, Reach, SourceFile};
use memory_core::plan::Change;
use memory_core::port::{
    Loss, LossKind, LowerBundle, LowerOptions, Lowered, Port, PortPlace, PortRequest, Target, View,
    port,
};
use memory_core::{AbsPath, Client, ClientId, Env, Error, World};

/// The adapter of the imaginary client.
struct Toy;

/// Where Toy looks, below the home directory and below the project.
const RULES: &str = ".toy/RULES.md";

impl Client for Toy {
    fn client(&self) -> ClientId {
        ClientId("toy")
    }

    fn name(&self) -> &'static str {
        "Toy"
    }
}

impl LowerBundle for Toy {
    /// Says what goes where. Joining it with what is there already, marks
    /// around it, the manifest and the way back are the library's business.
    fn lower(
        &self,
        _world: World<'_>,
        place: &PortPlace,
        bundle: &Bundle,
        _options: &LowerOptions,
    ) -> Result<Lowered, Error> {
        let mut lowered = Lowered {
            roots: vec![place.home.join(".toy"), place.project.join(".toy")],
            ..Lowered::default()
        };
        for piece in &bundle.instructions {
            add(&mut lowered, place, &piece.file, &piece.reach, &piece.text);
        }
        for rule in &bundle.rules {
            add(&mut lowered, place, &rule.file, &rule.reach, &rule.text);
        }
        // Every file ends in a place or in a loss: what has neither is refused.
        for skill in &bundle.skills {
            for file in &skill.files {
                let path = skill.path.join(file.path.as_str());
                let what = format!("skill `{}`", skill.name);
                let why = "Toy knows no skills";
                lowered.losses.push(Loss::new(what, &path, LossKind::Dropped, why));
            }
        }
        for store in &bundle.stores {
            for file in &store.files {
                let path = store.root.join(file.path.as_str());
                let why = "Toy remembers nothing";
                lowered.losses.push(Loss::new("memory", &path, LossKind::Dropped, why));
            }
        }
        Ok(lowered)
    }

    /// What a session is given: the library compares it with what was carried,
    /// and reports what is missing.
    fn view(&self, world: World<'_>, place: &PortPlace, _folder: &AbsPath) -> Result<View, Error> {
        let mut view = View::default();
        for folder in [&place.home, &place.project] {
            let path = folder.join(RULES);
            match world.fs.read_up_to(&path, 16 * 1024) {
                Ok(bytes) => {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    view.probes.read.insert(path.clone());
                    view.texts.push((path, text));
                }
                Err(_) => {
                    view.probes.missing.insert(path);
                }
            }
        }
        Ok(view)
    }

    /// Which files may be brought back to Toy from what was carried away.
    fn keeps(&self, _world: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
        [&place.home, &place.project].iter().any(|folder| folder.join(RULES) == *path)
    }
}

/// Places a text: what is for every folder in the person's own file, what is
/// for the project in its file.
fn add(lowered: &mut Lowered, place: &PortPlace, from: &SourceFile, reach: &Reach, text: &str) {
    let home = || place.home.clone();
    let (folder, preface) = match &reach.folder {
        None => (home(), String::new()),
        Some(folder) if *folder == place.project => (folder.clone(), String::new()),
        Some(folder) => {
            let inside = folder.strip_prefix(&place.project).is_some();
            let to = if inside { place.project.clone() } else { home() };
            let message = format!("Toy reads them everywhere, not only in `{folder}`");
            let loss = Loss::new("instructions", &from.path, LossKind::ScopeWidened, message);
            lowered.losses.push(loss.kept_in(&to.join(RULES)));
            (to, format!("Only in `{folder}`:\n\n"))
        }
    };
    // Names are unique in a file and say where the text comes from.
    let name = from
        .path
        .strip_prefix(&place.project)
        .map(str::to_owned)
        .or_else(|| from.path.strip_prefix(&place.home).map(|rest| format!("~/{rest}")));
    let to = Target::Section {
        file: folder.join(RULES),
        name: name.unwrap_or_else(|| from.path.to_string()),
        preface,
        text: text.to_owned(),
        marked: false,
    };
    lowered.put(vec![from.clone()], to);
}

/// A port of a small repository from Codex to Toy.
fn ported() -> Result<Port, Error> {
    let fs = MemFs::from_files([
        ("/home/mio/.codex/AGENTS.md", "Answer in Japanese.\n"),
        ("/home/mio/.codex/config.toml", "[projects.\"/repo\"]\ntrust_level = \"trusted\"\n"),
        ("/repo/.git/HEAD", "ref: refs/heads/main\n"),
        ("/repo/AGENTS.md", "Run the tests.\n"),
        ("/repo/web/AGENTS.md", "Use pnpm.\n"),
        ("/repo/.agents/skills/csv/SKILL.md", "---\nname: csv\ndescription: Reads CSV.\n---\n"),
        // What somebody wrote for Toy by hand stays as it is.
        ("/repo/.toy/RULES.md", "Be brief.\n"),
    ]);
    let home = AbsPath::new("/home/mio")?;
    let env = Env::with_home(home.clone());
    let request = PortRequest::new(PortPlace { project: AbsPath::new("/repo")?, home });
    port(World { fs: &fs, env: &env }, &Codex::default(), &Toy, &request)
}

fn main() -> Result<(), Error> {
    let port = ported()?;
    for change in port.plan.changes() {
        match change {
            Change::Create { path, bytes, .. } | Change::Replace { path, bytes, .. } => {
                println!("== {path}\n{}", String::from_utf8_lossy(bytes));
            }
            other => println!("== {other:?}"),
        }
    }
    for loss in &port.losses.losses {
        println!("{}: {} ({}): {}", loss.how.as_str(), loss.what, loss.path, loss.message);
    }
    Ok(())
}

#[test]
fn everything_has_a_place_or_a_loss() {
    let port = ported().unwrap();
    assert!(port.unaccounted.is_empty());
    let project = AbsPath::new("/repo/.toy/RULES.md").unwrap();
    let change = port.plan.changes().iter().find(|change| *change.path() == project);
    let Some(Change::Replace { bytes, .. }) = change else { panic!("{change:?}") };
    assert_eq!(
        String::from_utf8_lossy(bytes),
        "Be brief.\n\n<!-- memport:begin AGENTS.md -->\nRun the tests.\n\
         <!-- memport:end AGENTS.md -->\n\n<!-- memport:begin web/AGENTS.md -->\n\
         Only in `/repo/web`:\n\nUse pnpm.\n<!-- memport:end web/AGENTS.md -->\n"
    );
    let losses: Vec<_> =
        port.losses.losses.iter().map(|loss| (loss.path.as_str(), loss.how.as_str())).collect();
    assert_eq!(
        losses,
        [
            ("/repo/web/AGENTS.md", "scope-widened"),
            ("/repo/.agents/skills/csv/SKILL.md", "dropped"),
        ]
    );
}
