//! What still names the place where a project was.

use memory_core::doc::LineIndex;
use memory_core::{AbsPath, Code, Diagnostic, Error, Severity, World};
use toml_edit::{Document, TableLike};

use crate::codex::Codex;
use crate::config::home::codex_home;

/// The largest configuration that is looked at, in bytes.
const MAX_LEN: u64 = 4 * 1024 * 1024;

impl Codex {
    /// Tells the entries of Codex's configuration that name `old`, or a folder
    /// in it, for a project that lies at `new` now.
    ///
    /// `cwd` is where a relative `CODEX_HOME` counts from. A configuration that
    /// cannot be read has none. Errors when the home directory is not known.
    pub fn entries_of_moved(
        &self,
        world: World<'_>,
        cwd: &AbsPath,
        old: &AbsPath,
        new: &AbsPath,
    ) -> Result<Vec<Diagnostic>, Error> {
        let Ok(home) = codex_home(world, cwd)? else { return Ok(Vec::new()) };
        let path = home.join("config.toml");
        let text = world.fs.read_up_to(&path, MAX_LEN).ok();
        let Some(text) = text.and_then(|bytes| String::from_utf8(bytes).ok()) else {
            return Ok(Vec::new());
        };
        let Ok(document) = Document::parse(text.as_str()) else { return Ok(Vec::new()) };
        let projects = document.get("projects").and_then(toml_edit::Item::as_table_like);
        let lines = LineIndex::new(text.as_bytes());
        let entries = projects.into_iter().flat_map(TableLike::iter);
        let told = entries.filter_map(|(key, entry)| {
            let below = AbsPath::new(key).ok()?.strip_prefix(old)?.to_owned();
            let at = projects?.key(key).and_then(toml_edit::Key::span).or_else(|| entry.span());
            let told = entry_of_old(&path, key, &new.join(below));
            Some(match at {
                Some(span) => told.on_line(lines.line(span.start)),
                None => told,
            })
        });
        Ok(told.collect())
    }
}

fn entry_of_old(path: &AbsPath, key: &str, new: &AbsPath) -> Diagnostic {
    let message = format!("the entry for `{key}` keeps naming the place where the project was");
    Diagnostic::new(Code("codex/relocate-old-entry"), Severity::Warning, message)
        .at(path)
        .help(format!("write `[projects.{:?}]` in its place", new.to_string()))
}

#[cfg(test)]
mod tests {
    use memory_core::Env;
    use memory_core::fs::MemFs;

    use super::*;

    fn told(config: &str) -> Vec<(Option<u32>, String)> {
        let path = |text| AbsPath::new(text).unwrap();
        let fs = MemFs::from_files([("/h/.codex/config.toml", config)]);
        let env = Env::with_home(path("/h"));
        let world = World { fs: &fs, env: &env };
        let found =
            Codex::default().entries_of_moved(world, &path("/w"), &path("/w/old"), &path("/w/new"));
        found.unwrap().into_iter().map(|told| (told.line, told.help.unwrap())).collect()
    }

    #[test]
    fn entries_of_the_old_place_are_told_with_their_lines() {
        let config = "model = \"m\"\n\n[projects.\"/w/old\"]\ntrust_level = \"trusted\"\n\
                      [projects.\"/w/old/日本\"]\n[projects.\"/w/older\"]\n";
        let help = |path: &str| format!("write `[projects.\"{path}\"]` in its place");
        assert_eq!(told(config), [(Some(3), help("/w/new")), (Some(5), help("/w/new/日本"))]);
        let inline = "projects = { \"/w/old\" = { trust_level = \"trusted\" } }\n";
        assert_eq!(told(inline), [(Some(1), help("/w/new"))]);
    }

    #[test]
    fn a_configuration_without_projects_or_that_is_none_is_silent() {
        for config in ["", "projects = 1\n", "[projects\n", "a = [", "[projects]\nx = 1\n"] {
            assert!(told(config).is_empty(), "{config}");
        }
    }
}
