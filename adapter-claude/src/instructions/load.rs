//! Loading of one file with all that it imports.

mod owner;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use memory_core::fs::IoError;
use memory_core::{AbsPath, Layer, LayerKind, Loaded, Omission, Outcome, Provenance, Quirk, Via};

pub(crate) use owner::Owner;

use crate::context::Context;
use crate::profile::CLIENT;
use crate::quirks;
use crate::rules::Scope;
use crate::settings::approval;
use crate::text::document::Document;
use crate::text::frontmatter::is_space;
use crate::text::import::{self, MAX_HOPS};

/// When a file is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// At start.
    Start,
    /// When a file is touched.
    Touch,
}

/// A file that may load.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The file, as the client names it.
    pub(crate) path: AbsPath,
    pub(crate) kind: LayerKind,
    pub(crate) owner: Owner,
    pub(crate) via: Via,
    /// The folder that it belongs to.
    pub(crate) dir: AbsPath,
}

/// A piece with what the order of the whole depends on.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) layer: Layer,
    pub(crate) owner: Owner,
    pub(crate) dir: AbsPath,
}

impl Item {
    pub(crate) fn is_loaded(&self) -> bool {
        matches!(self.layer.outcome, Outcome::Loaded(_))
    }

    /// The folder by which its place in the order goes: for a rule that was
    /// found through a link, the one in which the file really lies.
    pub(crate) fn placed_in(&self) -> AbsPath {
        let path = self.layer.provenance.path.as_ref();
        let elsewhere = path.filter(|path| {
            self.layer.kind == LayerKind::Rule && !path.starts_with(&self.dir.join(".claude"))
        });
        elsewhere.and_then(AbsPath::parent).unwrap_or_else(|| self.dir.clone())
    }

    /// The folder that a rule's patterns count from.
    pub(crate) fn rule_base(&self, context: &Context<'_>) -> AbsPath {
        match self.owner {
            Owner::Managed | Owner::User => context.layout.cwd.clone(),
            Owner::Project | Owner::Local => self.dir.clone(),
        }
    }
}

/// Files that were read, so that none is read twice.
#[derive(Default)]
pub(crate) struct Documents {
    read: RefCell<HashMap<AbsPath, Rc<Result<Document, Omission>>>>,
}

impl Documents {
    pub(crate) fn get(
        &self,
        context: &Context<'_>,
        path: &AbsPath,
    ) -> Rc<Result<Document, Omission>> {
        if let Some(known) = self.read.borrow().get(path) {
            return Rc::clone(known);
        }
        let read = Rc::new(Document::read(context.world.fs, path, context.profile));
        self.read.borrow_mut().insert(path.clone(), Rc::clone(&read));
        read
    }

    /// Forgets a file that was changed.
    pub(crate) fn forget(&self, path: &AbsPath) {
        self.read.borrow_mut().remove(path);
    }
}

/// Loads files one after the other; no file twice.
pub(crate) struct Loader<'a> {
    pub(crate) context: &'a Context<'a>,
    documents: &'a Documents,
    moment: Moment,
    /// Real paths of what was looked at, and the names under which it was.
    seen: HashMap<AbsPath, AbsPath>,
    /// The keys of `seen`, in order.
    seen_order: Vec<AbsPath>,
    /// Whether all this was looked at before: what is left out was told then.
    is_repeated: bool,
    /// Imports that were looked at, by importing file and target.
    imported: HashSet<(AbsPath, AbsPath)>,
    pub(crate) items: Vec<Item>,
    /// Whether files load whatever `--setting-sources` says.
    pub(crate) ignores_sources: bool,
}

impl<'a> Loader<'a> {
    pub(crate) fn new(context: &'a Context<'a>, documents: &'a Documents, moment: Moment) -> Self {
        Self {
            context,
            documents,
            moment,
            seen: HashMap::new(),
            seen_order: Vec::new(),
            is_repeated: false,
            imported: HashSet::new(),
            items: Vec::new(),
            ignores_sources: false,
        }
    }

    /// Loads a file, if there is one, and what it imports.
    pub(crate) fn load(&mut self, candidate: &Candidate) {
        if self.context.world.fs.symlink_metadata(&candidate.path).is_err_and(|e| e.is_absence()) {
            return;
        }
        if let Some(setting) = self.turned_off(candidate.owner) {
            return self.omit(candidate, Omission::Disabled { setting: setting.to_owned() }, None);
        }
        self.visit(candidate, 0, &|_| Applies::Yes);
    }

    /// Looks at rules twice: what the first look saw is new to the second.
    pub(crate) fn twice(&mut self, first: impl FnOnce(&mut Self), second: impl FnOnce(&mut Self)) {
        let before = self.seen_order.len();
        first(self);
        let seen: Vec<_> = self.seen_order.split_off(before);
        let seen: Vec<_> = seen.iter().filter_map(|real| self.seen.remove_entry(real)).collect();
        self.repeat(second);
        for (real, name) in seen {
            self.see(real, name);
        }
    }

