//! What was found before and is not to fail again.

use std::collections::BTreeMap;

use memory_core::fs::Fs;
use memory_core::{AbsPath, Digest};
use serde::{Deserialize, Serialize};

use super::finding::{Finding, Root};
use crate::failure::Failure;

const SCHEMA: &str = "memport.baseline.v1";

/// The findings that a team knows.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Baseline {
    schema: String,
    findings: Vec<Known>,
}

/// A finding, wherever its line went.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Known {
    code: String,
    path: String,
    /// A fingerprint of the text that it is about; empty for a whole file.
    text: String,
}

impl Known {
    fn of(finding: &Finding, root: &Root) -> Self {
        // Where a file is cut is not what the finding is about.
        let is_whole = finding.code.ends_with("truncated") || finding.line.is_none();
        let text = finding.excerpt.as_deref().filter(|_| !is_whole).map(|text| {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            Digest::of(words.as_bytes()).to_string()
        });
        Self {
            code: finding.code.clone(),
            path: root.said(finding.path.as_ref()),
            text: text.unwrap_or_default(),
        }
    }
}

impl Baseline {
    /// What is found now.
    pub(crate) fn of(findings: &[Finding], root: &Root) -> Self {
        let mut known: Vec<_> = findings.iter().map(|finding| Known::of(finding, root)).collect();
        known.sort();
        Self { schema: SCHEMA.to_owned(), findings: known }
    }

    /// The file's text.
    pub(crate) fn to_text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    pub(crate) fn read(fs: &dyn Fs, path: &AbsPath) -> Result<Self, Failure> {
        let bytes = fs.read_up_to(path, 1 << 28).map_err(|error| {
            Failure::at("baseline", path, error, "make it with `--write-baseline FILE`")
        })?;
        let damaged = |why: String| {
            Failure::impossible(
                format!("the baseline `{path}` can't be read: {why}"),
                "make it anew with `--write-baseline FILE`",
            )
        };
        let baseline: Self =
            serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
        if baseline.schema != SCHEMA {
            return Err(damaged(format!("it is no `{SCHEMA}`")));
        }
        Ok(baseline)
    }

    /// Takes out what is known, as often as it is known; says how many are.
    pub(crate) fn settle(&self, findings: &mut Vec<Finding>, root: &Root) -> u64 {
        let mut left: BTreeMap<&Known, u32> = BTreeMap::new();
        for known in &self.findings {
            *left.entry(known).or_default() += 1;
        }
        let before = findings.len();
        findings.retain(|finding| match left.get_mut(&Known::of(finding, root)) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
        (before - findings.len()) as u64
    }
}
