//! Instruction files: the person's own, the project's, and those below it, each
//! as the resolver loads it for a session in its folder.

use std::sync::Arc;

use adapter_agents_md::resolve;
use memory_core::fs::{Content, Fs};
use memory_core::model::{Instruction, Reach, SourceFile};
use memory_core::port::{Loss, LossKind};
use memory_core::{
    AbsPath, Code, Diagnostic, Layer, LayerKind, Omission, Outcome, Scope, Severity, counted,
};

use super::Reading;
use super::walk::{Walk, foreign};
use crate::instructions::{Chains, chains, of_project};
use crate::port::folder::{READ_LIMIT, taken};
use crate::port::ground::Ground;

/// Reads the instruction files.
pub(super) fn read(ground: &Ground<'_>, walk: &Walk, reading: &mut Reading) {
    let found = chains(ground.world, &ground.config, &ground.codex_home, &ground.project);
    for (layer, loaded) in found.global.loaded() {
        let reach = Reach::everywhere(Scope::User);
        let text = loaded.text.trim().to_owned();
        reading.bundle.instructions.extend(whole(ground.world.fs, layer, Some(text), reach));
    }
    if let Some(setting) = ground.distrust() {
        let message = format!("{setting}, so no instruction file of the project is in force");
        reading.hint("codex/untrusted", &ground.project, message);
        return;
    }
    let Chains { project, .. } = found;
    let is_lost = project.layers.iter().any(|layer| tell_lost(layer, reading));
    for layer in &project.layers {
        give(ground, layer, reading);
    }
    if is_lost {
        return;
    }
    let convention = of_project(&ground.config);
    for dir in &walk.texts {
        if let Some(why) = foreign(ground, dir) {
            if let Some(path) = taken(ground, dir) {
                let what = format!("instructions `{}`", ground.name(&path));
                reading.lose(Loss::new(what, &path, LossKind::Dropped, why));
            }
            continue;
        }
        let chain = resolve(ground.world, &convention, dir);
        let is_here = |layer: &&Layer| {
            layer.provenance.path.as_ref().and_then(AbsPath::parent).as_ref() == Some(dir)
        };
        for layer in chain.layers.iter().filter(is_here) {
            tell_lost(layer, reading);
            if !ground.config.markers.iter().any(|marker| marker.contains('\0')) {
                give(ground, layer, reading);
            }
        }
    }
}

/// Tells of a file for which the client drops the whole chain.
fn tell_lost(layer: &Layer, reading: &mut Reading) -> bool {
    let (Outcome::Omitted { reason: Omission::Unreadable(error), .. }, Some(path)) =
        (&layer.outcome, &layer.provenance.path)
    else {
        return false;
    };
    let message =
        format!("the file cannot be read, and the client drops the whole chain for that: {error}");
    reading.diagnostics.push(
        Diagnostic::new(Code("codex/chain-not-carried"), Severity::Warning, message)
            .at(path)
            .help("make the file readable, then port again"),
    );
    true
}

/// Adds a file that is loaded, all of it, or says why it is not.
fn give(ground: &Ground<'_>, layer: &Layer, reading: &mut Reading) {
    let Some(path) = &layer.provenance.path else { return };
    let Some(dir) = path.parent() else { return };
    let loaded = match &layer.outcome {
        Outcome::Loaded(loaded) => loaded,
        Outcome::Omitted {
            reason: reason @ (Omission::OverBudget { .. } | Omission::TooLarge { .. }),
            ..
        } => {
            let message = format!("it is not carried, as the client does not load it: {reason}");
            return reading.hint("codex/not-carried", path, message);
        }
        Outcome::Omitted { .. } => return,
    };
    if let Some(cut) = &loaded.cut {
        let message = format!(
            "the client reads {} of the project's instructions and none from line {} of this file on; all of it is carried",
            counted(ground.config.max_bytes, "byte"),
            cut.at_line
        );
        let told = Diagnostic::new(Code("codex/carried-beyond-budget"), Severity::Hint, message);
        let line = u32::try_from(cut.at_line).unwrap_or(u32::MAX);
        reading.diagnostics.push(told.at(path).on_line(line));
    }
    let is_above = dir != ground.project && ground.project.starts_with(&dir);
    let scope = if is_above {
        Scope::User
    } else if ground.leads_out(path) {
        // What lies elsewhere is not checked in with the project.
        Scope::Local
    } else {
        Scope::Project
    };
    let reach = Reach::below(scope, dir);
    reading.bundle.instructions.extend(whole(ground.world.fs, layer, None, reach));
}

/// A file with all its bytes; `text` where the client shows something else.
fn whole(fs: &dyn Fs, layer: &Layer, text: Option<String>, reach: Reach) -> Option<Instruction> {
    let path = layer.provenance.path.clone()?;
    let bytes = fs.read_up_to(&path, READ_LIMIT).ok()?;
    let mode = fs.metadata(&path).ok().and_then(|found| found.mode);
    let text = text.unwrap_or_else(|| String::from_utf8_lossy(&bytes).into_owned());
    let content = Content::File { bytes: Arc::from(bytes), mode: mode.map(|mode| mode & 0o7777) };
    let file = SourceFile { path, content };
    Some(Instruction { kind: LayerKind::Instructions, text, reach, file, imported: None })
}
