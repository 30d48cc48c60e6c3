//! Whether the client's budget has room for all instructions of the project.

use adapter_agents_md::resolve;
use memory_core::fs::{Content, Overlay};
use memory_core::port::{OverBudget, Target};
use memory_core::{AbsPath, World, counted, grouped};

use super::place::{Placed, TargetFile};
use super::{Lowering, setting};
use crate::config::layer::LayerSource;
use crate::port::folder::whole;
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

/// Asks the resolver what a session would read in each folder that gets
/// something, if it had no limit.
pub(super) fn room(ground: &Ground<'_>, placed: &Placed) -> Room {
    let mut planned = Overlay::new(ground.world.fs);
    let of_project = || placed.files.iter().filter(|file| file.folder.is_some());
    for file in of_project().filter(|file| !file.parts.is_empty()) {
        planned.put(file.path.clone(), Content::file(planned_bytes(file)));
    }
    let world = World { fs: &planned, env: ground.world.env };
    let convention = whole(ground);
    let (mut needed, mut folder) = (0, ground.project.clone());
    for end in of_project().filter_map(|file| file.folder.as_ref()) {
        let chain = resolve(world, &convention, end);
        let sum: u64 = chain.loaded().map(|(_, loaded)| loaded.text.len() as u64).sum();
        if sum > needed {
            (needed, folder) = (sum, end.clone());
        }
    }
    Room { needed, limit: ground.config.max_bytes, folder }
}

/// A file as it will be, but for blank lines.
fn planned_bytes(file: &TargetFile) -> Vec<u8> {
    let stays = file.today.as_ref().filter(|(path, _)| *path == file.path);
    let mut bytes = stays.map(|(_, bytes)| bytes.clone()).unwrap_or_default();
    for part in &file.parts {
        if memchr::memmem::find(&bytes, part.text.trim().as_bytes()).is_some() {
            continue;
        }
        // A mark of one line stands above all parts but the first.
        if !bytes.is_empty() {
            bytes.extend_from_slice(format!("<!-- {} -->\n", part.name).as_bytes());
        }
        bytes.extend_from_slice(part.preface.as_bytes());
        bytes.extend_from_slice(part.text.trim_end().as_bytes());
        bytes.push(b'\n');
    }
    bytes
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
