//! The plugin name in front of a skill's name.

use std::collections::HashMap;

use memory_core::AbsPath;
use memory_core::fs::Fs;
use serde::Deserialize;

/// Where a plugin may say its name, the first file that is there deciding.
const MANIFESTS: [&str; 3] =
    [".codex-plugin/plugin.json", ".claude-plugin/plugin.json", ".cursor-plugin/plugin.json"];
/// Bytes of a manifest that are read at most.
const MAX_BYTES: u64 = 1 << 20;

#[derive(Deserialize)]
struct Manifest {
    #[serde(default)]
    name: String,
}

/// Finds plugin names, each folder being asked once.
pub(super) struct Namespaces<'a> {
    fs: &'a dyn Fs,
    known: HashMap<AbsPath, Option<String>>,
}

impl<'a> Namespaces<'a> {
    /// Knows nothing yet.
    pub(super) fn new(fs: &'a dyn Fs) -> Self {
        Self { fs, known: HashMap::new() }
    }

    /// The name of the nearest plugin at or above a real folder.
    pub(super) fn of(&mut self, folder: &AbsPath) -> Option<String> {
        let mut asked = Vec::new();
        let mut name = None;
        for dir in folder.ancestors() {
            if let Some(known) = self.known.get(&dir) {
                name.clone_from(known);
                break;
            }
            name = plugin_name(self.fs, &dir);
            asked.push(dir);
            if name.is_some() {
                break;
            }
        }
        self.known.extend(asked.into_iter().map(|dir| (dir, name.clone())));
        name
    }
}

/// The name of the plugin whose folder this is; a manifest that cannot be read
/// makes it no plugin.
fn plugin_name(fs: &dyn Fs, dir: &AbsPath) -> Option<String> {
    let manifest = MANIFESTS
        .iter()
        .map(|manifest| dir.join(manifest))
        .find(|path| fs.metadata(path).is_ok_and(|found| found.is_file()))?;
    let bytes = fs.read_up_to(&manifest, MAX_BYTES).ok()?;
    let Manifest { name } = serde_json::from_slice(&bytes).ok()?;
    match dir.file_name() {
        Some(folder) if name.trim().is_empty() => Some(folder.to_owned()),
        _ => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;

    use super::*;

    fn name(fs: &MemFs, folder: &str) -> Option<String> {
        Namespaces::new(fs).of(&AbsPath::new(folder).unwrap())
    }

    #[test]
    fn the_nearest_readable_manifest_gives_the_name() {
        let mut fs = MemFs::from_files([
            ("/p/.codex-plugin/plugin.json", r#"{"name":"top"}"#),
            ("/p/a/.codex-plugin/plugin.json", "nope"),
            ("/p/a/.claude-plugin/plugin.json", r#"{"name":"hidden"}"#),
            ("/p/b/.cursor-plugin/plugin.json", r#"{"name":" "}"#),
            ("/p/c/.codex-plugin/plugin.json", r#"{"name":"a","name":"b"}"#),
            ("/p/d/.codex-plugin/plugin.json", r#"["listed"]"#),
        ]);
        fs.dir("/p/e/.codex-plugin/plugin.json")
            .file("/p/e/.claude-plugin/plugin.json", r#"{"name":"e"}"#);
        for (folder, want) in [
            ("/p/a/x", "top"),
            ("/p/b/x/y", "b"),
            ("/p/c", "top"),
            ("/p/d", "listed"),
            ("/p/e", "e"),
        ] {
            assert_eq!(name(&fs, folder).as_deref(), Some(want), "{folder}");
        }
        assert_eq!(name(&fs, "/q"), None);
    }

    #[test]
    fn a_folder_is_asked_once() {
        let fs = MemFs::from_files([("/p/.codex-plugin/plugin.json", r#"{"name":"p"}"#)]);
        let seen = memory_core::fs::Recorder::new(&fs);
        let mut names = Namespaces::new(&seen);
        let path = |text: &str| AbsPath::new(text).unwrap();
        assert_eq!(names.of(&path("/p/a/b")).as_deref(), Some("p"));
        let calls = seen.calls();
        assert_eq!(names.of(&path("/p/a/b")).as_deref(), Some("p"));
        assert_eq!(seen.calls(), calls);
    }
}
