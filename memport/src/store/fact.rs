use memory_core::doc::elision;
use memory_core::plan::WritePlan;
use memory_core::{AbsPath, Code, Diagnostic, Error, Severity};
use memport_documents::PointerDocument;

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
    /// The fact and what is known of it, as a plain note.
    pub(super) fn note(&self) -> String {
        let labelled = [("Why", &self.why), ("Source", &self.source), ("Type", &self.kind)];
        let labelled: Vec<_> = labelled
            .iter()
            .filter_map(|(label, value)| Some(format!("{label}: {}\n", value.as_ref()?.trim())))
            .collect();
        match (self.fact.trim(), labelled.concat()) {
            ("", _) => String::new(),
            (fact, known) if known.is_empty() => format!("{fact}\n"),
            (fact, known) => format!("{fact}\n\n{known}"),
        }
    }

    /// Whether there is a letter or a digit in what is to be remembered.
    pub(crate) fn says_something(&self) -> bool {
        self.fact.chars().any(char::is_alphanumeric)
    }

    /// Why a fact is refused in which there is nothing to read.
    pub(crate) fn says_nothing() -> Failure {
        Failure::usage("the fact has no text that can be read", "say it: `--fact \"…\"`")
    }

    /// Refuses texts for a file that stand for something left out.
    pub(super) fn refuse_elision(&self, path: &AbsPath) -> Result<(), Error> {
        let rest = [&self.why, &self.source, &self.kind].into_iter().flatten();
        match std::iter::once(&self.fact).chain(rest).find_map(|text| elision(text)) {
            Some((line, words)) => {
                Err(Error::Elision { path: path.clone(), line, words: words.to_owned() })
            }
            None => Ok(()),
        }
    }
}

/// Tells that a client does not read the memory to which something is added.
pub(super) fn not_read(client: &str, path: &AbsPath, help: &str) -> Diagnostic {
    let message = format!("{client} does not read this memory: it is switched off");
    Diagnostic::new(Code("memport/memory-off"), Severity::Warning, message).at(path).help(help)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_says_what_is_known_of_the_fact() {
        let mut fact = NewFact {
            fact: " 取引先コードは文字列 ".to_owned(),
            why: None,
            source: None,
            kind: None,
        };
        assert_eq!(fact.note(), "取引先コードは文字列\n");
        fact.why = Some("zeros are lost".to_owned());
        fact.kind = Some("project".to_owned());
        assert_eq!(fact.note(), "取引先コードは文字列\n\nWhy: zeros are lost\nType: project\n");
        fact.fact = " \n".to_owned();
        assert_eq!(fact.note(), "");
    }
}
