//! What the client keeps, in the neutral model.

mod left_out;
mod memories;
mod nested;
mod patterns;
mod piece;
mod skill_files;
mod skills;
mod texts;
mod walk;

use std::collections::HashSet;

use memory_core::model::Bundle;
use memory_core::port::Loss;
use memory_core::{AbsPath, Code, Diagnostic, Parsed, Severity};

use super::ground::Ground;
use crate::claude::Claude;
use walk::Tree;

/// What was read so far.
#[derive(Default)]
struct Reading {
    bundle: Bundle,
    diagnostics: Vec<Diagnostic>,
    /// Files of which it was said why they are not carried.
    told: HashSet<AbsPath>,
}

impl Reading {
    fn lose(&mut self, loss: Loss) {
        self.bundle.left_out.push(loss);
    }

    /// Says once of a file why the client itself does not load it.
    fn hidden(&mut self, path: &AbsPath, why: &str) {
        if self.told.insert(path.clone()) {
            let message = format!("it is not carried, as the client does not load it: {why}");
            self.hint("claude/not-carried", path, message);
        }
    }

    fn hint(&mut self, code: &'static str, path: &AbsPath, message: impl Into<String>) {
        let told = Diagnostic::new(Code(code), Severity::Hint, message).at(path);
        self.diagnostics.push(told);
    }
}

/// Reads everything that is carried.
pub(super) fn read(claude: &Claude, ground: &Ground<'_>) -> Parsed<Bundle> {
    let mut reading = Reading { diagnostics: ground.told.take(), ..Reading::default() };
    let tree = Tree::walk(ground, &mut reading);
    texts::read(ground, &tree, &mut reading);
    skills::read(ground, &tree, &mut reading);
    memories::read(claude, ground, &mut reading);
    left_out::read(ground, &mut reading);
    Parsed { value: reading.bundle, diagnostics: reading.diagnostics }
}
