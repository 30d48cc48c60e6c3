//! Files that a person takes for instructions and the client does not read.

use memory_core::{AbsPath, Code, Diagnostic, InstructionChain, Severity, World};

use adapter_agents_md::{MarkerErrors, find_root};

use crate::config::arguments::Arguments;
use crate::config::settings::Config;
use crate::instructions::NAMES;

/// Names that look like one that is read. Letters count as they are.
const NEAR_MISSES: [&str; 5] = ["AGENT.md", "agents.md", "Agents.md", "AGENTS.MD", "agent.md"];

/// Files with nearly the right name, in the start folder and in the root: only
/// there, so that the look costs the same at every depth.
pub(super) fn names(
    world: World<'_>,
    config: &Config,
    chain: &InstructionChain,
    cwd: &AbsPath,
) -> Vec<Diagnostic> {
    let root = find_root(world, &config.markers, cwd, MarkerErrors::Absent);
    let mut folders: Vec<AbsPath> = root.into_iter().filter(|root| root != cwd).collect();
    folders.push(cwd.clone());
    let has_own = |folder: &&AbsPath| {
        let mut paths = chain.layers.iter().filter_map(|layer| layer.provenance.path.as_ref());
        paths.any(|path| path.parent().as_ref() == Some(*folder))
    };
    let candidates = folders.iter().filter(|folder| !has_own(folder));
    let names = candidates.flat_map(|folder| NEAR_MISSES.map(|name| folder.join(name)));
    let found = names.filter(|path| world.fs.metadata(path).is_ok_and(|found| found.is_file()));
    found
        .map(|path| {
            let message = "Codex does not read a file of this name: it has to be `AGENTS.md`";
            Diagnostic::new(Code("codex/near-miss-name"), Severity::Warning, message)
                .at(&path)
                .help("rename it to `AGENTS.md`, or list its name in `project_doc_fallback_filenames` of config.toml")
        })
        .collect()
}

/// Instruction files of folders that the client may write to: it reads none there.
pub(super) fn added_folders(world: World<'_>, args: &Arguments, cwd: &AbsPath) -> Vec<Diagnostic> {
    let folders = args.added_folders.iter().map(|folder| cwd.join(folder));
    let files = folders.flat_map(|folder| NAMES.map(|name| folder.join(name)));
    let found = files.filter(|path| world.fs.metadata(path).is_ok_and(|found| found.is_file()));
    found
        .map(|path| {
            let message = "this file is not read: `--add-dir` only lets Codex write to its folder";
            Diagnostic::new(Code("codex/add-dir-not-read"), Severity::Hint, message)
                .at(&path)
                .help("start Codex in that folder, or carry over what matters here")
        })
        .collect()
}
