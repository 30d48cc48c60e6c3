//! The neutral model in Codex's own files.

mod command;
mod front;
mod memory;
mod note;
mod part;
mod place;
mod policy;
mod room;
mod setting;
mod skills;
mod slug;

use memory_core::model::Bundle;
use memory_core::port::{LowerOptions, Lowered, OverBudget};
use memory_core::{Code, Diagnostic, Severity};

use super::ground::Ground;
use part::{Part, Wide};
use place::Placed;

/// What was decided so far.
struct Lowering<'a> {
    ground: &'a Ground<'a>,
    lowered: Lowered,
}

impl Lowering<'_> {
    fn warn(&mut self, code: &'static str, message: impl Into<String>, help: &str) {
        let told = Diagnostic::new(Code(code), Severity::Warning, message).help(help);
        self.lowered.diagnostics.push(told);
    }
}

/// Says where everything goes.
pub(super) fn lower(ground: &Ground<'_>, bundle: &Bundle, options: LowerOptions) -> Lowered {
    let mut lowering = Lowering { ground, lowered: Lowered::default() };
    lowering.lowered.roots =
        vec![ground.project.clone(), ground.codex_home.clone(), ground.home.join(".agents/skills")];
    lowering.lowered.diagnostics.extend(ground.refusal.clone());
    let background = memory::lower(&mut lowering, bundle, options.memory_as);
    texts(&mut lowering, bundle, &background, options.over_budget);
    skills::lower(&mut lowering, &bundle.skills);
    lowering.lowered
}

/// Places everything that the client reads at the start of a session.
fn texts(
    lowering: &mut Lowering<'_>,
    bundle: &Bundle,
    background: &[Part],
    over_budget: OverBudget,
) {
    let ground = lowering.ground;
    let parts = |wide: Wide| {
        let mut parts = part::parts(ground, bundle, wide);
        parts.extend(background.iter().cloned());
        Placed::of(ground, parts)
    };
    let mut placed = parts(Wide::Base);
    let mut room = room::room(ground, &placed);
    if room.is_over() && over_budget == OverBudget::Split {
        placed = parts(Wide::Within);
        room = room::room(ground, &placed);
    }
    let has_shared = placed.files.iter().any(|file| file.folder.is_some());
    placed.finish(lowering);
    if room.is_over() {
        room::tell(lowering, &room, over_budget);
    }
    if let Some(setting) = ground.distrust().filter(|_| has_shared) {
        lowering.warn(
            "codex/untrusted",
            format!("{setting}, so the client reads no instruction file of the project"),
            "trust the project in the client to have them read",
        );
    }
}
