//! Reading a file once: what is kept and how large the whole is.

use std::ops::ControlFlow;

use memory_core::fs::{Fs, IoError};
use memory_core::{AbsPath, FileSize, Meter};

/// Bytes of one file that are read at most, whatever a tool would do.
///
/// A larger file is kept only as far as its budget allows, and its size is told
/// in bytes alone.
pub const READ_LIMIT: u64 = 64 * 1024 * 1024;

/// The beginning of a file and the size of all of it.
pub(crate) struct Head {
    pub(crate) kept: Vec<u8>,
    pub(crate) size: FileSize,
}

/// Reads the first `limit` bytes of a file and measures the rest on the way.
pub(crate) fn head(fs: &dyn Fs, path: &AbsPath, len: u64, limit: u64) -> Result<Head, IoError> {
    let limit = usize::try_from(limit.min(READ_LIMIT)).unwrap_or(usize::MAX);
    let measured = len <= READ_LIMIT;
    let mut kept = Vec::new();
    let mut meter = Meter::default();
    fs.read_pieces(path, &mut |piece| {
        let room = limit - kept.len();
        kept.extend_from_slice(piece.get(..room.min(piece.len())).unwrap_or_default());
        if measured {
            meter.add(piece);
        }
        if measured || kept.len() < limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    let text = measured.then(|| meter.finish());
    let bytes = text.map_or(len, |size| size.bytes);
    Ok(Head { kept, size: FileSize { bytes, text } })
}
