//! Which folders are trusted.

use memory_core::{AbsPath, World};

use super::types::{ProjectConfig, TrustLevel};

/// The `[projects]` table.
pub(crate) type Projects = std::collections::BTreeMap<String, ProjectConfig>;

/// An entry that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// The key of the entry.
    pub(crate) key: String,
    pub(crate) level: TrustLevel,
}

/// The entry that decides about the first of these folders that has one.
///
/// A folder is looked up under its real path first, then under the path by
/// which it was reached.
pub(crate) fn decide<'a>(
    world: World<'_>,
    projects: &Projects,
    folders: impl IntoIterator<Item = &'a AbsPath>,
) -> Option<Decision> {
    folders.into_iter().find_map(|folder| {
        let real = world.fs.canonicalize(folder).unwrap_or_else(|_| folder.clone());
        [&real, folder].into_iter().find_map(|path| {
            let (key, project) = projects.get_key_value(path.as_str())?;
            Some(Decision { key: key.clone(), level: project.trust_level? })
        })
    })
}
