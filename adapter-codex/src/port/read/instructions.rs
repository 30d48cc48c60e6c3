//! Instruction files: the person's own, the project's, and those below it.

use std::collections::HashMap;
use std::sync::Arc;

use memory_core::fs::{Content, Fs};
use memory_core::model::{Instruction, Reach, SourceFile};
use memory_core::port::{Loss, LossKind};
use memory_core::{AbsPath, Code, Diagnostic, LayerKind, Scope, Severity, counted};

use super::Reading;
use super::walk::{Walk, foreign};
use crate::port::budget::{kept, line_at};
use crate::port::folder::{READ_LIMIT, Taken, taken, taken_at_home};
use crate::port::ground::Ground;

/// Reads the instruction files.
pub(super) fn read(ground: &Ground<'_>, walk: &Walk, reading: &mut Reading) {
    if let Some((path, bytes)) = taken_at_home(ground.world.fs, &ground.codex_home) {
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let reach = Reach::everywhere(Scope::User);
        reading.bundle.instructions.push(instruction(
            ground.world.fs,
            path,
            bytes.into(),
            text,
            reach,
        ));
    }
    if let Some(setting) = ground.distrust() {
        let message = format!("{setting}, so no instruction file of the project is in force");
        reading.hint("codex/untrusted", &ground.project, message);
        return;
    }
    Chain { ground, walk, files: HashMap::new() }.read(reading);
}

fn instruction(
    fs: &dyn Fs,
    path: AbsPath,
    bytes: Arc<[u8]>,
    text: String,
    reach: Reach,
) -> Instruction {
    let mode = fs.metadata(&path).ok().and_then(|found| found.mode);
    let content = Content::File { bytes, mode: mode.map(|mode| mode & 0o7777) };
    let file = SourceFile { path, content };
    Instruction { kind: LayerKind::Instructions, text, reach, file, imported: None }
}

/// The project's files, each read once.
struct Chain<'a> {
    ground: &'a Ground<'a>,
    walk: &'a Walk,
    files: HashMap<AbsPath, (AbsPath, Arc<[u8]>)>,
}

impl Chain<'_> {
    fn read(mut self, reading: &mut Reading) {
        let ground = self.ground;
        let chain = ground.project.from_top(&ground.root);
        // One file that cannot be read takes all others of the chain with it.
        let mut fine = true;
        for dir in &chain {
            fine &= self.load(dir, reading);
        }
        if !fine {
            return;
        }
        for dir in &chain {
            self.give(dir, reading);
        }
        for dir in &self.walk.texts {
            if let Some(why) = foreign(ground, dir) {
                if let Taken::File(path) = taken(ground.world.fs, &self.walk.names, dir) {
                    let what = format!("instructions `{}`", ground.name(&path));
                    reading.lose(Loss::new(what, &path, LossKind::Dropped, why));
                }
            } else if self.load(dir, reading) {
                self.give(dir, reading);
            }
        }
    }

    /// Reads the file of a folder; `false` when the client would drop the chain.
    fn load(&mut self, dir: &AbsPath, reading: &mut Reading) -> bool {
        let fs = self.ground.world.fs;
        let failed = match taken(fs, &self.walk.names, dir) {
            Taken::Nothing => return true,
            Taken::Failed(path, error) => (path, error),
            Taken::File(path) => match fs.read_up_to(&path, READ_LIMIT) {
                Ok(bytes) => {
                    self.files.insert(dir.clone(), (path, bytes.into()));
                    return true;
                }
                Err(error) => (path, error),
            },
        };
        let message = format!(
            "the file cannot be read, and the client drops the whole chain for that: {}",
            failed.1
        );
        reading.diagnostics.push(
            Diagnostic::new(Code("codex/chain-not-carried"), Severity::Warning, message)
                .at(&failed.0)
                .help("make the file readable, then port again"),
        );
        false
    }

    fn give(&self, dir: &AbsPath, reading: &mut Reading) {
        let Some((path, bytes)) = self.files.get(dir) else { return };
        let text = String::from_utf8_lossy(bytes).into_owned();
        if text.trim().is_empty() {
            return;
        }
        self.tell_cut(dir, path, bytes, reading);
        let is_above = *dir != self.ground.project && self.ground.project.starts_with(dir);
        let scope = if is_above {
            Scope::User
        } else if self.ground.leads_out(path) {
            // What lies elsewhere is not checked in with the project.
            Scope::Local
        } else {
            Scope::Project
        };
        let reach = Reach::below(scope, dir.clone());
        reading.bundle.instructions.push(instruction(
            self.ground.world.fs,
            path.clone(),
            bytes.clone(),
            text,
            reach,
        ));
    }

    /// Tells where the budget cuts a file in the client.
    fn tell_cut(&self, dir: &AbsPath, path: &AbsPath, bytes: &[u8], reading: &mut Reading) {
        let limit = self.ground.config.max_bytes;
        let chain = dir.from_top(&self.ground.root);
        let files = chain.iter().filter_map(|dir| self.files.get(dir));
        let kept = kept(files.map(|(_, bytes)| &**bytes), limit).pop().unwrap_or_default();
        if kept >= bytes.len() as u64 {
            return;
        }
        let line = line_at(bytes, kept);
        let message = format!(
            "the client reads {} of the project's instructions and none from line {line} of this file on; all of it is carried",
            counted(limit, "byte")
        );
        let told = Diagnostic::new(Code("codex/carried-beyond-budget"), Severity::Hint, message);
        reading.diagnostics.push(told.at(path).on_line(line));
    }
}
