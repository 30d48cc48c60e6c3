//! Words that other clients take for an import.

use memory_core::doc::{FenceLine, Fences};
use memory_core::{AbsPath, Code, Diagnostic, Layer, Loaded, Severity, World};

use crate::instructions::Chains;

/// Bytes of one file that are searched.
const MAX_SEARCHED: usize = 1 << 20;
/// Words of one file that are looked up.
const MAX_LOOKUPS: usize = 20;

/// Words such as `@docs/style.md` that name a file: Codex gives the model the
/// word, not the file. A word that names none, a person or a package, is none.
pub(super) fn mentions(world: World<'_>, chains: &Chains, cwd: &AbsPath) -> Vec<Diagnostic> {
    let files = chains.global.loaded().chain(chains.project.loaded());
    files.flat_map(|(layer, loaded)| of_file(world, layer, loaded, cwd)).collect()
}

fn of_file(world: World<'_>, layer: &Layer, loaded: &Loaded, cwd: &AbsPath) -> Vec<Diagnostic> {
    let Some(path) = layer.provenance.path.as_ref().filter(|_| loaded.text.contains('@')) else {
        return Vec::new();
    };
    // The person's own text is trimmed before it is sent; lines count in the file.
    let bytes = world.fs.read_up_to(path, MAX_SEARCHED as u64).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let folder = path.parent().unwrap_or_else(AbsPath::root);
    let mut fences = Fences::default();
    let mut found = Vec::new();
    let mut lookups = 0;
    for (line, number) in text.split_inclusive('\n').zip(1_u32..) {
        if fences.next(line) != FenceLine::Text {
            continue;
        }
        for word in words(line) {
            if lookups == MAX_LOOKUPS {
                return found;
            }
            lookups += 1;
            if exists(world, &folder, cwd, word) {
                let message = format!(
                    "`@{word}` is plain text to Codex: the model gets the word, not the file"
                );
                let help = format!(
                    "copy the text of `{word}` into this file, or say when the model should read it"
                );
                let code = Code("codex/import-is-text");
                let hint = Diagnostic::new(code, Severity::Hint, message);
                found.push(hint.at(path).on_line(number).help(help));
            }
        }
    }
    found
}

/// The words of a line that follow an at sign and may be paths; what stands in
/// back quotes is none.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let outside = line.split('`').step_by(2);
    let words = outside.flat_map(str::split_whitespace);
    let words = words.filter_map(|word| word.trim_start_matches(['(', '[', '"']).strip_prefix('@'));
    let end = [')', ']', '"', ',', '.', ';', ':', '!', '?', '。', '、'];
    words.map(move |word| word.trim_end_matches(end)).filter(|word| word.contains(['/', '.']))
}

fn exists(world: World<'_>, folder: &AbsPath, cwd: &AbsPath, name: &str) -> bool {
    let is_file = |path: AbsPath| world.fs.metadata(&path).is_ok_and(|found| found.is_file());
    match (name.strip_prefix("~/"), &world.env.home) {
        (Some(rest), Some(home)) => is_file(home.join(rest)),
        (Some(_), None) => false,
        (None, _) => is_file(folder.join(name)) || (folder != cwd && is_file(cwd.join(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_that_may_be_paths_are_looked_up() {
        let found = |line| words(line).collect::<Vec<_>>();
        assert_eq!(found("@docs/style.md"), ["docs/style.md"]);
        assert_eq!(found("See (@a/b.md), then @~/x.md."), ["a/b.md", "~/x.md"]);
        assert_eq!(found("annotate with @Entity, mail me@x.org, `@docs/a.md`"), [""; 0]);
        assert_eq!(found("ask @org/team。"), ["org/team"]);
    }
}
