//! Where an import leads.

use memory_core::AbsPath;

/// Extensions of files that are imported, in lower case.
const EXTENSIONS: &str = " md txt text json yaml yml toml xml csv html htm css scss sass less js mjs cjs jsx ts mts cts \
     tsx vue svelte astro py pyi pyw rb erb rake rs go java kt kts scala clj cljs cljc edn gradle c h cc cpp cxx \
     hpp hxx cs swift dart lua pl pm php r ex exs erl hrl hs lhs ml mli sh bash zsh fish bat cmd ps1 sql graphql \
     gql proto ini cfg conf config properties env lock log diff patch rst adoc asciidoc org tex cmake make sbt \
     ejs hbs pug jade elm f f90 f95 for makefile ";

/// How many imports in a row are followed.
pub(crate) const MAX_HOPS: u8 = 4;

/// The file that an import names; `base` is the folder of the importing file.
pub(crate) fn target(written: &str, base: &AbsPath, home: &AbsPath) -> AbsPath {
    match written.strip_prefix("~/") {
        Some(below) => home.join(below),
        None => base.join(written),
    }
}

/// Whether the client imports files with this name.
pub(crate) fn extension_is_allowed(path: &AbsPath) -> bool {
    match extension(path.file_name().unwrap_or_default()) {
        None => true,
        Some(extension) => {
            !extension.contains(' ')
                && EXTENSIONS.contains(&format!(" {} ", extension.to_lowercase()))
        }
    }
}

/// What stands behind the last dot, which is an extension unless the name begins
/// with it; an empty one is an extension too.
fn extension(name: &str) -> Option<&str> {
    let (before, extension) = name.rsplit_once('.')?;
    (!before.is_empty() && name != "..").then_some(extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_files_are_imported_and_others_are_not() {
        let allowed = |name: &str| extension_is_allowed(&AbsPath::root().join(name));
        for name in ["a.md", "a.D.TS", "Makefile", ".env", ".gitignore", "x.lock", "a.for"] {
            assert!(allowed(name), "{name}");
        }
        for name in
            ["a.mdx", "a.markdown", "a.svg", "x.ipynb", "a.o", ".x.pdf", "a.md.", "Makefile."]
        {
            assert!(!allowed(name), "{name}");
        }
    }
}
