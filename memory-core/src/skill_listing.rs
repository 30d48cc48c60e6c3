//! Which skills a model is told of.

use crate::budget::Budget;
use crate::chain::Scope;
use crate::client::Quirk;
use crate::omission::Omission;
use crate::path::AbsPath;
use crate::report::Diagnostic;

/// The skills a client tells its model of, and those it does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillListing {
    /// Short names of the roots, in order: `r0` and its folder. Empty where the
    /// client shows whole paths.
    pub roots: Vec<(String, AbsPath)>,
    /// The listed skills, in the order in which the model sees them.
    pub listed: Vec<ListedSkill>,
    /// The listing as the model gets it, bundled skills left out: lines joined by `\n`.
    pub rendered: String,
    /// Skills that were found and are not listed.
    pub omitted: Vec<OmittedSkill>,
    /// The limit on the listing; `None` when the model gets no listing at all.
    /// With a limit and nothing listed it gets an empty one: no skill fits.
    pub budget: Option<Budget>,
    /// What is worth telling.
    pub diagnostics: Vec<Diagnostic>,
}

/// One skill that the model is told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSkill {
    /// The name as shown.
    pub name: String,
    /// The description as shown, cut where the client cut it; `None` when only
    /// the name is shown.
    pub description: Option<String>,
    /// The path as shown.
    pub shown_path: String,
    /// The skill's file.
    pub file: AbsPath,
    /// Where the skill belongs; [`Scope::Builtin`] for one that comes with the client.
    pub scope: Scope,
    /// Characters of the description that the client cut off.
    pub lost_chars: u64,
}

/// One skill that was found and that the model is not told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OmittedSkill {
    /// The skill's file.
    pub file: AbsPath,
    /// Where the skill belongs.
    pub scope: Scope,
    /// Why it is not listed.
    pub reason: Omission,
    /// The named oddity behind it, where there is one.
    pub quirk: Option<&'static Quirk>,
}
