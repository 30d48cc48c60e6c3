//! The neutral model in the client's own files.

mod memory;
mod place;
mod rules;
mod skills;
mod slug;
mod texts;
mod topic;

use memory_core::model::Bundle;
use memory_core::port::Lowered;
use memory_core::{AbsPath, Code, Diagnostic, Severity};

use super::ground::Ground;

/// What was decided so far.
struct Lowering<'a> {
    ground: &'a Ground<'a>,
    lowered: Lowered,
}

impl Lowering<'_> {
    fn tell(
        &mut self,
        code: &'static str,
        severity: Severity,
        path: &AbsPath,
        message: impl Into<String>,
        help: &str,
    ) {
        let told = Diagnostic::new(Code(code), severity, message).at(path).help(help);
        self.lowered.diagnostics.push(told);
    }
}

/// Says where everything goes.
pub(super) fn lower(ground: &Ground<'_>, bundle: &Bundle) -> Lowered {
    let layout = ground.context.layout;
    let mut lowering = Lowering { ground, lowered: Lowered::default() };
    let memory = crate::memory::place(ground.context);
    lowering.lowered.roots = vec![layout.cwd.clone(), layout.config.clone(), memory.clone()];
    lowering.lowered.of_project = vec![memory];
    lowering.lowered.diagnostics = ground.told.take();
    texts::lower(&mut lowering, bundle);
    skills::lower(&mut lowering, &bundle.skills);
    memory::lower(&mut lowering, &bundle.stores);
    lowering.lowered
}
