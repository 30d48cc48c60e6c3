//! Where a project begins.

use memory_core::fs::IoErrorKind;
use memory_core::{AbsPath, World};

/// What a marker counts as that can be neither found nor denied, for example
/// because its links go round in a circle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkerErrors {
    /// It is not there.
    Absent,
    /// It is there.
    Present,
}

/// The nearest folder, from `start` upwards, that holds one of the markers.
///
/// `None` when no folder does, and when there are no markers. Whether a marker
/// is a file or a folder does not matter; a link that leads nowhere is none.
pub fn find_root(
    world: World<'_>,
    markers: &[String],
    start: &AbsPath,
    errors: MarkerErrors,
) -> Option<AbsPath> {
    start.ancestors().find(|dir| {
        markers.iter().any(|marker| match world.fs.metadata(&dir.join(marker)) {
            Ok(_) => true,
            Err(error) => error.kind != IoErrorKind::NotFound && errors == MarkerErrors::Present,
        })
    })
}
