//! Reading a file once: what is kept and how large the whole is.

use std::ops::ControlFlow;

use memory_core::fs::{Fs, IoError, MAX_READ};
use memory_core::{AbsPath, FileSize, Meter};

/// The beginning of a file and the size of all of it.
pub(crate) struct Head {
    pub(crate) kept: Vec<u8>,
    pub(crate) size: FileSize,
}

/// Reads the first `limit` bytes of a file and measures the rest on the way.
pub(crate) fn head(fs: &dyn Fs, path: &AbsPath, len: u64, limit: u64) -> Result<Head, IoError> {
    let limit = usize::try_from(limit.min(MAX_READ)).unwrap_or(usize::MAX);
    let measured = len <= MAX_READ;
    // Room for all at once: growing step by step holds a large file twice.
    let room = usize::try_from(len).unwrap_or(usize::MAX).min(limit);
    let mut kept = Vec::with_capacity(room);
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
