use std::collections::{HashMap, HashSet};

use memory_core::{AbsPath, Code, Diagnostic, LayerKind, Omission, Outcome, Severity};

use super::pattern::{Oddity, oddity};
use super::tree;
use crate::context::Context;
use crate::document::LostPaths;
use crate::load::{Documents, Item};
use crate::rule::{Names, Scope};

/// How often a pattern is tried on a file before the search is given up.
const MAX_TRIES: usize = 20_000;

/// Rules that do not do what they seem to.
pub(super) fn diagnose(
    context: &Context<'_>,
    documents: &Documents,
    items: &[Item],
    told: &mut Vec<Diagnostic>,
) {
    let mut bound = Vec::new();
    let mut seen = HashSet::new();
    for item in items.iter().filter(|item| item.layer.kind == LayerKind::Rule) {
        let Some(path) = item.layer.provenance.path.as_ref() else { continue };
        let counts = matches!(
            item.layer.outcome,
            Outcome::Loaded(_) | Outcome::Omitted { reason: Omission::PathsDoNotMatch(_), .. }
        );
        if !counts || !seen.insert(path) {
            continue;
        }
        let document = documents.get(context, path);
        let Ok(document) = document.as_ref() else { continue };
        if let Some(lost) = document.lost_paths {
            told.push(became_global(path, lost));
        }
        if let Scope::Files(patterns) = Scope::of(document.fields.as_ref()) {
            let base = item.rule_base(context);
            let odd = patterns
                .written
                .iter()
                .filter_map(|written| oddity(written, base.as_str()).map(|odd| (written, odd)));
            let before = told.len();
            told.extend(odd.map(|(written, odd)| pattern(path, written, &odd)));
            let never = told.iter().skip(before).any(|told| told.severity == Severity::Warning);
            if !never {
                bound.push((path, base, patterns.globs()));
            }
        }
    }
    if bound.is_empty() {
        return;
    }
    let Some(files) = tree::files(context.unrecorded, &context.layout.cwd) else { return };
    let mut tries = 0;
    let mut names: HashMap<AbsPath, Vec<Names>> = HashMap::new();
    for (path, base, globs) in bound {
        let below = names.entry(base.clone()).or_insert_with(|| {
            files.iter().filter_map(|file| file.strip_prefix(&base)).map(Names::of).collect()
        });
        let matches = below.iter().any(|names| {
            tries += 1;
            tries > MAX_TRIES || globs.matches_names(names)
        });
        if tries > MAX_TRIES {
            return;
        }
        if !matches {
            let message = "no file below the start folder matches this rule's `paths`";
            told.push(
                Diagnostic::new(Code("claude/rule-matches-nothing"), Severity::Hint, message)
                    .at(path),
            );
        }
    }
}

fn became_global(path: &AbsPath, lost: LostPaths) -> Diagnostic {
    let (why, help) = match lost {
        LostPaths::EarlyEnd => (
            "a `---` in the middle of a line ends the frontmatter",
            "write the value without `---`",
        ),
        LostPaths::ListItem => {
            ("a list item that begins with `*` or `{` is no YAML", "put each pattern in quotes")
        }
        LostPaths::LineEnds => (
            "the unquoted pattern cannot be repaired in a file with CRLF line ends",
            "put the pattern in quotes, or save the file with LF line ends",
        ),
        LostPaths::Unreadable => ("the frontmatter is no YAML", "put the values in quotes"),
    };
    let message = format!("this rule applies everywhere, its `paths` are lost: {why}");
    Diagnostic::new(Code("claude/rule-became-global"), Severity::Warning, message)
        .at(path)
        .help(help)
}

fn pattern(path: &AbsPath, written: &str, odd: &Oddity) -> Diagnostic {
    match odd {
        Oddity::Never(why) => Diagnostic::new(
            Code("claude/pattern-never-matches"),
            Severity::Warning,
            format!("`{written}` can never match: {why}"),
        )
        .at(path),
        Oddity::Floats => {
            let folder = written.trim_end_matches("/**");
            Diagnostic::new(
                Code("claude/pattern-floats"),
                Severity::Hint,
                format!("`{written}` matches below every folder `{folder}`, however deep"),
            )
            .at(path)
            .help(format!("write `/{written}` for the one at the top"))
        }
    }
}
