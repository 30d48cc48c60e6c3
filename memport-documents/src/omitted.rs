use memory_core::{AbsPath, Omission};
use schemars::JsonSchema;
use serde::Serialize;

use crate::layer::ViaDocument;
use crate::words::{Kind, Scope, Unit};

/// One candidate that was looked at and does not load.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OmittedDocument {
    /// The file, or null for text that stands in no file.
    pub path: Option<String>,
    /// What it would have been.
    pub kind: Kind,
    /// Where it belongs.
    pub scope: Scope,
    /// How the client came to look at it.
    pub via: ViaDocument,
    /// Why it does not load, for programs.
    pub reason: Reason,
    /// Why it does not load, as a sentence without a full stop.
    pub message: String,
    /// The named oddity of the client behind it, where there is one.
    pub quirk: Option<&'static str>,
}

/// Why something is left out. Only `code` is always there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reason {
    /// The stable name of the reason.
    pub code: &'static str,
    /// The file, pattern or entry that is to blame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The files that it hides although it holds nothing itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    /// The patterns that nothing touched matches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<String>,
    /// The setting or variable that decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<String>,
    /// What would approve it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approve: Option<String>,
    /// The words of the system or of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The unit of `limit`, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
    /// The limit that was passed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// How much there is, against `limit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wanted: Option<u64>,
}

impl From<Omission> for Reason {
    fn from(omission: Omission) -> Self {
        let by = omission.by().map(AbsPath::to_string);
        let reason = Self { code: omission.code(), by, ..Self::default() };
        match omission {
            Omission::BlankHides { hidden } => {
                Self { hidden: hidden.iter().map(AbsPath::to_string).collect(), ..reason }
            }
            Omission::OverBudget { limit, wanted } => Self {
                unit: Some(Unit::of(limit)),
                limit: Some(limit.count()),
                wanted: Some(wanted),
                ..reason
            },
            Omission::Unreadable(error) => Self { detail: Some(error.to_string()), ..reason },
            Omission::TooLarge { limit } => {
                Self { unit: Some(Unit::Bytes), limit: Some(limit), ..reason }
            }
            Omission::Untrusted { setting } | Omission::Disabled { setting } => {
                Self { setting: Some(setting), ..reason }
            }
            Omission::Excluded { by } => Self { by: Some(by), ..reason },
            Omission::ImportExternal { approve } => Self { approve: Some(approve), ..reason },
            Omission::ImportTooDeep { limit } => Self { limit: Some(limit.into()), ..reason },
            Omission::PathsDoNotMatch(patterns) => Self { patterns, ..reason },
            Omission::FrontmatterInvalid { why }
            | Omission::AgentInvalid { why }
            | Omission::NotListed { why } => Self { detail: Some(why), ..reason },
            Omission::NameTooLong { chars, limit } => {
                Self { unit: Some(Unit::Chars), limit: Some(limit), wanted: Some(chars), ..reason }
            }
            _ => reason,
        }
    }
}
