//! The instruction item as the model gets it.

use memory_core::{AbsPath, InstructionChain};

use crate::chain::Chains;

/// The complete item with the client's wrapper; `None` when nothing is loaded.
pub(crate) fn instructions(chains: &Chains, cwd: &AbsPath) -> Option<String> {
    let global = texts(&chains.global);
    let project = texts(&chains.project);
    let title = "# AGENTS.md instructions";
    let (header, body) = match (global.first(), project.as_slice()) {
        (None, []) => return None,
        (Some(global), []) => (title.to_owned(), (*global).to_owned()),
        (global, project) => {
            let project = project.join("\n\n");
            let body = match global {
                Some(global) => format!("{global}\n\n--- project-doc ---\n\n{project}"),
                None => project,
            };
            (format!("{title} for {cwd}"), body)
        }
    };
    Some(format!("{header}\n\n<INSTRUCTIONS>\n{body}\n</INSTRUCTIONS>"))
}

fn texts(chain: &InstructionChain) -> Vec<&str> {
    chain.loaded().map(|(_, loaded)| &*loaded.text).collect()
}
