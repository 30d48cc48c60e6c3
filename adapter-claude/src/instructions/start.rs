//! What loads at start, in order.

use std::collections::HashSet;

use memory_core::{
    AbsPath, FileSize, Layer, LayerKind, Loaded, Measure, Omission, Outcome, Provenance, Via,
};
use serde_json::Value;

use super::agents_md::Mode;
use super::load::{Applies, Candidate, Documents, Item, Loader, Moment, Owner};
use crate::context::Context;
use crate::profile::CLIENT;
use crate::quirks;
use crate::rules::{Scope, discover};
use crate::settings::SettingsSource;
use crate::text::frontmatter::is_space;

/// What loads at start.
pub(crate) struct Start {
    /// The pieces in order, those that are left out among them.
    pub(crate) items: Vec<Item>,
    /// The files that count as given to the model.
    pub(crate) given: HashSet<AbsPath>,
    /// Whether AGENTS.md files stand in for missing CLAUDE.md files.
    pub(crate) agents_md: bool,
}

/// Resolves what loads at start.
pub(crate) fn resolve(context: &Context<'_>, documents: &Documents) -> Start {
    let mut start = Walk { loader: Loader::new(context, documents, Moment::Start) };
    start.managed();
    start.user();
    let mut agents_md = false;
    start.project();
    start.added();
    if context.mode != Mode::ManagedOnly {
        agents_md = start.agents_md();
    }
    let mut items = start.loader.items;
    // Later the client takes these for given, even where they are dropped now.
    let given = items.iter().filter(|item| item.is_loaded());
    let given = given.filter_map(|item| item.layer.provenance.path.clone()).collect();
    if context.mode == Mode::ManagedOnly {
        let setting = "`instructionFiles: managed-only`";
        turn_off(&mut items, |item| item.owner != Owner::Managed, setting);
    }
    if let Some(setting) = context.instructions_off() {
        turn_off(&mut items, |_| true, setting);
        agents_md = false;
    }
    Start { items, given, agents_md }
}

/// The client's own files in a folder of a project.
pub(crate) const OWN_FILES: [&str; 3] = ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"];

/// The files in a folder that other agents share with the client.
pub(crate) const AGENTS_FILES: [&str; 2] = ["AGENTS.md", ".claude/AGENTS.md"];

struct Walk<'a> {
    loader: Loader<'a>,
}

