//! The `key: value` lines above the text that the client's code writes.

use memory_core::doc::{Source, Span};

use super::line::Line;

/// Lines with other keys, at most.
const MAX_OTHER: usize = 64;

/// The `key: value` lines above a thread's text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadHeader {
    /// The thread.
    pub thread_id: Option<String>,
    /// When it last changed, as written.
    pub updated_at: Option<String>,
    /// Its transcript.
    pub rollout_path: Option<String>,
    /// The folder it worked in.
    pub cwd: Option<String>,
    /// Its branch; an empty text is not the same as none.
    pub git_branch: Option<String>,
    /// The name of its rollout summary, without a folder.
    pub rollout_summary_file: Option<String>,
    /// Lines with other keys: key and value.
    pub other: Vec<(String, String)>,
}

impl ThreadHeader {
    /// Adds a line; whether it is one of a header.
    pub(crate) fn add(&mut self, line: &Line<'_>) -> bool {
        let Some((key, value)) = key_and_value(&line.text) else { return false };
        let slot = match key {
            "thread_id" => &mut self.thread_id,
            "updated_at" => &mut self.updated_at,
            "rollout_path" => &mut self.rollout_path,
            "cwd" => &mut self.cwd,
            "git_branch" => &mut self.git_branch,
            "rollout_summary_file" => &mut self.rollout_summary_file,
            _ if self.other.len() == MAX_OTHER => return false,
            _ => {
                self.other.push((key.to_owned(), value.to_owned()));
                return true;
            }
        };
        *slot = Some(value.to_owned());
        true
    }

    /// Whether a line is one that the client writes into a header.
    pub(crate) fn knows(line: &Line<'_>) -> bool {
        let known = [
            "thread_id",
            "updated_at",
            "rollout_path",
            "cwd",
            "git_branch",
            "rollout_summary_file",
        ];
        key_and_value(&line.text).is_some_and(|(key, _)| known.contains(&key))
    }
}

fn key_and_value(text: &str) -> Option<(&str, &str)> {
    let (key, value) = text.split_once(':')?;
    let is_key =
        !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    let value = value.strip_prefix(' ').or_else(|| value.is_empty().then_some(value))?;
    is_key.then_some((key, value))
}

/// A span without the blank lines at its ends.
pub(crate) fn without_blank_ends(source: &Source, span: Span) -> Span {
    let bytes = source.slice(span);
    let start = span.start + (bytes.len() - bytes.trim_ascii_start().len());
    let end = start + bytes.trim_ascii().len();
    Span::new(start..end)
}
