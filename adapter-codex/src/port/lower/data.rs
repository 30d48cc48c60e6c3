//! Folders whose files are data of a tool.

use memory_core::AbsPath;
use memory_core::fs::FileKind;

use crate::port::folder::names;
use crate::port::ground::Ground;

/// Files that make a folder a package, whatever else lies in it.
const MANIFESTS: [&str; 16] = [
    "package.json",
    "Cargo.toml",
    "pyproject.toml",
    "setup.py",
    "go.mod",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "composer.json",
    "Gemfile",
    "mix.exs",
    "deno.json",
    "pubspec.yaml",
    "Package.swift",
    "CMakeLists.txt",
    "BUILD.bazel",
];

/// Names that folders have whose files a tool takes up one by one.
const NAMES: [&str; 24] = [
    "migrations",
    "migrate",
    "seeds",
    "seeders",
    "fixtures",
    "testdata",
    "data",
    "snapshots",
    "__snapshots__",
    "locales",
    "locale",
    "i18n",
    "translations",
    "assets",
    "public",
    "static",
    "content",
    "posts",
    "templates",
    "queries",
    "sql",
    "schemas",
    "prompts",
    "versions",
];

/// Extensions of files that people write programs in.
const PROGRAMS: &str = " c cc clj cljs cpp cs css cts cxx dart ex exs erl f90 fs go h hpp hs java jl js jsx kt kts \
     less lua m mjs ml mm mts php pl py r rb rs scala scss sh svelte swift ts tsx vue zig ";

/// Names of a folder that are looked at.
const MAX_ENTRIES: usize = 2_000;

/// Whether a folder has neither instructions nor a manifest of a package, and
/// holds files that a tool reads one by one, so that one more would be read too.
pub(super) fn is_data(ground: &Ground<'_>, dir: &AbsPath) -> bool {
    if *dir == ground.project {
        return false;
    }
    let own = names(ground);
    let Ok(entries) = ground.world.fs.read_dir(dir) else { return false };
    let (mut files, mut programs) = (0_usize, 0_usize);
    for entry in entries.take(MAX_ENTRIES).flatten() {
        let name = entry.name.as_str();
        if own.iter().any(|known| known == name) || MANIFESTS.contains(&name) {
            return false;
        }
        if entry.kind == FileKind::File && !name.starts_with('.') {
            files += 1;
            let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
            programs += usize::from(PROGRAMS.contains(&format!(" {} ", extension.to_lowercase())));
        }
    }
    let name = dir.file_name().unwrap_or_default().to_lowercase();
    NAMES.contains(&name.as_str()) || files > 0 && programs == 0
}