    /// Looks at rules that were looked at before.
    pub(crate) fn repeat(&mut self, again: impl FnOnce(&mut Self)) {
        let imported = std::mem::take(&mut self.imported);
        let was_repeated = std::mem::replace(&mut self.is_repeated, true);
        again(self);
        self.is_repeated = was_repeated;
        self.imported = imported;
    }

    fn see(&mut self, real: AbsPath, name: AbsPath) {
        self.seen_order.push(real.clone());
        self.seen.insert(real, name);
    }

    /// Whether a file is there, is not excluded and holds something.
    pub(crate) fn has_text(&self, path: &AbsPath) -> bool {
        let Ok(real) = self.context.world.fs.canonicalize(path) else { return false };
        let document = self.documents.get(self.context, &real);
        self.context.excludes.by(path).is_none()
            && self.denied(Owner::Project, path, &real).is_none()
            && document.as_ref().as_ref().is_ok_and(|document| !document.is_blank())
    }

    /// The rule that denies reading a file of a project.
    fn denied(&self, owner: Owner, path: &AbsPath, real: &AbsPath) -> Option<&str> {
        let is_exempt = matches!(owner, Owner::Managed | Owner::User);
        self.context.denied.read_of(path, real).filter(|_| !is_exempt)
    }

    /// What keeps an owner's files from being read, or `None`.
    pub(crate) fn turned_off(&self, owner: Owner) -> Option<&'static str> {
        let sources = self.context.settings.sources;
        owner.turned_off_by(sources).filter(|_| !self.ignores_sources)
    }

    /// Loads a rule; `applies` decides by the scope of each file, be it the rule
    /// or imported, whether its text is shown.
    pub(crate) fn load_rule(
        &mut self,
        candidate: &Candidate,
        found_as: &AbsPath,
        applies: impl Fn(&Scope) -> Applies,
    ) {
        if candidate.owner != Owner::Managed
            && self.context.profile.excludes_match_links
            && let Some(by) = self.context.excludes.by(found_as)
        {
            let by = by.to_owned();
            let linked = (found_as != &candidate.path).then_some(&quirks::EXCLUDES_MATCH_LINKS);
            return self.omit(candidate, Omission::Excluded { by }, linked);
        }
        let needs_approval = self.context.profile.linked_rules_need_approval
            && found_as != &candidate.path
            && self.is_barred(candidate.owner, &candidate.path);
        if needs_approval {
            let quirk = Some(&quirks::LINKED_RULE_NEEDS_APPROVAL);
            return self.omit(candidate, self.external(), quirk);
        }
        self.visit(candidate, 0, &|document| applies(&Scope::of(document.fields.as_ref())));
    }

    /// Looks at a file and at what it imports, which is done even when the text itself is hidden.
    fn visit(&mut self, candidate: &Candidate, hops: u8, applies: &dyn Fn(&Document) -> Applies) {
        if candidate.owner != Owner::Managed
            && let Some(by) = self.context.excludes.by(&candidate.path)
        {
            let by = by.to_owned();
            return self.omit(candidate, Omission::Excluded { by }, None);
        }
        let real = match self.context.world.fs.canonicalize(&candidate.path) {
            Ok(real) => real,
            Err(error) if error.is_absence() => {
                return self.omit(candidate, Omission::BrokenLink, None);
            }
            Err(error) => return self.omit(candidate, Omission::Unreadable(error), None),
        };
        if let Some(rule) = self.denied(candidate.owner, &candidate.path, &real) {
            let quirk = Some(&quirks::DENIED_READ_HIDES);
            return self.omit(candidate, Omission::Disabled { setting: rule.to_owned() }, quirk);
        }
        if let Some(of) = self.seen.get(&real) {
            let of = of.clone();
            return self.omit(candidate, Omission::Duplicate { of }, None);
        }
        let document = self.documents.get(self.context, &real);
        let document = match document.as_ref() {
            Ok(document) => document,
            Err(reason) => return self.omit(candidate, reason.clone(), None),
        };
        if document.imports.iter().any(|line| line.path.contains('\0')) {
            let why = "a NUL in one of its imports makes the client drop the whole file";
            let error = IoError::in_words(why);
            let quirk = Some(&quirks::NUL_IMPORT_DROPS_FILE);
            return self.omit(candidate, Omission::Unreadable(error), quirk);
        }
        self.see(real.clone(), candidate.path.clone());
        match applies(document) {
            Applies::Silently => {}
            _ if document.is_blank() => self.omit(candidate, Omission::Blank, None),
            Applies::Yes => self.push(candidate, Outcome::Loaded(self.loaded(candidate, document))),
            Applies::No(reason) => {
                let is_import = candidate.kind == LayerKind::Import;
                let quirk = is_import.then_some(&quirks::IMPORT_WAITS_FOR_ITS_PATHS);
                self.omit(candidate, reason, quirk);
            }
        }
        let base = real.parent().unwrap_or_else(AbsPath::root);
        for line in &document.imports {
            self.import(candidate, line, &base, hops + 1, applies);
        }
    }

    fn import(
        &mut self,
        from: &Candidate,
        line: &crate::text::document::ImportLine,
        base: &AbsPath,
        hops: u8,
        applies: &dyn Fn(&Document) -> Applies,
    ) {
        let path = import::target(&line.path, base, &self.context.layout.home);
        // A file that names another one again says nothing new.
        if !self.imported.insert((from.path.clone(), path.clone())) {
            return;
        }
        let via = Via::Imported { from: from.path.clone(), line: line.line };
        let candidate = Candidate {
            path,
            kind: LayerKind::Import,
            owner: from.owner,
            via,
            dir: from.dir.clone(),
        };
        if !import::extension_is_allowed(&candidate.path) {
            return self.omit(&candidate, Omission::ImportExtension, None);
        }
        let real = match self.context.world.fs.canonicalize(&candidate.path) {
            Ok(real) => real,
            Err(error) if error.is_absence() => {
                return self.omit(&candidate, Omission::ImportMissing, None);
            }
            Err(error) => return self.omit(&candidate, Omission::Unreadable(error), None),
        };
        if hops > MAX_HOPS {
            let quirk = Some(&quirks::IMPORT_ONCE_BY_DEPTH);
            return self.omit(&candidate, Omission::ImportTooDeep { limit: MAX_HOPS }, quirk);
        }
        let leads = self.context.profile.imports_lie_where_they_lead;
        if self.is_barred(candidate.owner, if leads { &real } else { &candidate.path }) {
            let quirk =
                Some(match (self.moment, candidate.owner, self.context.external_approved) {
                    (Moment::Touch, _, true) => &quirks::NO_APPROVAL_ON_TOUCH,
                    (_, Owner::Managed, _) => &quirks::MANAGED_IMPORTS_NEED_APPROVAL,
                    _ => &quirks::EXTERNAL_IMPORT_DROPPED,
                });
            return self.omit(&candidate, self.external(), quirk);
        }
        self.visit(&candidate, hops, applies);
    }

    /// Whether a file may not be loaded because it lies outside the start folder.
    fn is_barred(&self, owner: Owner, real: &AbsPath) -> bool {
        let approved = self.context.external_approved && self.moment == Moment::Start;
        owner != Owner::User && !approved && !self.context.is_inside(real)
    }

    fn external(&self) -> Omission {
        let layout = self.context.layout;
        let approve = match self.moment {
            Moment::Start => format!(
                "`\"{}\": true` for `{}` in {}",
                approval::KEY,
                layout.main_root(),
                layout.state
            ),
            Moment::Touch => "an import from a file that loads at start".to_owned(),
        };
        Omission::ImportExternal { approve }
    }

    fn loaded(&self, candidate: &Candidate, document: &Document) -> Loaded {
        let (text, label) = match self.moment {
            Moment::Start => {
                (document.text.trim_matches(is_space), Some(candidate.owner.label().to_owned()))
            }
            Moment::Touch => (&*document.text, None),
        };
        // A large text is not held twice where nothing is trimmed.
        let is_whole = text.len() == document.text.len();
        let text = if is_whole { Arc::clone(&document.text) } else { text.into() };
        let taken_out = document.taken_out.clone();
        Loaded { text, label, size: document.size, cut: None, taken_out }
    }

    pub(crate) fn omit(
        &mut self,
        candidate: &Candidate,
        reason: Omission,
        quirk: Option<&'static Quirk>,
    ) {
        let is_known =
            candidate.kind == LayerKind::Import || matches!(reason, Omission::Duplicate { .. });
        if self.is_repeated && is_known {
            return;
        }
        self.push(candidate, Outcome::Omitted { reason, quirk });
    }

    pub(crate) fn push(&mut self, candidate: &Candidate, outcome: Outcome) {
        let provenance = Provenance {
            client: CLIENT,
            scope: candidate.owner.scope(),
            path: Some(candidate.path.clone()),
            via: candidate.via.clone(),
        };
        let layer = Layer { kind: candidate.kind, provenance, outcome };
        self.items.push(Item { layer, owner: candidate.owner, dir: candidate.dir.clone() });
    }
}

/// Whether a rule's text is shown.
#[derive(Clone, Debug)]
pub(crate) enum Applies {
    Yes,
    No(Omission),
    /// It is not, and that is not worth a word; its imports are looked at all the same.
    Silently,
}
