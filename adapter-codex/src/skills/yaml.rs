//! YAML with bounds: nothing reaches the YAML library that could stall it.

use memory_core::counted;
use serde::de::DeserializeOwned;

/// Bytes that are read as YAML at most.
pub(super) const MAX_BYTES: usize = 1 << 20;
/// Brackets that may be open at once: the library's time grows with their number.
pub(super) const MAX_OPEN: usize = 64;

/// Why a text has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Error {
    /// More than [`MAX_BYTES`].
    TooLarge,
    /// Too many brackets open at once.
    TooDeep,
    /// It is not the YAML that was expected.
    Invalid {
        /// The library's words, which are the client's too.
        why: String,
        /// The line, counted from 1, where it is known.
        line: Option<usize>,
    },
}

impl Error {
    /// One clause for people.
    pub(super) fn why(&self) -> String {
        match self {
            Self::TooLarge => {
                format!("more than {} are not read here", counted(MAX_BYTES as u64, "byte"))
            }
            Self::TooDeep => {
                format!("more than {MAX_OPEN} brackets open at once are not read here")
            }
            Self::Invalid { why, .. } => why.clone(),
        }
    }
}

/// Reads a text as YAML.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    if text.len() > MAX_BYTES {
        return Err(Error::TooLarge);
    }
    if most_open(text) > MAX_OPEN {
        return Err(Error::TooDeep);
    }
    serde_yaml::from_str(text).map_err(|error| Error::Invalid {
        line: error.location().map(|place| place.line()),
        why: error.to_string(),
    })
}

/// Whether the text is YAML at all.
pub(super) fn is_yaml(text: &str) -> bool {
    read::<serde_yaml::Value>(text).is_ok()
}

/// How many brackets are open at once, most of the quoted ones counted too.
fn most_open(text: &str) -> usize {
    let (mut open, mut most, mut any) = (0_usize, 0, false);
    for line in text.lines().filter(|line| line.contains(['[', '{', ']', '}'])) {
        // Before the first bracket a value in single quotes is surely only text.
        if !any && is_quoted_value(line) {
            continue;
        }
        any = true;
        for byte in line.bytes() {
            match byte {
                b'[' | b'{' => open += 1,
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            most = most.max(open);
        }
    }
    most
}

/// Whether the line is a plain key with a value in single quotes.
fn is_quoted_value(line: &str) -> bool {
    let Some((key, value)) = line.split_once(": ") else { return false };
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let inner = value.trim().strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
    key.chars().all(is_plain)
        && inner
            .is_some_and(|inner| !inner.contains('"') && !inner.replace("''", "").contains('\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_turned_away_before_it_is_read() {
        assert_eq!(read::<serde_yaml::Value>(&"[".repeat(100_000)), Err(Error::TooDeep));
        assert_eq!(read::<serde_yaml::Value>(&"x".repeat(MAX_BYTES + 1)), Err(Error::TooLarge));
        assert!(read::<serde_yaml::Value>(&format!("a: '{}'", "[".repeat(1_000))).is_ok());
        assert!(is_yaml("a: [1, {b: c}]"));
        assert!(!is_yaml("[x text"));
    }
}
