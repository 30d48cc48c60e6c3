use memory_core::fs::{FileKind, Metadata};
use memory_core::{AbsPath, Code, Diagnostic, Severity};

use crate::context::Context;
use crate::instructions::start::chain;

/// How many names are looked at in all.
const MAX_ENTRIES: usize = 5000;

/// Rules and skills that are there and that the client passes over without a word.
pub(super) fn diagnose(context: &Context<'_>, told: &mut Vec<Diagnostic>) {
    let layout = context.layout;
    let mut tops: Vec<AbsPath> = vec![layout.managed.join(".claude"), layout.config.clone()];
    tops.extend(chain(&layout.cwd).into_iter().map(|dir| dir.join(".claude")));
    tops.extend(context.added.iter().map(|dir| dir.join(".claude")));
    tops.dedup();
    let mut search = Search { context, told, seen: 0 };
    for top in tops {
        search.rules(top.join("rules"));
        search.skills(&top.join("skills"));
    }
}

struct Search<'a> {
    context: &'a Context<'a>,
    told: &'a mut Vec<Diagnostic>,
    seen: usize,
}

impl Search<'_> {
    fn rules(&mut self, top: AbsPath) {
        let mut open = vec![top];
        while let Some(dir) = open.pop() {
            for (path, kind) in self.entries(&dir) {
                let is_rule = path.as_str().strip_suffix(".md").is_some();
                match kind {
                    FileKind::Dir => open.push(path),
                    FileKind::Symlink if is_rule && self.leads_nowhere(&path) => self.tell(
                        "claude/rule-link-broken",
                        &path,
                        "this rule is a link that leads nowhere: nothing loads",
                        "let the link lead to a file, or remove it",
                    ),
                    _ => {}
                }
            }
        }
    }

    fn skills(&mut self, top: &AbsPath) {
        let fs = self.context.unrecorded;
        for (dir, _) in self.entries(top) {
            let file = dir.join("SKILL.md");
            if fs.symlink_metadata(&file).is_err() {
                continue;
            }
            let is_file = fs.metadata(&file).as_ref().is_ok_and(Metadata::is_file);
            let why = match is_file.then(|| fs.read_up_to(&file, 1)) {
                Some(Ok(_)) => continue,
                Some(Err(error)) => format!("this skill cannot be read: {error}"),
                None if self.leads_nowhere(&file) => {
                    "this skill is a link that leads nowhere".to_owned()
                }
                None => "this skill is not a regular file".to_owned(),
            };
            let help = "let the client read the file, or remove the folder";
            self.tell("claude/skill-unreadable", &file, &why, help);
        }
    }

    /// What a folder holds; told when the folder is there and cannot be listed.
    fn entries(&mut self, dir: &AbsPath) -> Vec<(AbsPath, FileKind)> {
        let listed = match self.context.unrecorded.read_dir(dir) {
            Ok(listed) => listed,
            Err(error) => {
                if self.context.unrecorded.metadata(dir).is_ok_and(|found| found.is_dir()) {
                    let why = format!("nothing loads from this folder: {error}");
                    let help = "let the client read the folder";
                    self.tell("claude/folder-unreadable", dir, &why, help);
                }
                return Vec::new();
            }
        };
        let left = MAX_ENTRIES.saturating_sub(self.seen);
        let entries: Vec<_> = listed
            .take(left)
            .filter_map(Result::ok)
            .map(|entry| (dir.join(&entry.name), entry.kind))
            .collect();
        self.seen += entries.len();
        entries
    }

    fn leads_nowhere(&self, path: &AbsPath) -> bool {
        self.context.unrecorded.metadata(path).is_err_and(|error| error.is_absence())
    }

    fn tell(&mut self, code: &'static str, path: &AbsPath, why: &str, help: &str) {
        let one = Diagnostic::new(Code(code), Severity::Warning, why);
        self.told.push(one.at(path).help(help));
    }
}
