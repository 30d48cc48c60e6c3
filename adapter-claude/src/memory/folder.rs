//! Where auto memory lies, and whether there is any.

use memory_core::{AbsPath, RelPath};
use serde_json::Value;

use super::slug::slug;
use crate::context::Context;

/// The memory folder of a start; `None` when auto memory is off.
pub(crate) fn folder(context: &Context<'_>) -> Option<AbsPath> {
    is_on(context).then(|| place(context))
}

/// Where the memory folder of a start lies, whether auto memory is on or off.
pub(crate) fn place(context: &Context<'_>) -> AbsPath {
    let given = from_variable(context).or_else(|| from_setting(context));
    given.unwrap_or_else(|| usual(context))
}

fn is_on(context: &Context<'_>) -> bool {
    let (arguments, settings) = (context.arguments, context.settings);
    let is_bare = arguments.bare || arguments.safe_mode || arguments.restricted;
    if is_bare || settings.is_on("CLAUDE_CODE_SIMPLE") || settings.is_on("CLAUDE_CODE_SAFE_MODE") {
        return false;
    }
    // Turned off by a variable or not: both stand above the settings.
    if let Some(off) = settings.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY").and_then(switch) {
        return !off;
    }
    if settings.is_on("CLAUDE_CODE_REMOTE") && remote(context).is_none() {
        return false;
    }
    let enabled = settings.find("autoMemoryEnabled", Value::is_boolean);
    enabled.and_then(|(_, value)| value.as_bool()).unwrap_or(true)
}

/// What a variable that is a switch says; `None` when it says nothing.
fn switch(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Some(true),
        "0" | "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

/// Where a remote session keeps all memory; `None` for any other session.
pub(crate) fn remote(context: &Context<'_>) -> Option<AbsPath> {
    let dir = context.settings.var("CLAUDE_CODE_REMOTE_MEMORY_DIR")?;
    (!dir.is_empty()).then(|| context.layout.cwd.join(dir))
}

fn from_variable(context: &Context<'_>) -> Option<AbsPath> {
    accepted(context.settings.var("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE")?)
}

/// The strongest setting decides, even when the client cannot accept its folder.
fn from_setting(context: &Context<'_>) -> Option<AbsPath> {
    let (_, value) = context.settings.find("autoMemoryDirectory", Value::is_string)?;
    custom(value.as_str()?, &context.layout.home)
}

/// A folder named by a setting; `None` when the client ignores it.
fn custom(text: &str, home: &AbsPath) -> Option<AbsPath> {
    let Some(below) = text.strip_prefix("~/") else { return accepted(text) };
    let below = RelPath::new(below).filter(|below| !below.as_str().is_empty())?;
    Some(home.join(below.as_str()))
}

/// An absolute path that is long enough to be meant.
fn accepted(text: &str) -> Option<AbsPath> {
    let path = AbsPath::new(text).ok().filter(|_| text.starts_with('/') && !text.contains('\0'))?;
    (path.as_str().len() >= SHORTEST).then_some(path)
}

/// Shortest folder that the client accepts, in bytes: `/` and `/a` are refused.
const SHORTEST: usize = 3;

fn usual(context: &Context<'_>) -> AbsPath {
    let base = remote(context).unwrap_or_else(|| context.layout.config.clone());
    base.join("projects").join(project(context)).join("memory")
}

/// The folder name of a start's project: a linked worktree shares that of the
/// checkout it comes from.
pub(crate) fn project(context: &Context<'_>) -> String {
    slug(&context.layout.main_root().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_names_an_absolute_folder_or_one_below_home() {
        let home = AbsPath::new("/home/mio").unwrap();
        for (text, want) in [
            ("/mnt/mm/", Some("/mnt/mm")),
            ("/mnt/x/../mm", Some("/mnt/mm")),
            ("//srv/share", Some("/srv/share")),
            ("~/メモ", Some("/home/mio/メモ")),
            ("mm", None),
            ("./mm", None),
            ("~", None),
            ("~/", None),
            ("~/../mm", None),
            ("/", None),
            ("/a", None),
            ("", None),
            ("$HOME/mm", None),
            ("/a\0b", None),
            ("C:/mm", None),
        ] {
            let found = custom(text, &home);
            assert_eq!(found.as_ref().map(AbsPath::as_str), want, "{text:?}");
        }
    }

    #[test]
    fn a_switch_is_on_off_or_nothing() {
        assert_eq!(
            ["1", "TRUE", "0", "off", "", "x"].map(switch),
            [Some(true), Some(true), Some(false), Some(false), None, None]
        );
    }
}
