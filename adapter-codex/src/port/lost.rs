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
