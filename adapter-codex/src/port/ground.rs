//! Where a port takes place, and the settings that are in force there.

use adapter_agents_md::{MarkerErrors, find_root};
use memory_core::port::PortPlace;
use memory_core::{AbsPath, Diagnostic, Env, Error, World};

use crate::codex::{Codex, process_cwd};
use crate::config::settings::Config;
use crate::config::types::TrustLevel;
use crate::config::{arguments, home, settings};
use crate::profile::Profile;

/// The person's environment: the home directory is that of the port.
pub(super) fn environment(world: World<'_>, place: &PortPlace) -> Env {
    Env { home: Some(place.home.clone()), vars: world.env.vars.clone() }
}

/// The project, the home and the settings of a port.
pub(super) struct Ground<'a> {
    pub(super) world: World<'a>,
    pub(super) profile: &'a Profile,
    /// The project's real path.
    pub(super) project: AbsPath,
    /// The project as it was given.
    given: AbsPath,
    /// The top of the chain of a session in the project.
    pub(super) root: AbsPath,
    pub(super) home: AbsPath,
    pub(super) codex_home: AbsPath,
    pub(super) config: Config,
    /// What stops the client here; it then loads nothing.
    pub(super) refusal: Option<Diagnostic>,
}

impl<'a> Ground<'a> {
    /// Looks at the settings that a session in the project has.
    pub(super) fn survey(
        codex: &'a Codex,
        world: World<'a>,
        place: &PortPlace,
    ) -> Result<Self, Error> {
        let profile = &codex.profile;
        let project = process_cwd(world, &place.project)?;
        let mut refusal = None;
        let codex_home = match home::codex_home(world, &project)? {
            Ok(path) => path,
            Err(refused) => {
                refusal = Some(refused.diagnostic());
                place.home.join(".codex")
            }
        };
        let start =
            settings::Start { codex_home: &codex_home, process_cwd: &project, cwd: &project };
        let loaded = arguments::parse(&[])
            .and_then(|arguments| settings::load(world, profile, &start, &arguments));
        let config = loaded.unwrap_or_else(|refused| {
            refusal.get_or_insert_with(|| refused.diagnostic());
            Config::unset(profile, &codex_home)
        });
        let root = find_root(world, &config.markers, &project, MarkerErrors::Absent);
        Ok(Self {
            world,
            profile,
            given: place.project.clone(),
            root: root.unwrap_or_else(|| project.clone()),
            project,
            home: place.home.clone(),
            codex_home,
            config,
            refusal,
        })
    }

    /// A path of the project by its real path, any other as it is.
    pub(super) fn real(&self, path: &AbsPath) -> AbsPath {
        match path.strip_prefix(&self.given) {
            Some(below) => self.project.join(below),
            None => path.clone(),
        }
    }

    /// Whether two paths lead to the same place.
    pub(super) fn is_same(&self, one: &AbsPath, other: &AbsPath) -> bool {
        one == other
            || match (self.world.fs.canonicalize(one), self.world.fs.canonicalize(other)) {
                (Ok(one), Ok(other)) => one == other,
                _ => false,
            }
    }

    /// Whether what a path of the project leads to lies elsewhere.
    pub(super) fn leads_out(&self, path: &AbsPath) -> bool {
        let real = self.world.fs.canonicalize(path);
        real.is_ok_and(|real| !real.starts_with(&self.project))
    }

    /// The setting by which the project is not trusted.
    pub(super) fn distrust(&self) -> Option<String> {
        let entry = self.config.trust.as_ref()?;
        (entry.level == TrustLevel::Untrusted)
            .then(|| format!("projects.{:?}.trust_level = \"untrusted\"", entry.key))
    }

    /// The path for people and for names of parts: below the project, below the
    /// home as `~/…`, or whole.
    pub(super) fn name(&self, path: &AbsPath) -> String {
        let path = self.real(path);
        if let Some(below) = path.strip_prefix(&self.project).filter(|below| !below.is_empty()) {
            return below.to_owned();
        }
        match path.strip_prefix(&self.home).filter(|below| !below.is_empty()) {
            Some(below) => format!("~/{below}"),
            None => path.as_str().to_owned(),
        }
    }
}
