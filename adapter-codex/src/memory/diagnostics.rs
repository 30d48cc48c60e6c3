//! The diagnostics of one file, without the same a million times.

use memory_core::{AbsPath, Code, Diagnostic, Quirk, Severity};

/// How many diagnostics one file gets.
const MAX_DIAGNOSTICS: usize = 50;

/// The diagnostics of one file.
pub(crate) struct FileDiagnostics {
    path: AbsPath,
    diagnostics: Vec<Diagnostic>,
    suppressed: usize,
}

impl FileDiagnostics {
    pub(crate) fn new(path: &AbsPath) -> Self {
        Self { path: path.clone(), diagnostics: Vec::new(), suppressed: 0 }
    }

    /// Adds one about a line, or about the whole file, with the oddity behind it.
    pub(crate) fn add(
        &mut self,
        code: &'static str,
        line: Option<u32>,
        quirk: Option<&Quirk>,
        what: impl Into<String>,
    ) {
        if self.diagnostics.len() == MAX_DIAGNOSTICS {
            self.suppressed += 1;
            return;
        }
        let mut diagnostic = Diagnostic::new(Code(code), Severity::Hint, what).at(&self.path);
        diagnostic.line = line;
        diagnostic.help = quirk.map(|quirk| format!("see {}", quirk.id));
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if self.suppressed > 0 {
            let message = format!("{} more of the same kind are not listed", self.suppressed);
            let code = Code("codex/memory-more-diagnostics");
            self.diagnostics.push(Diagnostic::new(code, Severity::Hint, message).at(&self.path));
        }
        self.diagnostics
    }
}
