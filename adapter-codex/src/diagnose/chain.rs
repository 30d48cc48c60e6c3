//! What became of the instruction files that a person would not expect.

use memory_core::{
    AbsPath, Code, Diagnostic, InstructionChain, Omission, Severity, World, counted, grouped,
};

use super::lost::headings;
use crate::config::git;
use crate::config::settings::Config;
use crate::instructions::Chains;

/// What is left out, cut or dropped, and why.
pub(super) fn chain(
    world: World<'_>,
    config: &Config,
    chains: &Chains,
    cwd: &AbsPath,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    empty_files(&chains.project, &mut diagnostics);
    dropped_chain(&chains.project, &mut diagnostics);
    budget(world, config, &chains.project, &mut diagnostics);
    untrusted(&chains.project, &mut diagnostics);
    empty_git_folder(world, config, cwd, &mut diagnostics);
    fallback_paths(config, &mut diagnostics);
    too_large(&chains.global, &mut diagnostics);
    too_large(&chains.project, &mut diagnostics);
    diagnostics
}

fn empty_files(chain: &InstructionChain, diagnostics: &mut Vec<Diagnostic>) {
    for (layer, reason, _) in chain.omitted() {
        let (Omission::BlankHides { .. }, Some(path)) = (reason, &layer.provenance.path) else {
            continue;
        };
        diagnostics.push(
            Diagnostic::new(Code("codex/empty-file-hides"), Severity::Warning, reason.to_string())
                .at(path)
                .help("delete the empty file, or move the text into it"),
        );
    }
}

fn dropped_chain(chain: &InstructionChain, diagnostics: &mut Vec<Diagnostic>) {
    let because = chain.omitted().find_map(|(layer, reason, _)| match reason {
        Omission::ChainLost { because } => Some((because.clone(), "it cannot be read")),
        Omission::Unreadable(_) => Some((layer.provenance.path.clone()?, "it cannot be read")),
        _ => None,
    });
    if let Some((path, why)) = because {
        diagnostics.push(
            Diagnostic::new(
                Code("codex/chain-dropped"),
                Severity::Error,
                format!("no project file is loaded because of this one: {why}"),
            )
            .at(&path)
            .help("make the file readable, repair the link, or remove it"),
        );
    }
}

fn budget(
    world: World<'_>,
    config: &Config,
    chain: &InstructionChain,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let cut = chain.loaded().find_map(|(layer, loaded)| Some((layer, loaded.cut?)));
    if let Some((layer, cut)) = cut {
        let path = layer.provenance.path.as_ref();
        let headings = path.map(|path| headings(world, path, cut.at_byte)).unwrap_or_default();
        let mut diagnostic = Diagnostic::new(
            Code("codex/doc-truncated"),
            Severity::Warning,
            format!(
                "cut at byte {} in line {}; lost: {}{}",
                grouped(cut.at_byte),
                grouped(cut.at_line),
                counted(cut.lost_bytes, "byte"),
                clause(&headings),
            ),
        )
        .on_line(u32::try_from(cut.at_line).unwrap_or(u32::MAX))
        .help(raise(config, chain));
        diagnostic.path.clone_from(&layer.provenance.path);
        diagnostics.push(diagnostic);
    }
    let dropped: Vec<_> = chain
        .omitted()
        .filter(|(_, reason, _)| matches!(reason, Omission::OverBudget { .. }))
        .filter_map(|(layer, ..)| layer.provenance.path.clone())
        .collect();
    if let Some(first) = dropped.first() {
        let others = match dropped.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        diagnostics.push(
            Diagnostic::new(
                Code("codex/doc-over-budget"),
                Severity::Warning,
                format!(
                    "the budget was used up before this file{others}: nothing of it is loaded{}",
                    clause(&headings(world, first, 0)),
                ),
            )
            .at(first)
            .help(raise(config, chain)),
        );
    }
}

/// What follows a sentence after a semicolon, where there is something.
fn clause(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("; {text}") }
}

/// How the budget becomes large enough for all files together.
fn raise(config: &Config, chain: &InstructionChain) -> String {
    let Some(budget) = chain.budget else { return String::new() };
    let setting = config.setting_file(&["project_doc_max_bytes"]);
    let wanted = budget.wanted;
    format!(
        "write `project_doc_max_bytes = {wanted}` in {}, or shorten the files nearer the root",
        setting.words()
    )
}

fn untrusted(chain: &InstructionChain, diagnostics: &mut Vec<Diagnostic>) {
    let found = chain.omitted().find_map(|(_, reason, _)| match reason {
        Omission::Untrusted { setting } => Some(setting),
        _ => None,
    });
    if let Some(setting) = found {
        diagnostics.push(
            Diagnostic::new(
                Code("codex/project-untrusted"),
                Severity::Warning,
                format!("no project file is loaded: {setting}"),
            )
            .help("skills of the project are listed all the same; remove the entry or trust the project"),
        );
    }
}

fn empty_git_folder(
    world: World<'_>,
    config: &Config,
    cwd: &AbsPath,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if !config.markers.iter().any(|marker| marker.trim_end_matches('/') == ".git") {
        return;
    }
    let nearest = cwd.ancestors().map(|dir| dir.join(".git"));
    let nearest = nearest.into_iter().find(|dot_git| world.fs.metadata(dot_git).is_ok());
    // What cannot be looked at may well be a repository.
    let has_no_head = |dot_git: &AbsPath| {
        let head = world.fs.metadata(&dot_git.join("HEAD"));
        !git::is_repository(world, dot_git) && head.is_err_and(|error| error.is_absence())
    };
    if let Some(dot_git) = nearest.filter(has_no_head) {
        diagnostics.push(
            Diagnostic::new(
                Code("codex/empty-git-folder"),
                Severity::Warning,
                "this folder is no repository and still ends the search for AGENTS.md",
            )
            .at(&dot_git)
            .help("it has no HEAD, so it does not count for trust and configuration; run `git init` in its folder, or remove it if it is a leftover"),
        );
    }
}

fn fallback_paths(config: &Config, diagnostics: &mut Vec<Diagnostic>) {
    let ignored: Vec<_> = config
        .fallbacks
        .iter()
        .filter(|entry| adapter_agents_md::plain_name(entry).is_none())
        .map(|entry| format!("{entry:?}"))
        .collect();
    if !ignored.is_empty() {
        diagnostics.push(
            Diagnostic::new(
                Code("codex/fallback-ignored"),
                Severity::Warning,
                format!(
                    "entries of project_doc_fallback_filenames are ignored: {}",
                    ignored.join(", ")
                ),
            )
            .help("only plain file names count"),
        );
    }
}

fn too_large(chain: &InstructionChain, diagnostics: &mut Vec<Diagnostic>) {
    for (layer, reason, _) in chain.omitted() {
        if let (Omission::TooLarge { .. }, Some(path)) = (reason, &layer.provenance.path) {
            diagnostics.push(
                Diagnostic::new(Code("codex/file-too-large"), Severity::Error, reason.to_string())
                    .at(path)
                    .help("no model can use a file of this size; remove it or shorten it"),
            );
        }
    }
}
