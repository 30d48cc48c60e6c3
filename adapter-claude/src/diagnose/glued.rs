use std::collections::HashSet;

use memory_core::fs::Metadata;
use memory_core::{AbsPath, Code, Diagnostic, LayerKind, Severity};

use super::import::CLOSING;
use crate::context::Context;
use crate::instructions::load::{Documents, Item};
use crate::text::frontmatter::is_space;
use crate::text::{import, mention};

/// How much of a file is searched, in bytes.
const MAX_LEN: u64 = 1024 * 1024;

/// How long a path may be, in characters.
const MAX_PATH: usize = 256;

/// How many files are looked for in all.
const MAX_LOOKS: usize = 500;

/// An `@` before a file's name that imports nothing because no white space stands before it.
pub(super) fn diagnose(
    context: &Context<'_>,
    documents: &Documents,
    items: &[Item],
    told: &mut Vec<Diagnostic>,
) {
    let mut looks = 0;
    for item in items.iter().filter(|item| item.is_loaded()) {
        let Some(path) = item.layer.provenance.path.as_ref() else { continue };
        if item.layer.kind == LayerKind::ManagedText {
            continue;
        }
        // It loaded: the answer depends on this path already.
        let Ok(real) = context.world.fs.canonicalize(path) else { continue };
        let document = documents.get(context, &real);
        let Ok(document) = document.as_ref() else { continue };
        if !document.text.contains('@') {
            continue;
        }
        let Ok(bytes) = context.unrecorded.read_up_to(&real, MAX_LEN) else { continue };
        let base = real.parent().unwrap_or_else(AbsPath::root);
        let target = |written: &str| import::target(written, &base, &context.layout.home);
        let imported: HashSet<AbsPath> =
            document.imports.iter().map(|one| target(&one.path)).collect();
        for (at, before, written) in glued(&String::from_utf8_lossy(&bytes)) {
            looks += 1;
            if looks > MAX_LOOKS {
                return;
            }
            let meant = written.trim_end_matches(CLOSING);
            let file = target(meant);
            if meant.is_empty() || imported.contains(&file) {
                continue;
            }
            if context.unrecorded.metadata(&file).as_ref().is_ok_and(Metadata::is_file) {
                let message = format!("`{before}` before the `@` makes this no import of `{file}`");
                let line = u32::try_from(at).unwrap_or(u32::MAX);
                let code = Code("claude/import-glued");
                let help = "put a blank before the `@`, and one after the path";
                let one = Diagnostic::new(code, Severity::Hint, message);
                told.push(one.at(path).on_line(line).help(help));
            }
        }
    }
}

/// Each `@` outside code with something other than white space before it: its
/// line, counted from 1, the character before it and the path after it.
fn glued(text: &str) -> Vec<(usize, char, String)> {
    let mut found = Vec::new();
    let mut in_fence = false;
    for (at, line) in text.lines().enumerate() {
        if ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence)) {
            in_fence = !in_fence;
        }
        if in_fence || found.len() > MAX_LOOKS {
            continue;
        }
        let mut before = None;
        let mut in_code = false;
        for (byte, c) in line.char_indices() {
            if c == '`' {
                in_code = !in_code;
            }
            let glue =
                before.filter(|before: &char| !is_space(*before) && !"*_`\\".contains(*before));
            if let (Some(glue), '@', false) = (glue, c, in_code) {
                let rest = line.get(byte..).unwrap_or_default().chars();
                let word: String = rest.take(MAX_PATH).take_while(|c| !is_space(*c)).collect();
                let named = mention::mentions(&word, 0).into_iter().next();
                found.extend(named.map(|named| (at + 1, glue, named.path)));
            }
            before = Some(c);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_an_at_keeps_it_from_being_an_import() {
        let text = "(@b.md)\n@a.md `x@c.md`\n```\n(@c.md)\n```\n日本語@d.md *@e.md*";
        let paths = glued(text);
        assert_eq!(paths, [(1, '(', "b.md)".to_owned()), (6, '語', "d.md".to_owned())]);
    }
}
