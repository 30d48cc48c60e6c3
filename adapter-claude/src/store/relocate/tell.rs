//! What is worth telling about a move.

use memory_core::{AbsPath, Code, Diagnostic, Severity};

fn warning(code: &'static str, message: String) -> Diagnostic {
    Diagnostic::new(Code(code), Severity::Warning, message)
}

pub(super) fn new_is_missing(new: &AbsPath) -> Diagnostic {
    let message = format!("the new place `{new}` is not there");
    warning("claude/relocate-new-missing", message)
        .at(new)
        .help("move the project there, or check the spelling")
}

pub(super) fn old_is_there(old: &AbsPath) -> Diagnostic {
    let message = format!("the old place `{old}` is still there: its sessions lose their memory");
    warning("claude/relocate-old-there", message)
        .at(old)
        .help("move the project first; where both places shall be used, copy the memory instead")
}

pub(super) fn unusable(state: &AbsPath, why: &str) -> Diagnostic {
    let message = format!("the client's notes keep naming the old place: {why}");
    warning("claude/relocate-notes-unusable", message)
        .at(state)
        .help("mend the file and relocate again, or trust the project anew when the client asks")
}

pub(super) fn both_noted(state: &AbsPath, old: &AbsPath, new: &str) -> Diagnostic {
    let message = format!(
        "the client has notes on `{old}` and on `{new}`: those on the new place count, the old \
         ones stay unused"
    );
    warning("claude/relocate-both-noted", message)
        .at(state)
        .help("carry over by hand what you need of them, such as `mcpServers` or `allowedTools`")
}

pub(super) fn noted_twice(state: &AbsPath, old: &AbsPath) -> Diagnostic {
    let message = format!("`{old}` stands in the client's notes twice, and only the last counts");
    let told = Diagnostic::new(Code("claude/relocate-noted-twice"), Severity::Hint, message);
    told.at(state).help("both are renamed, so that the last still counts")
}

pub(super) fn shared(dir: &AbsPath, own: &AbsPath, other: &AbsPath) -> Diagnostic {
    let message = format!(
        "the folder also holds what was kept for `{other}`, which is gone; all of it moves with \
         `{own}`"
    );
    warning("claude/relocate-shared", message).at(dir).help("look over the memory afterwards")
}

/// Tells a folder that only its name ties to the project; `path` is where it
/// would belong, if that is known.
pub(super) fn guessed(
    dir: &AbsPath,
    old: &AbsPath,
    path: Option<&AbsPath>,
    new: &AbsPath,
) -> Diagnostic {
    let message = match path {
        Some(path) => format!(
            "this may belong to `{path}`, but other paths have the same name: it stays where it is"
        ),
        None => format!(
            "this may belong to a folder in `{old}`, but only its name says so: it stays where it is"
        ),
    };
    let below = path.and_then(|path| path.strip_prefix(old)).unwrap_or("FOLDER");
    let (from, to) = (old.join(below), new.join(below));
    let (from, to) = (quoted(&from.to_string()), quoted(&to.to_string()));
    warning("claude/relocate-guessed", message)
        .at(dir)
        .help(format!("if it does: memport relocate {from} {to}"))
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_odd_words_are_quoted() {
        assert_eq!(quoted("/w/日本-1"), "/w/日本-1");
        assert_eq!(quoted("/w/my proj"), "'/w/my proj'");
        assert_eq!(quoted("it's $x"), r"'it'\''s $x'");
    }
}
