use std::collections::BTreeMap;

use memory_core::{ListedSkill, OmittedSkill, SkillListing};
use schemars::JsonSchema;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::omitted::Reason;
use crate::size::{BudgetDocument, Size, Tokens};
use crate::words::{SkillScope, Unit};

/// The skills that the model is told of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkillsDocument {
    /// Short names of the folders that hold listed skills; empty where the
    /// client shows whole paths.
    pub roots: BTreeMap<String, String>,
    /// The listed skills, in the order in which the model sees them.
    pub listed: Vec<ListedSkillDocument>,
    /// The listing lines joined by `\n`, bundled skills left out.
    pub rendered: String,
    /// The skills that were found and are not listed.
    pub omitted: Vec<OmittedSkillDocument>,
    /// The limit on the listing, or null where there is none.
    pub budget: Option<BudgetDocument>,
}

impl SkillsDocument {
    /// Whether a skill was found that does not come with the client.
    pub fn has_own(&self) -> bool {
        self.listed.iter().any(|skill| !skill.is_bundled())
            || self.omitted.iter().any(|skill| skill.scope != SkillScope::System)
    }

    /// What the listing costs beyond the lines in `rendered`: the client counts
    /// the skills that come with it, whose text is not known, against the budget.
    pub(crate) fn bundled_tokens(&self) -> u64 {
        let Some(BudgetDocument { unit, used, .. }) = self.budget else { return 0 };
        let own = Size::of(&self.rendered);
        match unit {
            Unit::Tokens if self.listed.iter().any(ListedSkillDocument::is_bundled) => {
                used.saturating_sub(Tokens::of(own).estimate)
            }
            // What the client says of its own skills takes a column for each byte.
            Unit::Columns => {
                let bytes = used.saturating_sub(self.rendered.width() as u64);
                Tokens::of(Size { bytes, ..Size::default() }).estimate
            }
            Unit::Tokens | Unit::Bytes | Unit::Utf16 | Unit::Chars | Unit::Lines | Unit::Other => 0,
        }
    }
}

/// One skill that the model is told of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ListedSkillDocument {
    /// The name as shown.
    pub name: String,
    /// The description as shown; null when only the name is shown, and for
    /// skills that come with the client.
    pub description: Option<String>,
    /// The path as shown.
    pub path: String,
    /// The skill's file.
    pub file: String,
    /// Where it belongs; `system` for a skill that comes with the client.
    pub scope: SkillScope,
    /// Characters of the description that the client cut off.
    pub lost_chars: u64,
}

impl ListedSkillDocument {
    /// Whether the skill comes with the client.
    pub fn is_bundled(&self) -> bool {
        self.scope == SkillScope::System
    }
}

/// One skill that was found and that the model is not told of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OmittedSkillDocument {
    /// The skill's file.
    pub path: String,
    /// Where it belongs; `system` for a skill that comes with the client.
    pub scope: SkillScope,
    /// Why it is not listed, for programs.
    pub reason: Reason,
    /// Why it is not listed, as a sentence without a full stop.
    pub message: String,
    /// The named oddity of the client behind it, where there is one.
    pub quirk: Option<&'static str>,
}

impl From<SkillListing> for SkillsDocument {
    fn from(listing: SkillListing) -> Self {
        let SkillListing { roots, listed, rendered, omitted, budget, .. } = listing;
        Self {
            roots: roots.into_iter().map(|(name, root)| (name, root.to_string())).collect(),
            listed: listed.into_iter().map(ListedSkillDocument::from).collect(),
            rendered,
            omitted: omitted.into_iter().map(OmittedSkillDocument::from).collect(),
            budget: budget.map(BudgetDocument::from),
        }
    }
}

impl From<ListedSkill> for ListedSkillDocument {
    fn from(skill: ListedSkill) -> Self {
        Self {
            name: skill.name,
            description: skill.description,
            path: skill.shown_path,
            file: skill.file.to_string(),
            scope: SkillScope::of(skill.scope),
            lost_chars: skill.lost_chars,
        }
    }
}

impl From<OmittedSkill> for OmittedSkillDocument {
    fn from(skill: OmittedSkill) -> Self {
        Self {
            path: skill.file.to_string(),
            scope: SkillScope::of(skill.scope),
            message: skill.reason.to_string(),
            reason: skill.reason.into(),
            quirk: skill.quirk.map(|quirk| quirk.id),
        }
    }
}
