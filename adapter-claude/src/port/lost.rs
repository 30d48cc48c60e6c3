//! Losses, in one breath.

use memory_core::{AbsPath, Loss, LossKind};

/// A loss of a whole file.
pub(super) fn lost(
    what: impl Into<String>,
    path: &AbsPath,
    how: LossKind,
    message: impl Into<String>,
) -> Loss {
    Loss {
        what: what.into(),
        path: path.clone(),
        line: None,
        how,
        kept_in: None,
        message: message.into(),
    }
}

/// The line, counted from 1, in which a byte of a text stands.
pub(super) fn line_at(text: &str, at: usize) -> u32 {
    let above = text.get(..at).unwrap_or(text).matches('\n').count();
    u32::try_from(above + 1).unwrap_or(u32::MAX)
}
