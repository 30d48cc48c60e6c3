//! What Codex keeps, in the neutral model.

mod files;
mod instructions;
mod memories;
mod skills;
mod summary;
mod walk;

use memory_core::model::Bundle;
use memory_core::port::Loss;
use memory_core::{AbsPath, Code, Diagnostic, Parsed, Severity};

use super::ground::Ground;
use walk::Walk;

/// What was read so far.
#[derive(Default)]
struct Reading {
    bundle: Bundle,
    diagnostics: Vec<Diagnostic>,
}

impl Reading {
    fn lose(&mut self, loss: Loss) {
        self.bundle.left_out.push(loss);
    }

    fn hint(&mut self, code: &'static str, path: &AbsPath, message: impl Into<String>) {
        let told = Diagnostic::new(Code(code), Severity::Hint, message).at(path);
        self.diagnostics.push(told);
    }
}

/// Reads everything that is carried.
pub(super) fn read(ground: &Ground<'_>) -> Parsed<Bundle> {
    let mut reading = Reading::default();
    if let Some(refusal) = &ground.refusal {
        reading.diagnostics.push(refusal.clone());
        return Parsed { value: reading.bundle, diagnostics: reading.diagnostics };
    }
    let walk = Walk::of(ground, &mut reading.diagnostics);
    instructions::read(ground, &walk, &mut reading);
    skills::read(ground, &walk, &mut reading);
    memories::read(ground, &mut reading);
    Parsed { value: reading.bundle, diagnostics: reading.diagnostics }
}
