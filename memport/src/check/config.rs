//! `memport.toml`: what a team wants to hear, and what fails.

use std::collections::BTreeMap;

use memory_core::fs::Fs;
use memory_core::{AbsPath, Severity};
use serde::Deserialize;

use super::finding::{Finding, Root};
use crate::failure::Failure;

/// The name of the file at the root.
const NAME: &str = "memport.toml";

/// What the file says.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Config {
    /// The least severity that fails.
    pub(crate) fail_on: Option<Level>,
    levels: BTreeMap<String, Level>,
    ignore: Vec<Ignore>,
    pub(crate) limits: Limits,
    pub(crate) words: Words,
}

/// A severity, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// The client does not start, or loads nothing; a secret
    Error,
    /// Something is lost, wrong or surprising
    Warning,
    /// Something to know
    Hint,
    /// Nothing
    #[serde(alias = "off")]
    Never,
}

impl Level {
    pub(crate) fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Hint => Some(Severity::Hint),
            Self::Never => None,
        }
    }
}

/// Findings that nobody wants to hear, and why.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ignore {
    code: Option<String>,
    path: Option<String>,
    reason: Option<String>,
}

/// Thresholds of one's own.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Limits {
    /// Most characters of an entry.
    pub(crate) entry_chars: usize,
    /// Most characters of an index line.
    pub(crate) index_chars: usize,
    /// Most active entries of a memory.
    pub(crate) entries: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entry_chars: memory_audit::MOST_CHARS,
            index_chars: memory_audit::MOST_INDEX_CHARS,
            entries: 40,
        }
    }
}

/// Words of one's own.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Words {
    /// Further words that tell the state of work.
    pub(crate) progress: Vec<String>,
}

impl Config {
    /// Reads the file at the root, or the one that is named; without one,
    /// everything is as usual.
    pub(crate) fn read(
        fs: &dyn Fs,
        root: &AbsPath,
        named: Option<&AbsPath>,
    ) -> Result<Self, Failure> {
        let path = named.cloned().unwrap_or_else(|| root.join(NAME));
        let bytes = match fs.read_up_to(&path, 1 << 20) {
            Ok(bytes) => bytes,
            Err(error) if error.is_absence() && named.is_none() => return Ok(Self::default()),
            Err(error) => {
                return Err(Failure::at("configuration", &path, error, "check the spelling"));
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let config: Self = toml::from_str(&text).map_err(|error| {
            let line = error.span().map_or(1, |span| {
                text.get(..span.start).unwrap_or_default().lines().count().max(1)
            });
            let message = error.message().lines().next().unwrap_or_default().to_owned();
            Failure::usage(
                format!("`{path}`, line {line}: {message}"),
                "see `memport help check` for its form",
            )
        })?;
        for ignore in &config.ignore {
            if ignore.reason.as_deref().is_none_or(|reason| reason.trim().is_empty()) {
                let what =
                    ignore.code.as_deref().or(ignore.path.as_deref()).unwrap_or("everything");
                return Err(Failure::usage(
                    format!("`{path}` ignores `{what}` without a reason"),
                    "add `reason = \"…\"`: in a year nobody knows why it is silent",
                ));
            }
            if let Some(pattern) = &ignore.path {
                glob::Pattern::new(pattern).map_err(|error| {
                    Failure::usage(
                        format!("`{path}` has the pattern `{pattern}`: {error}"),
                        "see `memport help check` for its form",
                    )
                })?;
            }
        }
        Ok(config)
    }

    /// Gives the findings the levels that are wanted and takes out what is
    /// ignored; says how many are.
    pub(crate) fn settle(&self, findings: &mut Vec<Finding>, root: &Root) -> u64 {
        let patterns: Vec<_> = self
            .ignore
            .iter()
            .map(|ignore| {
                (ignore, ignore.path.as_ref().and_then(|path| glob::Pattern::new(path).ok()))
            })
            .collect();
        let mut ignored = 0;
        findings.retain_mut(|finding| {
            if let Some(level) = self.levels.get(&finding.code) {
                let Some(severity) = level.severity() else { return false };
                finding.severity = severity;
            }
            let path = root.said(finding.path.as_ref());
            let is_ignored = patterns.iter().any(|(ignore, pattern)| {
                ignore.code.as_ref().is_none_or(|code| *code == finding.code)
                    && pattern.as_ref().is_none_or(|pattern| pattern.matches(&path))
            });
            ignored += u64::from(is_ignored);
            !is_ignored
        });
        ignored
    }
}
