use memory_core::fs::Metadata;
use memory_core::{AbsPath, Code, Diagnostic, LayerKind, Omission, Outcome, Severity, Via};

use crate::context::Context;
use crate::instructions::load::Item;

/// Punctuation that a writer puts after a path and the client takes for a part of it.
pub(super) const CLOSING: &[char] = &[
    '.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '。', '、', '，', '）', '」', '』',
    '：',
];

/// Imports that load nothing.
pub(super) fn diagnose(context: &Context<'_>, items: &[Item], told: &mut Vec<Diagnostic>) {
    for item in items.iter().filter(|item| item.layer.kind == LayerKind::Import) {
        let provenance = &item.layer.provenance;
        let (Some(path), Via::Imported { from, line }) = (&provenance.path, &provenance.via) else {
            continue;
        };
        let Outcome::Omitted { reason, .. } = &item.layer.outcome else { continue };
        let found = match reason {
            Omission::ImportMissing | Omission::ImportExtension => punctuation(context, path),
            Omission::ImportExternal { approve } => Some(
                Diagnostic::new(
                    Code("claude/import-external"),
                    Severity::Warning,
                    format!("the import of `{path}` is dropped: it lies outside the start folder"),
                )
                .help(format!("{approve} would allow it, and so would starting further up")),
            ),
            _ => None,
        };
        let missing = || {
            matches!(reason, Omission::ImportMissing).then(|| {
                Diagnostic::new(
                    Code("claude/import-missing"),
                    Severity::Warning,
                    format!("the imported file `{path}` is not there"),
                )
                .help("write the file or mend its path; put the `@` in backticks where no import is meant")
            })
        };
        told.extend(found.or_else(missing).map(|found| found.at(from).on_line(*line)));
    }
}

/// The file is there once the punctuation after it is cut off.
fn punctuation(context: &Context<'_>, path: &AbsPath) -> Option<Diagnostic> {
    let name = path.file_name()?;
    let meant = path.parent()?.join(name.trim_end_matches(CLOSING));
    let is_file = context.world.fs.metadata(&meant).as_ref().is_ok_and(Metadata::is_file);
    let tail = name.get(name.trim_end_matches(CLOSING).len()..).filter(|tail| !tail.is_empty())?;
    is_file.then(|| {
        let message = format!("`{tail}` after the path makes this no import of `{meant}`");
        Diagnostic::new(Code("claude/import-punctuation"), Severity::Warning, message)
            .help("put a blank between the path and the punctuation")
    })
}
