//! Fingerprints of bytes.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// What a digest begins with.
const PREFIX: &str = "sha256:";

/// The SHA-256 fingerprint of some bytes.
///
/// ```
/// use memory_core::Digest;
///
/// let digest = Digest::of(b"abc");
/// assert!(digest.to_string().starts_with("sha256:ba7816bf"));
/// assert_eq!(digest.to_string().parse(), Ok(digest));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The fingerprint of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }
}

/// Takes the fingerprint of bytes that come piece by piece.
#[derive(Default)]
pub(crate) struct DigestOfPieces(Sha256);

impl DigestOfPieces {
    pub(crate) fn piece(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// A piece of its own, with its length in bytes before it.
    pub(crate) fn part(&mut self, bytes: &[u8]) {
        self.piece(&(bytes.len() as u64).to_le_bytes());
        self.piece(bytes);
    }

    pub(crate) fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl fmt::Display for Digest {
    /// Writes `sha256:` and 64 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        f.write_str(PREFIX)?;
        f.write_str(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

/// The hexadecimal digit of a number below 16.
fn digit(number: u8) -> u8 {
    if number < 10 { b'0' + number } else { b'a' + number - 10 }
}

impl FromStr for Digest {
    type Err = NotADigest;

    fn from_str(text: &str) -> Result<Self, NotADigest> {
        let digits = text.strip_prefix(PREFIX).ok_or(NotADigest)?;
        let mut bytes = [0; 32];
        if digits.len() != 64 || !digits.is_ascii() {
            return Err(NotADigest);
        }
        for (number, byte) in bytes.iter_mut().enumerate() {
            let pair = digits.get(number * 2..number * 2 + 2).ok_or(NotADigest)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| NotADigest)?;
        }
        Ok(Self(bytes))
    }
}

/// A text that is no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest is `sha256:` and 64 hexadecimal digits")]
pub struct NotADigest;
