//! Rules that are bound to paths.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use memory_core::AbsPath;
use memory_core::fs::Content;
use memory_core::model::PathPatterns;
use memory_core::port::{Loss, LossKind, Target};

use super::Lowering;
use super::place::{Home, Place, widened};
use super::slug::{slug, unique};
use super::texts::{Piece, read_otherwise};

/// The names of each folder of rules that are taken.
pub(super) type Names = HashMap<AbsPath, HashSet<String>>;

/// Places a rule as a file of its own.
pub(super) fn lower(
    lowering: &mut Lowering<'_>,
    piece: &Piece<'_>,
    patterns: &PathPatterns,
    place: Place,
    names: &mut Names,
) {
    let ground = lowering.ground;
    let path = &piece.file.path;
    let mut losses = place.losses;
    let person = ground.context.layout.config.join("rules");
    let (folder, base) = match place.home {
        Home::Shared(dir) => (dir.join(".claude/rules"), Some(dir)),
        Home::Private(dir) => {
            losses.push(widened(&piece.what, path, &dir));
            (person, None)
        }
        Home::Person => (person, None),
    };
    let below = |base: &AbsPath| {
        let folder = ground.real_name(patterns.folder.as_ref()?);
        folder.strip_prefix(base).map(str::to_owned)
    };
    // Patterns of the person's own rules count from wherever a session starts.
    let list = match base.as_ref().and_then(below) {
        Some(below) if below.is_empty() => vec!["**/*".to_owned()],
        // Braces and commas have a meaning that no backslash takes away.
        Some(below) if !below.contains(['{', '}', ',']) => vec![format!("/{}/**", escaped(&below))],
        _ => {
            let why = "its patterns are read as those of a `.gitignore`; look whether they match what they should";
            losses.push(Loss::new(&piece.what, path, LossKind::Approximated, why));
            patterns.patterns.clone()
        }
    };
    let stem = path.file_name().unwrap_or_default();
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let name = unique(&slug(stem, "rule"), names.entry(folder.clone()).or_default());
    let file = folder.join(format!("{name}.md"));
    losses.extend(read_otherwise(ground, piece, &file));
    lowering.lowered.lose(losses, Some(&file));
    let mut text = "---\npaths:\n".to_owned();
    for pattern in &list {
        let _ = writeln!(text, "  - {}", quoted(pattern));
    }
    text.push_str("---\n\n");
    text.push_str(piece.text.trim_start_matches('\n'));
    if !text.ends_with('\n') {
        text.push('\n');
    }
    lowering
        .lowered
        .put(vec![piece.file.clone()], Target::Whole { path: file, content: Content::file(text) });
}

/// A name that is no pattern.
fn escaped(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}

/// A text as a YAML value that holds no fence.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    // Three dashes anywhere end the frontmatter for the client.
    quoted.replace("---", "\\x2d\\x2d\\x2d")
}