impl Walk<'_> {
    fn managed(&mut self) {
        let dir = self.loader.context.layout.managed.clone();
        self.file(&dir, "CLAUDE.md", Owner::Managed);
        self.managed_text();
        self.rules(&dir, &dir, Owner::Managed);
    }

    /// The text that stands in the organisation's settings.
    fn managed_text(&mut self) {
        let managed = self.loader.context.settings.layers.iter().rev();
        let mut managed = managed.filter(|layer| layer.source == SettingsSource::Managed);
        let text = managed.find_map(|layer| layer.values.get("claudeMd").and_then(Value::as_str));
        let Some(text) =
            text.map(|text| text.trim_matches(is_space)).filter(|text| !text.is_empty())
        else {
            return;
        };
        let bytes = text.as_bytes();
        let loaded = Loaded {
            text: text.into(),
            label: Some(Owner::Managed.label().to_owned()),
            size: FileSize { bytes: bytes.len() as u64, text: Some(Measure::of(bytes)) },
            cut: None,
            taken_out: Vec::new(),
        };
        let provenance = Provenance {
            client: CLIENT,
            scope: Owner::Managed.scope(),
            path: None,
            via: Via::Setting { key: "claudeMd", from: None },
        };
        let layer =
            Layer { kind: LayerKind::ManagedText, provenance, outcome: Outcome::Loaded(loaded) };
        let dir = self.loader.context.layout.managed.clone();
        self.loader.items.push(Item { layer, owner: Owner::Managed, dir });
    }

    fn user(&mut self) {
        let dir = self.loader.context.layout.config.clone();
        self.file(&dir, "CLAUDE.md", Owner::User);
        self.rule_folder(&dir.join("rules"), &dir, Owner::User);
    }

    fn project(&mut self) {
        let layout = self.loader.context.layout;
        for dir in chain(&layout.cwd) {
            if layout.is_skipped_main_checkout(&dir) {
                self.skipped_in_worktree(&dir);
                self.file(&dir, "CLAUDE.local.md", Owner::Local);
            } else {
                self.folder(&dir);
            }
        }
    }

    fn added(&mut self) {
        let context = self.loader.context;
        if context.settings.is_on("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD") {
            for dir in &context.added {
                // A project's files load from here whatever `--setting-sources` says.
                self.loader.ignores_sources = true;
                self.own_files(dir);
                // Of a linked folder only the rules are named by their real path.
                self.rules(&context.real(dir), dir, Owner::Project);
                self.loader.ignores_sources = false;
                self.file(dir, "CLAUDE.local.md", Owner::Local);
            }
        }
    }

    /// The files of one folder of the chain.
    fn folder(&mut self, dir: &AbsPath) {
        self.own_files(dir);
        self.rules(dir, dir, Owner::Project);
        self.file(dir, "CLAUDE.local.md", Owner::Local);
    }

    fn own_files(&mut self, dir: &AbsPath) {
        self.file(dir, "CLAUDE.md", Owner::Project);
        self.file(dir, ".claude/CLAUDE.md", Owner::Project);
    }

    /// What the main checkout has and a worktree inside it does not get.
    fn skipped_in_worktree(&mut self, dir: &AbsPath) {
        for name in ["CLAUDE.md", ".claude/CLAUDE.md"] {
            let candidate = candidate(dir, name, Owner::Project);
            if self.loader.context.world.fs.metadata(&candidate.path).is_ok() {
                let quirk = Some(&quirks::WORKTREE_SKIPS_MAIN_CHECKOUT);
                self.loader.omit(&candidate, Omission::WorktreeMainCheckout, quirk);
            }
        }
        if dir.join(".claude") == self.loader.context.layout.config {
            return;
        }
        for rule in discover(self.loader.context.world.fs, &dir.join(".claude/rules")) {
            let candidate = Candidate {
                path: rule.path,
                kind: LayerKind::Rule,
                ..candidate(dir, "", Owner::Project)
            };
            let quirk = Some(&quirks::WORKTREE_SKIPS_MAIN_CHECKOUT);
            self.loader.omit(&candidate, Omission::WorktreeMainCheckout, quirk);
        }
    }

    fn file(&mut self, dir: &AbsPath, name: &str, owner: Owner) {
        self.loader.load(&candidate(dir, name, owner));
    }

    fn rules(&mut self, base: &AbsPath, dir: &AbsPath, owner: Owner) {
        // The home's own rules are the person's, not a project's.
        if base.join(".claude") != self.loader.context.layout.config || owner == Owner::User {
            self.rule_folder(&base.join(".claude/rules"), dir, owner);
        }
    }

    fn rule_folder(&mut self, folder: &AbsPath, dir: &AbsPath, owner: Owner) {
        let off = self.loader.turned_off(owner);
        for rule in discover(self.loader.context.world.fs, folder) {
            let candidate = Candidate {
                path: rule.path,
                kind: LayerKind::Rule,
                owner,
                via: Via::Discovered,
                dir: dir.clone(),
            };
            if let Some(setting) = off {
                let setting = setting.to_owned();
                self.loader.omit(&candidate, Omission::Disabled { setting }, None);
                continue;
            }
            if let Some(by) = self.excluded_as_named(&rule.found_as, folder, dir) {
                let quirk = Some(&quirks::EXCLUDES_MATCH_LINKS);
                self.loader.omit(&candidate, Omission::Excluded { by }, quirk);
                continue;
            }
            self.loader.load_rule(&candidate, &rule.found_as, |scope| match scope {
                Scope::Always => Applies::Yes,
                Scope::Files(patterns) => {
                    Applies::No(Omission::PathsDoNotMatch(patterns.written.clone()))
                }
            });
        }
    }

    /// The pattern that excludes a rule by the name that it has below a linked added folder.
    fn excluded_as_named(
        &self,
        found_as: &AbsPath,
        folder: &AbsPath,
        dir: &AbsPath,
    ) -> Option<String> {
        let context = self.loader.context;
        if folder.starts_with(dir) || !context.profile.excludes_match_links {
            return None;
        }
        let named = dir.join(".claude/rules").join(found_as.strip_prefix(folder)?);
        context.excludes.by(&named).map(str::to_owned)
    }

    /// AGENTS.md of each folder, where it is read; says whether it stands in for CLAUDE.md.
    fn agents_md(&mut self) -> bool {
        let context = self.loader.context;
        if !context.settings.sources.project || context.mode == Mode::ClaudeMd {
            return false;
        }
        let mut dirs = chain(&context.layout.cwd);
        dirs.retain(|dir| !context.layout.is_skipped_main_checkout(dir));
        let blocker = match context.mode {
            Mode::Fallback => self.blocker(&dirs),
            _ => None,
        };
        for dir in &dirs {
            self.agents_md_of(dir, blocker.as_ref());
        }
        blocker.is_none()
    }

    /// The file that keeps AGENTS.md from being read: it need not be loaded itself.
    fn blocker(&self, dirs: &[AbsPath]) -> Option<AbsPath> {
        let layout = self.loader.context.layout;
        let files = dirs.iter().flat_map(|dir| OWN_FILES.map(|name| dir.join(name)));
        // Of a skipped main checkout only the file counts that loads.
        let skipped = chain(&layout.cwd).into_iter();
        let skipped = skipped.filter(|dir| layout.is_skipped_main_checkout(dir));
        let mut files = files.chain(skipped.map(|dir| dir.join("CLAUDE.local.md")));
        files.find(|path| self.loader.has_text(path))
    }

    fn agents_md_of(&mut self, dir: &AbsPath, blocker: Option<&AbsPath>) {
        let before = self.loader.items.len();
        for name in AGENTS_FILES {
            let mut candidate = candidate(dir, name, Owner::Project);
            candidate.kind = LayerKind::AgentsMd;
            candidate.via = Via::Fallback;
            match blocker {
                None => self.loader.load(&candidate),
                Some(by) if self.loader.context.world.fs.metadata(&candidate.path).is_ok() => {
                    let reason = Omission::AgentsMdBlocked { by: by.clone() };
                    let unread = by.file_name() == Some("CLAUDE.local.md")
                        && !self.loader.context.settings.sources.local;
                    let quirk = Some(if unread {
                        &quirks::UNREAD_FILE_BLOCKS_AGENTS_MD
                    } else {
                        &quirks::ONE_CLAUDE_MD_BLOCKS_AGENTS_MD
                    });
                    self.loader.omit(&candidate, reason, quirk);
                }
                Some(_) => {}
            }
        }
        // They stand before what belongs to a folder further down.
        let new = self.loader.items.split_off(before);
        let below = |item: &Item| {
            let place = item.placed_in();
            matches!(item.owner, Owner::Project | Owner::Local)
                && place != *dir
                && place.starts_with(dir)
        };
        let at = self.loader.items.iter().position(|item| below(item) && item.is_loaded());
        let at = at.unwrap_or(before);
        self.loader.items.splice(at..at, new);
    }
}

/// Every folder from the top down to `dir`, the root of the file system left out.
pub(crate) fn chain(dir: &AbsPath) -> Vec<AbsPath> {
    let root = AbsPath::root();
    dir.from_top(&root).into_iter().filter(|dir| *dir != root).collect()
}

fn candidate(dir: &AbsPath, name: &str, owner: Owner) -> Candidate {
    Candidate {
        path: dir.join(name),
        kind: LayerKind::Instructions,
        owner,
        via: Via::Discovered,
        dir: dir.clone(),
    }
}

fn turn_off(items: &mut [Item], which: impl Fn(&Item) -> bool, setting: &str) {
    for item in items.iter_mut().filter(|item| item.is_loaded() && which(item)) {
        let reason = Omission::Disabled { setting: setting.to_owned() };
        item.layer.outcome = Outcome::Omitted { reason, quirk: None };
    }
}
