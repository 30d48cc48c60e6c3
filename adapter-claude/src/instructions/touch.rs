//! What loads when a tool touches a file.

use std::collections::HashSet;

use memory_core::{AbsPath, LayerKind, Via};

use super::agents_md::Mode;
use super::load::{Applies, Candidate, Documents, Item, Loader, Moment, Owner};
use super::start::{AGENTS_FILES, OWN_FILES, chain};
use crate::context::Context;
use crate::rules::{RuleFile, Scope, discover};

/// A session as far as loading goes: what the model has got so far.
pub(crate) struct Session<'a> {
    context: &'a Context<'a>,
    documents: &'a Documents,
    /// The files that the model has got, as they are named.
    given: HashSet<AbsPath>,
    /// Whether AGENTS.md files below the start folder load.
    agents_md: bool,
    /// Folders whose AGENTS.md was looked at.
    agents_md_seen: HashSet<AbsPath>,
}

/// How a file is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// It is read.
    Read,
    /// It is written.
    Written,
    /// It is read by a shell command.
    Shell,
    /// It was to be read and could not be.
    Failed,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        context: &'a Context<'a>,
        documents: &'a Documents,
        given: HashSet<AbsPath>,
        agents_md: bool,
    ) -> Self {
        Self { context, documents, given, agents_md, agents_md_seen: HashSet::new() }
    }

    /// The model has got a file by reading it.
    pub(crate) fn give(&mut self, file: &AbsPath) {
        self.given.insert(file.clone());
    }

    /// Whether a touch of this file loads anything.
    fn reaches(&self, file: &AbsPath) -> bool {
        let context = self.context;
        context.touch_off().is_none()
            && context.is_reached(file)
            && context.is_reached(&context.real(file))
    }

    /// What a touch of `file` loads: first what belongs to CLAUDE.md, then what belongs to AGENTS.md.
    pub(crate) fn touch(&mut self, file: &AbsPath, touch: Touch) -> (Vec<Item>, Vec<Item>) {
        if !self.reaches(file) {
            return (Vec::new(), Vec::new());
        }
        let mut walk =
            Walk { loader: Loader::new(self.context, self.documents, Moment::Touch), file };
        let layout = self.context.layout;
        walk.bound_rules(&layout.managed.join(".claude/rules"), &layout.cwd, Owner::Managed);
        walk.bound_rules(&layout.config.join("rules"), &layout.cwd, Owner::User);
        let below = folders_below(&layout.cwd, file);
        for dir in &below {
            walk.file(dir, "CLAUDE.md", Owner::Project);
            walk.file(dir, ".claude/CLAUDE.md", Owner::Project);
            walk.file(dir, "CLAUDE.local.md", Owner::Local);
            walk.nested_rules(dir);
        }
        for dir in chain(&layout.cwd) {
            if layout.is_skipped_main_checkout(&dir)
                && !self.context.profile.main_checkout_rules_load_on_touch
            {
                continue;
            }
            walk.bound_rules(&dir.join(".claude/rules"), &dir, Owner::Project);
        }
        let items = walk.loader.items;
        let items = self.new_ones(items);
        let reads_agents_md = self.agents_md && touch == Touch::Read;
        let agents = if reads_agents_md { self.nested_agents_md(&below, file) } else { Vec::new() };
        (items, agents)
    }

    fn nested_agents_md(&mut self, dirs: &[AbsPath], file: &AbsPath) -> Vec<Item> {
        let mut loader = Loader::new(self.context, self.documents, Moment::Touch);
        for dir in dirs {
            if !self.agents_md_seen.insert(dir.clone()) {
                continue;
            }
            let own = OWN_FILES.iter().any(|name| loader.has_text(&dir.join(name)));
            if self.context.mode == Mode::Fallback && own {
                continue;
            }
            for name in AGENTS_FILES {
                loader.load(&Candidate {
                    path: dir.join(name),
                    kind: LayerKind::AgentsMd,
                    owner: Owner::Project,
                    via: Via::Nested { touched: file.clone() },
                    dir: dir.clone(),
                });
            }
        }
        let items = loader.items;
        self.new_ones(items)
    }

    /// Keeps what the model does not have yet.
    fn new_ones(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut kept = Vec::new();
        for item in items {
            match (&item.layer.provenance.path, item.is_loaded()) {
                (Some(path), true) => {
                    if self.given.insert(path.clone()) {
                        kept.push(item);
                    }
                }
                _ => kept.push(item),
            }
        }
        kept
    }
}

/// The folders below `top` that hold `file`, from the top down.
fn folders_below(top: &AbsPath, file: &AbsPath) -> Vec<AbsPath> {
    let Some(folder) = file.parent().filter(|folder| folder.starts_with(top)) else {
        return Vec::new();
    };
    folder.from_top(top).into_iter().skip(1).collect()
}

/// Which files of a folder of rules: the rules, and what they import.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those without paths.
    Unbound,
    /// Those with paths that match.
    Bound,
}

struct Walk<'a, 'f> {
    loader: Loader<'a>,
    file: &'f AbsPath,
}

impl Walk<'_, '_> {
    fn file(&mut self, dir: &AbsPath, name: &str, owner: Owner) {
        let via = Via::Nested { touched: self.file.clone() };
        let path = dir.join(name);
        self.loader.load(&Candidate {
            path,
            kind: LayerKind::Instructions,
            owner,
            via,
            dir: dir.clone(),
        });
    }

    /// The rules of a folder whose other rules loaded at start; `base` is the
    /// folder that their patterns count from.
    fn bound_rules(&mut self, folder: &AbsPath, base: &AbsPath, owner: Owner) {
        let context = self.loader.context;
        if owner.turned_off_by(context.settings.sources).is_none() {
            let rules = discover(context.world.fs, folder);
            let load = loading(&rules, base, self.file, owner, Which::Bound);
            self.loader.repeat(load);
        }
    }

    /// All rules of a folder below the start folder.
    fn nested_rules(&mut self, dir: &AbsPath) {
        let context = self.loader.context;
        let owner = Owner::Project;
        if owner.turned_off_by(context.settings.sources).is_none() {
            let rules = discover(context.world.fs, &dir.join(".claude/rules"));
            let load = |which| loading(&rules, dir, self.file, owner, which);
            self.loader.twice(load(Which::Unbound), load(Which::Bound));
        }
    }
}

/// Loads some of the rules when `file` is touched.
fn loading(
    rules: &[RuleFile],
    base: &AbsPath,
    file: &AbsPath,
    owner: Owner,
    which: Which,
) -> impl FnOnce(&mut Loader<'_>) {
    move |loader| {
        let below = file.strip_prefix(base);
        for rule in rules {
            let candidate = Candidate {
                path: rule.path.clone(),
                kind: LayerKind::Rule,
                owner,
                via: Via::Nested { touched: file.clone() },
                dir: base.clone(),
            };
            loader.load_rule(&candidate, &rule.found_as, |scope| {
                let is_shown = match (scope, which) {
                    (Scope::Always, Which::Unbound) => true,
                    (Scope::Files(patterns), Which::Bound) => {
                        below.is_some_and(|below| patterns.globs().matches(below))
                    }
                    _ => false,
                };
                if is_shown { Applies::Yes } else { Applies::Silently }
            });
        }
    }
}
