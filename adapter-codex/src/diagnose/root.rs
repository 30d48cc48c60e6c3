//! Which folder became the project's root, where a setting decides.

use adapter_agents_md::{MarkerErrors, find_root};
use memory_core::{AbsPath, Code, Diagnostic, Severity, World};

use crate::config::settings::{Config, DEFAULT_MARKER};

/// Says which marker of the configuration made a folder the root; nothing while
/// the client's own marker is in force, which nobody has to be told.
pub(super) fn root(world: World<'_>, config: &Config, cwd: &AbsPath) -> Option<Diagnostic> {
    if config.markers == [DEFAULT_MARKER] {
        return None;
    }
    let code = Code("codex/root-by-marker");
    let setting = config.setting_file(&["project_root_markers"]);
    let place = setting.words();
    let help = format!("`project_root_markers` is set in {place}");
    let Some(root) = find_root(world, &config.markers, cwd, MarkerErrors::Absent) else {
        let message = match config.markers.as_slice() {
            [] => "no folder is a project's root, so only the start folder is searched".to_owned(),
            markers => format!(
                "neither here nor above is any of {}, so only the start folder is searched",
                quoted(markers)
            ),
        };
        return Some(Diagnostic::new(code, Severity::Hint, message).at(cwd).help(help));
    };
    let has = |marker: &&String| world.fs.metadata(&root.join(marker)).is_ok();
    let marker = config.markers.iter().find(has)?;
    let message = format!("`{marker}` makes this folder the project's root; nothing above is read");
    Some(Diagnostic::new(code, Severity::Hint, message).at(&root).help(help))
}

fn quoted(markers: &[String]) -> String {
    let markers: Vec<_> = markers.iter().map(|marker| format!("`{marker}`")).collect();
    markers.join(", ")
}
