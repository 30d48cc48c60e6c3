//! Whether the client's budget has room for all instructions of the project.

use memory_core::port::{OverBudget, Target};
use memory_core::{AbsPath, counted, grouped};

use super::place::Placed;
use super::{Lowering, setting};
use crate::config::layer::LayerSource;
use crate::port::folder::{names, taken};
use crate::port::ground::Ground;

/// The setting of the budget.
pub(super) const KEY: &str = "project_doc_max_bytes";
/// The budget is raised to a multiple of this many bytes.
const STEP: u64 = 4096;

/// What the longest chain takes and may take, in bytes.
pub(super) struct Room {
    pub(super) needed: u64,
    pub(super) limit: u64,
    /// The folder with the longest chain.
    pub(super) folder: AbsPath,
}

impl Room {
    pub(super) fn is_over(&self) -> bool {
        self.needed > self.limit
    }
}

/// Adds up what a session reads in the project and in each folder that gets
/// something.
pub(super) fn room(ground: &Ground<'_>, placed: &Placed) -> Room {
    let names = names(ground);
    let (mut needed, mut folder) = (0, ground.project.clone());
    let of_project = || placed.files.iter().filter(|file| file.folder.is_some());
    for file in of_project() {
        let Some(end) = &file.folder else { continue };
        let chain = end.from_top(&ground.root);
        let sizes = chain.iter().map(|dir| {
            let known = of_project().find(|file| file.folder.as_ref() == Some(dir));
            match known {
                Some(file) => {
                    let today = file.today.as_ref().map(|(_, bytes)| bytes.as_slice());
                    let stays = file
                        .today
                        .as_ref()
                        .is_some_and(|(path, _)| *path == file.path || file.parts.is_empty());
                    let today = today.filter(|_| stays).unwrap_or_default();
                    let added: u64 = file.parts.iter().map(|part| added(today, part)).sum();
                    today.len() as u64 + added
                }
                None => taken(ground.world.fs, &names, dir)
                    .file()
                    .and_then(|path| ground.world.fs.metadata(path).ok())
                    .map_or(0, |found| found.len),
            }
        });
        let sum: u64 = sizes.sum();
        if sum > needed {
            (needed, folder) = (sum, end.clone());
        }
    }
    Room { needed, limit: ground.config.max_bytes, folder }
}

/// Bytes that a part adds to a file; none where the file holds it already.
fn added(today: &[u8], part: &super::Part) -> u64 {
    let is_there = memchr::memmem::find(today, part.text.as_bytes()).is_some();
    // The marks around it hold its name twice.
    let bytes = part.preface.len() + part.text.len() + 2 * (part.name.len() + 27);
    if is_there { 0 } else { bytes as u64 }
}

/// Raises the budget, or says what to do.
pub(super) fn tell(lowering: &mut Lowering<'_>, room: &Room, wanted: OverBudget) {
    let raised = room.needed.div_ceil(STEP) * STEP;
    let message = format!(
        "the instructions for `{}` take {} and the client reads {}; the last ones would be cut",
        room.folder,
        counted(room.needed, "byte"),
        grouped(room.limit)
    );
    if wanted == OverBudget::Raise {
        match raise(lowering, raised) {
            Ok(()) => return,
            Err(why) => {
                lowering.warn("codex/over-budget", message, &why);
                return;
            }
        }
    }
    let help = format!(
        "set `{KEY} = {raised}` in the client's configuration, or move what belongs to a folder into that folder's file"
    );
    lowering.warn("codex/over-budget", message, &help);
}

fn raise(lowering: &mut Lowering<'_>, bytes: u64) -> Result<(), String> {
    let ground = lowering.ground;
    let stronger = ground
        .config
        .layers
        .iter()
        .rev()
        .find(|layer| layer.source > LayerSource::User && layer.values.contains_key(KEY));
    if let Some(path) = stronger.and_then(|layer| layer.path.as_ref()) {
        return Err(format!("set `{KEY} = {bytes}` in `{path}`, which decides here"));
    }
    let file = ground.codex_home.join("config.toml");
    let Some((before, after)) = setting::set(ground, &file, KEY, bytes) else {
        return Err(format!("`{file}` cannot be changed; set `{KEY} = {bytes}` there"));
    };
    lowering.lowered.put(Vec::new(), Target::Setting { file, before, after });
    Ok(())
}
