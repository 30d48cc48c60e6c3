//! A stable picture of a chain for snapshot tests.

use std::fmt;

use crate::chain::{InstructionChain, Outcome, Via};
use crate::path::AbsPath;

/// A stable picture of a chain: made for snapshot tests.
///
/// One line a piece, in order; paths below a redacted folder show its name, so
/// that the picture is the same on every machine. Texts are shown only on
/// request.
///
/// ```
/// use memory_core::{AbsPath, InstructionChain, Snapshot};
///
/// let chain = InstructionChain::default();
/// let picture = Snapshot::new(&chain).redact(&AbsPath::new("/tmp/x1")?, "<repo>").to_string();
/// assert_eq!(picture, "(nothing is loaded)\n");
/// # Ok::<(), memory_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    chain: &'a InstructionChain,
    redactions: Vec<(AbsPath, String)>,
    texts: bool,
}

impl<'a> Snapshot<'a> {
    /// A picture of this chain.
    pub fn new(chain: &'a InstructionChain) -> Self {
        Self { chain, redactions: Vec::new(), texts: false }
    }

    /// Shows `folder` as `name`, for example `<repo>`; the longest folder that fits wins.
    #[must_use]
    pub fn redact(mut self, folder: &AbsPath, name: impl Into<String>) -> Self {
        self.redactions.push((folder.clone(), name.into()));
        self.redactions.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.as_str().len()));
        self
    }

    /// Shows the loaded texts too.
    #[must_use]
    pub fn with_texts(mut self) -> Self {
        self.texts = true;
        self
    }

    fn path(&self, path: Option<&AbsPath>) -> String {
        let Some(path) = path else { return "(no file)".to_owned() };
        for (folder, name) in &self.redactions {
            match path.strip_prefix(folder) {
                Some("") => return name.clone(),
                Some(rest) => return format!("{name}/{rest}"),
                None => {}
            }
        }
        path.to_string()
    }

    fn prose(&self, text: &str) -> String {
        self.redactions
            .iter()
            .fold(text.to_owned(), |text, (folder, name)| text.replace(folder.as_str(), name))
    }
}

impl fmt::Display for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.chain.layers.is_empty() {
            return f.write_str("(nothing is loaded)\n");
        }
        let mut number = 0;
        for layer in &self.chain.layers {
            let path = self.path(layer.provenance.path.as_ref());
            let scope = layer.provenance.scope.as_str();
            match &layer.outcome {
                Outcome::Loaded(loaded) => {
                    number += 1;
                    write!(f, "{number}. {scope} {path}")?;
                    match &layer.provenance.via {
                        Via::Discovered | Via::Setting { .. } => {}
                        Via::Fallback => f.write_str(" (fallback)")?,
                        Via::Imported { from, line } => {
                            write!(f, " (imported by {}:{line})", self.path(Some(from)))?;
                        }
                        Via::Nested { touched } => {
                            write!(f, " (on touch of {})", self.path(Some(touched)))?;
                        }
                    }
                    if let Some(cut) = loaded.cut {
                        write!(f, " cut at line {}, {} bytes lost", cut.at_line, cut.lost_bytes)?;
                    }
                    f.write_str("\n")?;
                    if self.texts {
                        for line in loaded.text.lines() {
                            writeln!(f, "   | {line}")?;
                        }
                    }
                }
                Outcome::Omitted { reason, .. } => {
                    let reason_text = self.prose(&reason.to_string());
                    writeln!(f, "-  {scope} {path} [{}] {reason_text}", reason.code())?;
                }
            }
        }
        for diagnostic in &self.chain.diagnostics {
            let severity = diagnostic.severity.as_str();
            writeln!(f, "{severity}[{}] {}", diagnostic.code, self.prose(&diagnostic.message))?;
        }
        Ok(())
    }
}
