//! What is told of one file, without telling the same a million times.

use memory_core::{AbsPath, Code, Diagnostic, Quirk, Severity};

/// How many diagnostics one file gets.
const MOST: usize = 50;

/// The diagnostics of one file.
pub(super) struct Told {
    path: AbsPath,
    diagnostics: Vec<Diagnostic>,
    untold: usize,
}

impl Told {
    pub(super) fn new(path: &AbsPath) -> Self {
        Self { path: path.clone(), diagnostics: Vec::new(), untold: 0 }
    }

    /// Adds one about a line, or about the whole file, with the oddity behind it.
    pub(super) fn add(
        &mut self,
        code: &'static str,
        line: Option<u32>,
        quirk: Option<&Quirk>,
        what: impl Into<String>,
    ) {
        if self.diagnostics.len() == MOST {
            self.untold += 1;
            return;
        }
        let mut diagnostic = Diagnostic::new(Code(code), Severity::Hint, what).at(&self.path);
        diagnostic.line = line;
        diagnostic.help = quirk.map(|quirk| format!("see {}", quirk.id));
        self.diagnostics.push(diagnostic);
    }

    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        if self.untold > 0 {
            let message = format!("{} more of the same kind are not listed", self.untold);
            let code = Code("codex/memory-more-diagnostics");
            self.diagnostics.push(Diagnostic::new(code, Severity::Hint, message).at(&self.path));
        }
        self.diagnostics
    }
}
