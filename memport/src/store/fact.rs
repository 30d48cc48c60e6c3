use std::time::SystemTime;

use memory_core::plan::WritePlan;
use memory_core::store::{self, Fact};
use memory_core::{AbsPath, Code, Diagnostic, Error, Severity};
use memport_documents::PointerDocument;

use super::pointer;
use crate::failure::Failure;

/// A fact to remember.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NewFact {
    pub(crate) fact: String,
    pub(crate) why: Option<String>,
    pub(crate) source: Option<String>,
    /// The word for its kind.
    pub(crate) kind: Option<String>,
}

impl NewFact {
    /// The fact as it is added at this time.
    pub(super) fn at(&self, time: SystemTime) -> Fact {
        Fact::new(self.fact.clone(), time)
            .because(self.why.clone())
            .from_source(self.source.clone())
            .of_kind(self.kind.clone())
    }

    /// Whether there is a letter or a digit in what is to be remembered.
    pub(crate) fn says_something(&self) -> bool {
        self.fact.chars().any(char::is_alphanumeric)
    }

    /// Why a fact is refused in which there is nothing to read.
    pub(crate) fn says_nothing() -> Failure {
        Failure::usage("the fact has no text that can be read", "say it: `--fact \"…\"`")
    }
}

/// How a fact would be remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Addition {
    pub(crate) plan: WritePlan,
    /// Files that say the same already.
    pub(crate) known_in: Vec<AbsPath>,
    /// Whether the plan says it a second time all the same.
    pub(crate) is_doubled: bool,
    /// What says nearly the same, unless that very fact is known already.
    pub(crate) similar: Vec<PointerDocument>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Addition {
    /// What the client of this name would do.
    pub(super) fn of(client: &str, added: store::Addition) -> Self {
        let not_read = added.switched_off.map(|off| {
            let message = format!("{client} does not read this memory: it is switched off");
            let code = Code("memport/memory-off");
            Diagnostic::new(code, Severity::Warning, message).at(&off.root).help(off.help)
        });
        Self {
            plan: added.plan,
            known_in: added.known_in,
            is_doubled: added.says_it_again,
            similar: added.similar.into_iter().map(pointer).collect(),
            diagnostics: added.diagnostics.into_iter().chain(not_read).collect(),
        }
    }

    /// This and what another client would do, as one plan.
    pub(super) fn and(mut self, other: Self) -> Result<Self, Error> {
        let roots = self.plan.roots().iter().chain(other.plan.roots()).cloned();
        let mut plan = WritePlan::new(roots.collect::<Vec<_>>());
        for change in self.plan.changes().iter().chain(other.plan.changes()) {
            plan.add(change.clone())?;
        }
        self.known_in.extend(other.known_in);
        self.similar.extend(other.similar);
        self.diagnostics.extend(other.diagnostics);
        Ok(Self { plan, is_doubled: self.is_doubled || other.is_doubled, ..self })
    }
}
