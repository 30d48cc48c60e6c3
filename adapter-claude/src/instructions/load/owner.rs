use memory_core::Scope;

use crate::settings::Sources;

/// Whose file it is; an import belongs to the owner of its importer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Managed,
    User,
    Project,
    Local,
}

impl Owner {
    /// The client's own words for it.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Managed => "organization-managed policy instructions",
            Self::User => "user's private global instructions for all projects",
            Self::Project => "project instructions, checked into the codebase",
            Self::Local => "user's private project instructions, not checked in",
        }
    }

    pub(crate) fn scope(self) -> Scope {
        match self {
            Self::Managed => Scope::Managed,
            Self::User => Scope::User,
            Self::Project => Scope::Project,
            Self::Local => Scope::Local,
        }
    }

    /// What turns this owner's files off, or `None` when they are read.
    pub(crate) fn turned_off_by(self, sources: Sources) -> Option<&'static str> {
        let on = match self {
            Self::Managed => true,
            Self::User => sources.user,
            Self::Project => sources.project,
            Self::Local => sources.local,
        };
        (!on).then_some("`--setting-sources`")
    }
}
