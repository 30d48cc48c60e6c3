//! What loads when a tool touches a file.

use std::collections::HashSet;

use memory_core::{AbsPath, LayerKind, Via};

use crate::agents_md::Mode;
use crate::context::Context;
use crate::load::{Applies, Candidate, Documents, Item, Loader, Moment, Owner};
use crate::rule::{Scope, discover};
use crate::start::{OWN_FILES, chain};

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
        context.instructions_off().is_none()
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
        walk.rules(
            &layout.managed.join(".claude/rules"),
            &layout.cwd,
            Owner::Managed,
            Which::Bound,
        );
        walk.rules(&layout.config.join("rules"), &layout.cwd, Owner::User, Which::Bound);
        let below = folders_below(&layout.cwd, file);
        for dir in &below {
            walk.file(dir, "CLAUDE.md", Owner::Project);
            walk.file(dir, ".claude/CLAUDE.md", Owner::Project);
            walk.file(dir, "CLAUDE.local.md", Owner::Local);
            walk.rules(&dir.join(".claude/rules"), dir, Owner::Project, Which::Unbound);
            walk.rules(&dir.join(".claude/rules"), dir, Owner::Project, Which::Bound);
        }
        for dir in chain(&layout.cwd) {
            if layout.is_skipped_main_checkout(&dir) {
                continue;
            }
            walk.rules(&dir.join(".claude/rules"), &dir, Owner::Project, Which::Bound);
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
            let is_there = |name: &&str| self.context.world.fs.metadata(&dir.join(name)).is_ok();
            let own = OWN_FILES.iter().any(is_there);
            if self.context.mode == Mode::Fallback && own {
                continue;
            }
            loader.load(&Candidate {
                path: dir.join("AGENTS.md"),
                kind: LayerKind::AgentsMd,
                owner: Owner::Project,
                via: Via::Nested { touched: file.clone() },
                dir: dir.clone(),
            });
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

/// Which rules of a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// Those without paths, and what all the others import.
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

    /// The rules of one folder; `base` is the folder that their patterns count from.
    fn rules(&mut self, folder: &AbsPath, base: &AbsPath, owner: Owner, which: Which) {
        let context = self.loader.context;
        if owner.turned_off_by(context.settings.sources).is_some() {
            return;
        }
        let below = self.file.strip_prefix(base).map(str::to_owned);
        for rule in discover(context.world.fs, folder) {
            let candidate = Candidate {
                path: rule.path,
                kind: LayerKind::Rule,
                owner,
                via: Via::Nested { touched: self.file.clone() },
                dir: base.clone(),
            };
            let below = below.as_deref();
            self.loader.load_rule(&candidate, &rule.found_as, |scope| match (scope, which) {
                (Scope::Always, Which::Unbound) => Applies::Yes,
                (Scope::Files(_), Which::Unbound) => Applies::ImportsOnly,
                (Scope::Files(patterns), Which::Bound) => {
                    let matches = below.is_some_and(|below| patterns.globs().matches(below));
                    if matches { Applies::Yes } else { Applies::Silently }
                }
                _ => Applies::NotNow,
            });
        }
    }
}
