//! Pointers that lead nowhere, or out of the folder.

use std::collections::HashSet;

use memory_core::{AbsPath, Code, Diagnostic, Severity};

use crate::store::link::{self, local_file, percent_decoded};
use crate::store::{IndexFile, Store};

/// Tells lines of the index that lead out of the folder, and `[[names]]` that
/// nothing here has. The client itself follows neither: it hands the model the
/// text, and the model reads what it can find.
pub(super) fn check(store: &Store, told: &mut Vec<Diagnostic>) {
    let names = Names::of(store);
    if let Some(index) = &store.index {
        outside(&store.place.root, index, told);
        for line in index.lines.iter().filter(|line| line.is_visible()) {
            for target in link::wikis_in_line(&index.text(line)) {
                told.extend(names.missing(&index.path, line.number, &target));
            }
        }
    }
    for topic in &store.topics {
        for (line, target) in topic.wikis() {
            told.extend(names.missing(&topic.path, line, &target));
        }
    }
}

fn outside(root: &AbsPath, index: &IndexFile, told: &mut Vec<Diagnostic>) {
    for line in index.lines.iter().filter(|line| line.is_visible()) {
        // A pointer of the form `[[name]]` names no path.
        for link in line.links.iter().filter(|link| link.title.is_some()) {
            if !leads_out(root, &link.target) {
                continue;
            }
            let message =
                format!("the line points to `{}`, outside the memory folder", link.target);
            let code = Code("claude/memory-entry-outside");
            told.push(
                Diagnostic::new(code, Severity::Warning, message)
                    .at(&index.path)
                    .on_line(line.number)
                    .help("copy what matters into a topic of this folder, and point to that"),
            );
        }
    }
}

/// Whether the target of a link is a path that leads out of the folder.
fn leads_out(root: &AbsPath, target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() || has_scheme(path) {
        return false;
    }
    path == "~" || path.starts_with("~/") || !root.join(percent_decoded(path)).starts_with(root)
}

/// Whether it starts like `https:` or `mailto:`.
fn has_scheme(target: &str) -> bool {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || "+.-".contains(c);
    target
        .split_once(':')
        .is_some_and(|(scheme, _)| scheme.len() > 1 && scheme.chars().all(is_letter))
}

/// What a pointer of the form `[[name]]` can mean.
struct Names<'a> {
    store: &'a Store,
    known: HashSet<String>,
}

impl<'a> Names<'a> {
    fn of(store: &'a Store) -> Self {
        let mut known: HashSet<String> = ["memory", "memory_archived"].map(str::to_owned).into();
        for topic in &store.topics {
            let below = topic.below.strip_suffix(".md").unwrap_or(&topic.below);
            known.extend([below, topic.stem(), topic.name()].map(key));
        }
        Self { store, known }
    }

    /// Tells a name that nothing has; `None` where something has it, in any
    /// case, or where it is no name at all.
    fn missing(&self, path: &AbsPath, line: u32, target: &str) -> Option<Diagnostic> {
        let name = target.split('#').next().unwrap_or_default().trim();
        let local = local_file(name).filter(|file| self.known.contains(&key(file)));
        let is_known = self.known.contains(&key(name)) || local.is_some();
        if !is_name(name) || is_known || self.is_put_away(name) {
            return None;
        }
        let message = format!("`[[{target}]]` names no memory of this folder");
        let code = Code("claude/memory-link-dangling");
        let told = Diagnostic::new(code, Severity::Hint, message).at(path).on_line(line);
        Some(told.help("write the memory, name another one, or take the brackets away"))
    }

    fn is_put_away(&self, name: &str) -> bool {
        let archive = self.store.archive.as_ref();
        archive.is_some_and(|archive| !archive.lines_naming(&format!("{name}.md"), name).is_empty())
    }
}

/// The form in which names are compared.
fn key(name: &str) -> String {
    name.strip_suffix(".md").unwrap_or(name).to_lowercase()
}

/// Whether somebody could call a memory so: shells, TOML and tables of numbers
/// have double brackets too.
fn is_name(text: &str) -> bool {
    text.chars().any(char::is_alphabetic)
        && !text.starts_with('-')
        && !text.contains(|c: char| c.is_control() || "$\"'=<>&;,(){}\\!".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_lead_out() {
        let root = AbsPath::new("/h/m").unwrap();
        for out in ["../../x", "../x.md#part", "/etc/x", "~/x.md", "a/../../m2/x", "%2e%2e/x"] {
            assert!(leads_out(&root, out), "{out}");
        }
        for inside in
            ["a.md", "a/../b.md", "/h/m/a.md", "../m/a.md", "https://x/y", "mailto:a@b", "#a"]
        {
            assert!(!leads_out(&root, inside), "{inside}");
        }
    }

    #[test]
    fn brackets_of_other_languages_are_no_names() {
        for text in ["-f x", "$a", "1, 2", "a = b", "12"] {
            assert!(!is_name(text), "{text}");
        }
        assert!(is_name("テスト方針") && is_name("a-b_c d"));
    }
}
