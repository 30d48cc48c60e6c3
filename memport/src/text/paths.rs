//! Paths as short as they can be said.

use super::visible::visible;

/// Says paths from where the reader stands.
#[derive(Clone, Debug)]
pub(super) struct Paths {
    cwd: String,
    home: Option<String>,
}

impl Paths {
    pub(super) fn new(cwd: &str, home: Option<&str>) -> Self {
        Self { cwd: cwd.to_owned(), home: home.filter(|home| *home != "/").map(str::to_owned) }
    }

    /// A file: below the start folder or beside a folder above it, below `~`,
    /// or in full, whichever is shortest.
    pub(super) fn file(&self, path: &str) -> String {
        if let Some(rest) = below(path, &self.cwd) {
            return visible(if rest.is_empty() { "." } else { rest }).into_owned();
        }
        let folder = self.folder(path);
        match self.climb(path) {
            Some(climbed) if climbed.len() <= folder.len() => visible(&climbed).into_owned(),
            _ => folder,
        }
    }

    /// A folder: below `~` or in full.
    pub(super) fn folder(&self, path: &str) -> String {
        let rest = self.home.as_deref().and_then(|home| below(path, home));
        match rest {
            Some("") => "~".to_owned(),
            Some(rest) => format!("~/{}", visible(rest)),
            None => visible(path).into_owned(),
        }
    }

    /// A sentence whose quoted paths are said short.
    pub(super) fn in_prose(&self, text: &str) -> String {
        let mut text = text.replace(&format!("`{}/", self.cwd.trim_end_matches('/')), "`");
        if self.cwd != "/" {
            text = text.replace(&format!("`{}`", self.cwd), "`.`");
        }
        if let Some(home) = &self.home {
            text = text.replace(&format!("`{home}/"), "`~/").replace(&format!("`{home}`"), "`~`");
        }
        visible(&text).into_owned()
    }

    /// `../AGENTS.md` for a file that lies in a folder above the start folder.
    fn climb(&self, path: &str) -> Option<String> {
        let (folder, name) = path.rsplit_once('/')?;
        let down = below(&self.cwd, if folder.is_empty() { "/" } else { folder })?;
        Some(format!("{}{name}", "../".repeat(down.split('/').count())))
    }
}

/// The part of `path` below `base`, empty when both are the same.
fn below<'a>(path: &'a str, base: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(base)?;
    if rest.is_empty() || base.ends_with('/') { Some(rest) } else { rest.strip_prefix('/') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_way_to_say_a_path_wins() {
        let paths = Paths::new("/home/mio/shop/web", Some("/home/mio"));
        for (path, said) in [
            ("/home/mio/shop/web/src/a.md", "src/a.md"),
            ("/home/mio/shop/AGENTS.md", "../AGENTS.md"),
            ("/home/mio/shop/.claude/rules/a.md", "~/shop/.claude/rules/a.md"),
            ("/home/mio/AGENTS.md", "~/AGENTS.md"),
            ("/home/miou/x.md", "/home/miou/x.md"),
            ("/home/mio/shop/web", "."),
            ("/etc/codex/x\n", "/etc/codex/x\\n"),
        ] {
            assert_eq!(paths.file(path), said);
        }
        assert_eq!(
            paths.in_prose("`/home/mio/shop/web/a.md` and `/home/mio/b.md`"),
            "`a.md` and `~/b.md`"
        );
        assert_eq!(Paths::new("/", None).file("/a.md"), "a.md");
    }
}
