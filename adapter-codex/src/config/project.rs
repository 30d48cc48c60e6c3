//! The configuration layers of a project's folders.

use memory_core::{AbsPath, World};
use toml::Table;

use super::file::{Wording, read};
use super::git;
use super::layer::{Layer, LayerSource, absolute_paths};
use super::refusal::Refusal;
use super::trust::{Projects, decide};
use super::types::TrustLevel;

/// Keys that a project's configuration cannot set; the client ignores them
/// there.
const IGNORED: &[&str] = &[
    "openai_base_url",
    "chatgpt_base_url",
    "apps_mcp_product_sku",
    "model_provider",
    "model_providers",
    "notify",
    "profile",
    "profiles",
    "experimental_realtime_ws_base_url",
    "otel",
];

/// What the folders of a project contribute.
#[derive(Default)]
pub(super) struct ProjectLayers {
    /// Layers of trusted folders, weakest first.
    pub(super) layers: Vec<Layer>,
    /// All folders with a `.codex` of their own, nearest the start folder first.
    pub(super) dirs: Vec<AbsPath>,
    /// The `.codex` of trusted folders, root first.
    pub(super) trusted: Vec<AbsPath>,
    /// The `.codex` of all other folders, root first.
    pub(super) distrusted: Vec<AbsPath>,
    /// Configuration files that are there and ignored for want of trust.
    pub(super) ignored: Vec<AbsPath>,
}

/// Loads the layers between the project's root and the start folder.
pub(super) fn layers(
    world: World<'_>,
    codex_home: &AbsPath,
    cwd: &AbsPath,
    markers: &[String],
    projects: &Projects,
) -> Result<ProjectLayers, Refusal> {
    let root = layer_root(world, markers, cwd).unwrap_or_else(|| cwd.clone());
    let repository = git::trust_root(world, cwd);
    let real = |path: &AbsPath| world.fs.canonicalize(path).unwrap_or_else(|_| path.clone());
    let mut found = ProjectLayers::default();
    for dir in cwd.from_top(&root) {
        let dot_codex = dir.join(".codex");
        let is_dir = world.fs.metadata(&dot_codex).is_ok_and(|found| found.is_dir());
        if !is_dir || &dot_codex == codex_home || real(&dot_codex) == real(codex_home) {
            continue;
        }
        found.dirs.insert(0, dir.clone());
        let folders = [Some(&dir), Some(&root), repository.as_ref()];
        let decision = decide(world, projects, folders.into_iter().flatten());
        let path = dot_codex.join("config.toml");
        if decision.is_none_or(|decision| decision.level != TrustLevel::Trusted) {
            if world.fs.metadata(&path).is_ok() {
                found.ignored.push(path);
            }
            found.distrusted.push(dot_codex);
            continue;
        }
        found.trusted.push(dot_codex.clone());
        let Some((text, mut values)) = read(world, &path, Wording::Project)? else { continue };
        remove_ignored(&mut values);
        absolute_paths(world, &dot_codex, &mut values);
        found.layers.push(Layer { source: LayerSource::Project, path: Some(path), text, values });
    }
    Ok(found)
}

/// The root for configuration layers: a folder `.git` counts only when it is a
/// repository, every other marker by existence.
fn layer_root(world: World<'_>, markers: &[String], cwd: &AbsPath) -> Option<AbsPath> {
    cwd.ancestors().find(|dir| {
        markers.iter().any(|marker| match marker.trim_end_matches('/') {
            ".git" => git::is_repository(world, &dir.join(".git")),
            marker => world.fs.metadata(&dir.join(marker)).is_ok(),
        })
    })
}

fn remove_ignored(values: &mut Table) {
    for key in IGNORED {
        values.remove(*key);
    }
}
