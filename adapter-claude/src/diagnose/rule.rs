use std::collections::HashSet;

use memory_core::fs::Metadata;
use memory_core::{AbsPath, Code, Diagnostic, LayerKind, Omission, Outcome, Severity};

use super::pattern::{Oddity, oddity};
use super::tree;
use crate::context::Context;
use crate::instructions::load::{Documents, Item};
use crate::rules::Scope;
use crate::text::document::LostPaths;

/// How many patterns of one rule are looked at one by one.
const MAX_PATTERNS: usize = 64;

/// How much of a file is searched for the line of a key, in bytes.
const MAX_HEAD: u64 = 64 * 1024;

/// Keys by which other tools say when a rule loads, and what to write here.
const FOREIGN_KEYS: [(&str, &str); 3] = [
    ("globs", "write `paths` in the place of `globs`"),
    ("applyTo", "write `paths` in the place of `applyTo`"),
    ("alwaysApply", "drop the key, or say with `paths` for which files the rule is meant"),
];

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
        let mut here = Vec::new();
        here.extend(document.lost_paths.map(became_global));
        let scope = Scope::of(document.fields.as_ref());
        if matches!(scope, Scope::Always) {
            let foreign = FOREIGN_KEYS.iter().filter(|(key, _)| {
                document.fields.as_ref().is_some_and(|fields| fields.get(key).is_some())
            });
            told.extend(foreign.map(|(key, help)| {
                let message = format!(
                    "`{key}` is no key of Claude Code: this rule loads at every start, whatever it says"
                );
                let code = Code("claude/rule-foreign-key");
                let one = Diagnostic::new(code, Severity::Warning, message).help(*help);
                placed(one, path, line_of_key(context, path, key))
            }));
        }
        if let Scope::Files(patterns) = &scope {
            let base = item.rule_base(context);
            let list = patterns.written.get(..MAX_PATTERNS).unwrap_or(&patterns.written);
            let is_file = |path: &str| {
                let found = context.unrecorded.metadata(&base.join(path));
                found.as_ref().is_ok_and(Metadata::is_file)
            };
            here.extend(list.iter().enumerate().filter_map(|(at, written)| {
                Some(pattern(written, oddity(list, at, base.as_str(), is_file)?))
            }));
            if here.iter().all(|told| told.severity != Severity::Warning) {
                bound.push((path, base, patterns.list.clone()));
            }
        }
        if !here.is_empty() {
            let line = line_of_key(context, path, "paths");
            told.extend(here.into_iter().map(|one| placed(one, path, line)));
        }
    }
    for (path, base, list) in bound {
        let positive = list.iter().filter(|one| !one.starts_with('!'));
        let is_gone = |one: &String| {
            tree::is_there(context.unrecorded, &base, one).is_some_and(|is_there| !is_there)
        };
        if positive.clone().next().is_some() && positive.clone().all(is_gone) {
            let message = "nothing is there that this rule's `paths` could match";
            let one = Diagnostic::new(Code("claude/rule-matches-nothing"), Severity::Hint, message)
                .help(format!("patterns count from `{base}`; drop the rule if its files are gone"));
            told.push(placed(one, path, line_of_key(context, path, "paths")));
        }
    }
}

/// The line of a key of the frontmatter, counted from 1; `None` when it is not found.
fn line_of_key(context: &Context<'_>, path: &AbsPath, key: &str) -> Option<u32> {
    let head = context.unrecorded.read_up_to(path, MAX_HEAD).ok()?;
    let head = String::from_utf8_lossy(&head);
    let is_key = |line: &str| {
        [key.to_owned(), format!("\"{key}\""), format!("'{key}'")].iter().any(|key| {
            line.strip_prefix(key.as_str()).is_some_and(|rest| rest.trim_start().starts_with(':'))
        })
    };
    let at = head.lines().position(is_key)?;
    u32::try_from(at + 1).ok()
}

fn placed(told: Diagnostic, path: &AbsPath, line: Option<u32>) -> Diagnostic {
    let told = told.at(path);
    match line {
        Some(line) => told.on_line(line),
        None => told,
    }
}

fn became_global(lost: LostPaths) -> Diagnostic {
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
    Diagnostic::new(Code("claude/rule-became-global"), Severity::Warning, message).help(help)
}

fn pattern(written: &str, odd: Oddity) -> Diagnostic {
    match odd {
        Oddity::Never { why, help } => {
            let message = format!("`{written}` can never match: {why}");
            let code = Code("claude/pattern-never-matches");
            Diagnostic::new(code, Severity::Warning, message).help(help)
        }
        Oddity::TakesNothing { why, instead } => {
            let message = format!("`{written}` does nothing: {why}");
            let code = Code("claude/pattern-takes-nothing");
            Diagnostic::new(code, Severity::Warning, message).help(match instead {
                Some(instead) => format!("write `{instead}`"),
                None => "put a pattern in front of it that matches more files".to_owned(),
            })
        }
        Oddity::Floats => {
            let folder = written.trim_end_matches("/**");
            let message =
                format!("`{written}` matches below every folder `{folder}`, however deep");
            Diagnostic::new(Code("claude/pattern-floats"), Severity::Hint, message)
                .help(format!("write `/{written}` for the one at the top"))
        }
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use memory_core::{Env, World};

    use super::*;
    use crate::claude::{Claude, Query};

    fn told(rule: &str) -> Vec<(Option<u32>, String)> {
        let fs = MemFs::from_files([("/w/.claude/rules/r.md", rule), ("/w/src/a.ts", "")]);
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let query = Query::new(AbsPath::new("/w").unwrap());
        let found = Claude::default().resolve(World { fs: &fs, env: &env }, &query).unwrap();
        let foreign = found.chain.diagnostics.into_iter();
        let foreign = foreign.filter(|told| told.code.0 == "claude/rule-foreign-key");
        foreign.map(|told| (told.line, told.message + &told.help.unwrap_or_default())).collect()
    }

    #[test]
    fn keys_of_other_tools_are_told_with_their_line() {
        let globs = told("---\ndescription: d\nglobs: \"src/*.ts\"\n---\nx\n");
        assert_eq!((globs.len(), globs[0].0), (1, Some(3)));
        assert!(globs[0].1.contains("`paths` in the place of `globs`"), "{globs:?}");
        let always = told("---\nalwaysApply: false\n---\nx\n");
        assert_eq!((always.len(), always[0].0), (1, Some(2)));
    }

    #[test]
    fn a_rule_with_paths_of_its_own_is_left_alone() {
        assert_eq!(told("---\nglobs: a\npaths: \"src/*.ts\"\n---\nx\n"), []);
        assert_eq!(told("---\ndescription: d\n---\nx\n"), []);
    }
}
