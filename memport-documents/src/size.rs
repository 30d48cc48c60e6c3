use memory_core::{Budget, BytesPerToken, FileSize, Measure, TokenEstimate as _};
use schemars::JsonSchema;
use serde::Serialize;

use crate::words::Unit;

/// A limit and how much of it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct BudgetDocument {
    /// What is counted.
    pub unit: Unit,
    /// The limit in force.
    pub limit: u64,
    /// How much of it is used.
    pub used: u64,
    /// How much there would be without the limit.
    pub wanted: u64,
}

impl From<Budget> for BudgetDocument {
    fn from(budget: Budget) -> Self {
        let Budget { limit, used, wanted } = budget;
        Self { unit: Unit::of(limit), limit: limit.count(), used, wanted }
    }
}

/// The size of a text in every unit that some client counts in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Size {
    /// UTF-8 bytes.
    pub bytes: u64,
    /// Unicode scalar values; null for a file too large to be read for counting.
    pub chars: Option<u64>,
    /// UTF-16 code units; null for a file too large to be read for counting.
    pub utf16: Option<u64>,
    /// Line feeds, and one more when the last line is not empty; null for a
    /// file too large to be read for counting.
    pub lines: Option<u64>,
}

impl Size {
    pub(crate) fn of(text: &str) -> Self {
        Measure::of(text.as_bytes()).into()
    }
}

impl From<Measure> for Size {
    fn from(size: Measure) -> Self {
        Self {
            bytes: size.bytes,
            chars: Some(size.chars),
            utf16: Some(size.utf16),
            lines: Some(size.lines),
        }
    }
}

impl From<FileSize> for Size {
    fn from(size: FileSize) -> Self {
        let text = size.text.map(Self::from).unwrap_or_default();
        Self { bytes: size.bytes, ..text }
    }
}

/// What a text costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Tokens {
    /// The estimate.
    pub estimate: u64,
    /// How it is made: `bytes/4`.
    pub method: &'static str,
}

impl Tokens {
    pub(crate) fn of(size: Size) -> Self {
        let measure = Measure { bytes: size.bytes, ..Measure::default() };
        Self { estimate: BytesPerToken.estimate(&measure), method: BytesPerToken.method() }
    }
}
