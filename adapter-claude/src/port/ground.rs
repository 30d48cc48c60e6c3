//! Where a port takes place, and what is in force there.

use std::cell::RefCell;
use std::rc::Rc;

use memory_core::fs::{Content, FileKind, MAX_READ, Metadata, Recorder};
use memory_core::model::SourceFile;
use memory_core::port::PortPlace;
use memory_core::{AbsPath, Env, Error, Scope, World};

use crate::claude::Claude;
use crate::context::Context;
use crate::instructions::load::Documents;
use crate::settings::Settings;
use crate::settings::arguments::Arguments;
use crate::settings::layout::Layout;
use crate::text::document::Document;

/// The largest file that is carried, in bytes.
pub(super) const MAX_LEN: u64 = MAX_READ;

/// The person's environment: the home directory is that of the port.
pub(super) fn environment(world: World<'_>, place: &PortPlace) -> Env {
    Env { home: Some(place.home.clone()), vars: world.env.vars.clone() }
}

/// Looks at what is in force for a session in the project.
pub(super) fn with<T>(
    claude: &Claude,
    world: World<'_>,
    place: &PortPlace,
    look: impl FnOnce(&Ground<'_>) -> T,
) -> Result<T, Error> {
    let env = environment(world, place);
    let unrecorded = world.fs;
    let fs = Recorder::new(unrecorded);
    let world = World { fs: &fs, env: &env };
    let mut layout = Layout::find(world, &place.project)?;
    layout.local_settings = layout.local_settings.filter(|_| claude.profile.local_settings_of_root);
    let arguments = Arguments::read(&[]);
    let mut told = Vec::new();
    let settings = Settings::read(world, &layout, &arguments, &mut told);
    let context = Context::new(world, unrecorded, &claude.profile, &layout, &settings, &arguments);
    let ground = Ground {
        context: &context,
        documents: Documents::default(),
        given: place.project.clone(),
        told: RefCell::new(told),
    };
    Ok(look(&ground))
}

/// The project and what is in force in it.
pub(super) struct Ground<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) documents: Documents,
    /// The project as it was given; its real path is the start folder.
    given: AbsPath,
    /// What the settings made worth telling.
    pub(super) told: RefCell<Vec<memory_core::Diagnostic>>,
}

impl Ground<'_> {
    /// The project's top folder.
    pub(super) fn project(&self) -> &AbsPath {
        &self.context.layout.cwd
    }

    /// A path of the project by its real path, any other as it is.
    pub(super) fn real_name(&self, path: &AbsPath) -> AbsPath {
        match path.strip_prefix(&self.given) {
            Some("") => self.project().clone(),
            Some(below) => self.project().join(below),
            None => path.clone(),
        }
    }

    /// Whether two paths lead to the same file.
    pub(super) fn is_same(&self, one: &AbsPath, other: &AbsPath) -> bool {
        let fs = self.context.world.fs;
        one == other
            || matches!((fs.canonicalize(one), fs.canonicalize(other)), (Ok(one), Ok(other)) if one == other)
    }

    /// A path for people and for names of parts: below the project, below the
    /// home as `~/…`, or whole.
    pub(super) fn name(&self, path: &AbsPath) -> String {
        let path = self.real_name(path);
        if let Some(below) = path.strip_prefix(self.project()).filter(|below| !below.is_empty()) {
            return below.to_owned();
        }
        match path.strip_prefix(&self.context.layout.home).filter(|below| !below.is_empty()) {
            Some(below) => format!("~/{below}"),
            None => path.as_str().to_owned(),
        }
    }

    /// What is at a path, a link being a link; `None` for nothing.
    pub(super) fn kind(&self, path: &AbsPath) -> Option<FileKind> {
        self.context.world.fs.symlink_metadata(path).ok().map(|found| found.kind)
    }

    /// A file with its bytes, those that a link leads to; `None` when it cannot be read.
    pub(super) fn file(&self, path: &AbsPath) -> Option<SourceFile> {
        Some(SourceFile { path: path.clone(), content: self.content(path)? })
    }

    /// What a path leads to; `None` when it cannot be read whole.
    pub(super) fn content(&self, path: &AbsPath) -> Option<Content> {
        let (found, bytes) = self.context.unrecorded.read_with_metadata(path, MAX_LEN).ok()?;
        (found.is_file() && found.len <= MAX_LEN)
            .then(|| Content::File { bytes: bytes.into(), mode: found.mode })
    }

    /// A file as the client reads it; `None` when it does not.
    pub(super) fn document(
        &self,
        path: &AbsPath,
    ) -> Option<Rc<Result<Document, memory_core::Omission>>> {
        let real = self.context.world.fs.canonicalize(path).ok()?;
        let document = self.documents.get(self.context, &real);
        document.is_ok().then_some(document)
    }

    /// Whether a path, links followed, lies in the project.
    pub(super) fn is_in_project(&self, path: &AbsPath) -> bool {
        let real = self.context.world.fs.canonicalize(path);
        real.is_ok_and(|real| real.starts_with(self.project()))
    }

    pub(super) fn is_file(&self, path: &AbsPath) -> bool {
        self.context.world.fs.metadata(path).as_ref().is_ok_and(Metadata::is_file)
    }

    /// Whether what is of this scope may stand in a file that is checked in.
    pub(super) fn is_shared(scope: Scope) -> bool {
        matches!(scope, Scope::Project | Scope::Directory)
    }
}
