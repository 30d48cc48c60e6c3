//! What the configuration and the command line hold that has no effect.

use memory_core::{Code, Diagnostic, Severity};

use crate::config::arguments::Arguments;
use crate::config::layer::LayerSource;
use crate::config::session::Session;
use crate::config::settings::Config;
use crate::quirks;

/// The diagnostics about the configuration and the command line.
pub(crate) fn configuration(config: &Config, args: &Arguments) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for file in &config.untrusted_files {
        diagnostics.push(
            Diagnostic::new(
                Code("codex/project-config-untrusted"),
                Severity::Warning,
                "this project's configuration is ignored: the project is not trusted",
            )
            .at(file)
            .help(format!("trust it in config.toml, see {}", quirks::CONFIG_NEEDS_TRUST.id)),
        );
    }
    for (file, key) in &config.unknown_keys {
        diagnostics.push(
            Diagnostic::new(
                Code("codex/unknown-key"),
                Severity::Hint,
                format!("the key `{key}` is not one that Codex is known to read"),
            )
            .at(file)
            .help("check the spelling: Codex ignores unknown keys in silence"),
        );
    }
    for layer in &config.layers {
        if let (LayerSource::Project, Some(file)) = (layer.source, &layer.path)
            && layer.values.contains_key("project_root_markers")
        {
            diagnostics.push(
                Diagnostic::new(
                    Code("codex/markers-ignored"),
                    Severity::Warning,
                    "project_root_markers has no effect in a project's configuration",
                )
                .at(file)
                .help("set it in the user's config.toml"),
            );
        }
    }
    if args.worktree {
        diagnostics.push(
            Diagnostic::new(
                Code("codex/worktree-not-made"),
                Severity::Warning,
                "`--worktree` would run the session in a new worktree, which is not made here",
            )
            .help("the answer is for the folder as it is"),
        );
    }
    if args.session == Session::None {
        diagnostics.push(
            Diagnostic::new(
                Code("codex/no-session"),
                Severity::Hint,
                "this subcommand starts no session; the answer is for the session that `codex` would start",
            )
            .help("leave the subcommand out, or name `exec`"),
        );
    }
    diagnostics
}
