//! Where memories are kept.

use memory_core::fs::{FileKind, Fs};
use memory_core::{AbsPath, Error, Scope, World};

use crate::claude::{Claude, Query};
use crate::context::Context;
use crate::memory;
use crate::settings::Settings;
use crate::settings::arguments::Arguments;
use crate::settings::layout::Layout;

/// A memory folder and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StorePlace {
    /// The folder, which need not be there.
    pub root: AbsPath,
    /// The sub-agent that keeps it; `None` for the memory of sessions.
    pub agent: Option<String>,
    /// Where it belongs: [`Scope::Local`] for the memory of sessions.
    pub scope: Scope,
}

impl Claude {
    /// The memory folder of a start, whether memory is on or not.
    ///
    /// Errors when the start folder is not there or the home directory is not known.
    pub fn memory_folder(&self, world: World<'_>, query: &Query) -> Result<AbsPath, Error> {
        with_context(self, world, query, memory::place)
    }

    /// Whether a start reads its memory at all: settings, variables and options
    /// can switch it off.
    ///
    /// Errors as [`Claude::memory_folder`].
    pub fn is_memory_on(&self, world: World<'_>, query: &Query) -> Result<bool, Error> {
        with_context(self, world, query, |context| memory::folder_in_use(context).is_some())
    }

    /// The memory folders that belong to a start: that of its sessions first,
    /// then those of sub-agents that are there.
    ///
    /// Errors as [`Claude::memory_folder`].
    pub fn memory_folders(
        &self,
        world: World<'_>,
        query: &Query,
    ) -> Result<Vec<StorePlace>, Error> {
        with_context(self, world, query, places)
    }
}

/// Does something with what every part of a resolution looks at.
pub(super) fn with_context<T>(
    claude: &Claude,
    world: World<'_>,
    query: &Query,
    look: impl FnOnce(&Context<'_>) -> T,
) -> Result<T, Error> {
    let mut layout = Layout::find(world, &query.cwd)?;
    layout.local_settings = layout.local_settings.filter(|_| claude.profile.local_settings_of_root);
    let arguments = Arguments::read(&query.args);
    let settings = Settings::read(world, &layout, &arguments, &mut Vec::new());
    let context = Context::new(world, world.fs, &claude.profile, &layout, &settings, &arguments);
    Ok(look(&context))
}

/// The memory folders of a start.
pub(super) fn places(context: &Context<'_>) -> Vec<StorePlace> {
    let layout = context.layout;
    let own = StorePlace { root: memory::place(context), agent: None, scope: Scope::Local };
    let project = layout.cwd.join(".claude");
    let mut homes = vec![(layout.config.join("agent-memory"), Scope::User)];
    if project != layout.config {
        homes.push((project.join("agent-memory"), Scope::Project));
    }
    homes.push((project.join("agent-memory-local"), Scope::Local));
    let agents = homes.into_iter().flat_map(|(home, scope)| {
        folders(context.world.fs, &home).into_iter().map(move |name| StorePlace {
            root: home.join(&name),
            agent: Some(name),
            scope,
        })
    });
    std::iter::once(own).chain(agents).collect()
}

/// The names of the folders in a folder, sorted; links are not followed.
pub(super) fn folders(fs: &dyn Fs, dir: &AbsPath) -> Vec<String> {
    let Ok(entries) = fs.read_dir(dir) else { return Vec::new() };
    let dirs = entries.flatten().filter(|entry| entry.kind == FileKind::Dir);
    let mut names: Vec<String> = dirs.map(|entry| entry.name).collect();
    names.sort();
    names
}
