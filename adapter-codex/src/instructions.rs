//! The instruction files: the person's own one and the project's chain, and the
//! item that the model gets of them.

use adapter_agents_md::{BlankFiles, Convention, Trim, UnreadableFiles, resolve, resolve_dir};
use memory_core::{
    AbsPath, InstructionChain, Layer, LayerKind, Loaded, Omission, Outcome, Provenance, Quirk,
    Scope, Via, World,
};

use crate::config::settings::Config;
use crate::config::texts::{ConfiguredText, Texts};
use crate::config::types::TrustLevel;
use crate::profile::CLIENT;
use crate::quirks;

/// The file names of every folder, the most preferred first.
pub(crate) const NAMES: [&str; 2] = ["AGENTS.override.md", "AGENTS.md"];

/// How the file in the Codex home is chosen.
pub(crate) fn of_home() -> Convention {
    Convention {
        client: CLIENT,
        scope: Scope::User,
        names: NAMES.map(str::to_owned).into(),
        blank_files: BlankFiles::FallThrough,
        unreadable_files: UnreadableFiles::Skip,
        trim: Trim::BothEnds,
        ..Convention::default()
    }
}

/// How the file of a project's folder is chosen.
pub(crate) fn of_project(config: &Config) -> Convention {
    Convention {
        client: CLIENT,
        scope: Scope::Project,
        kind: LayerKind::Instructions,
        names: NAMES.map(str::to_owned).into(),
        fallbacks: config.fallbacks.clone(),
        root_markers: config.markers.clone(),
        max_bytes: Some(config.max_bytes),
        blank_files: BlankFiles::HideOthers,
        unreadable_files: UnreadableFiles::DropChain,
        trim: Trim::Keep,
    }
}

/// The texts of the configuration that are sent before the files and after them.
pub(crate) struct TextLayers {
    pub(crate) before: Vec<Layer>,
    pub(crate) after: Vec<Layer>,
}

/// The texts of the configuration as layers; those that a stronger layer
/// replaces stand in front of it.
pub(crate) fn text_layers(texts: &Texts) -> TextLayers {
    let before = texts.base.iter().chain(&texts.developer).flat_map(configured).collect();
    TextLayers { before, after: texts.managed.iter().flat_map(configured).collect() }
}

fn configured(text: &ConfiguredText) -> Vec<Layer> {
    let layer = |scope, path: &Option<AbsPath>, key, from: &Option<AbsPath>, outcome| Layer {
        kind: text.kind,
        provenance: Provenance {
            client: CLIENT,
            scope,
            path: path.clone(),
            via: Via::Setting { key, from: from.clone() },
        },
        outcome,
    };
    let replaced = text.replaced.iter().map(|below| {
        let what = format!("`{}`", text.key);
        let reason = Omission::Replaced { what, by: text.path.clone() };
        let outcome = Outcome::Omitted { reason, quirk: None };
        layer(below.scope, &below.path, below.key, &below.path, outcome)
    });
    let mut layers: Vec<Layer> = replaced.collect();
    layers.reverse();
    // An empty text is no item, but still takes those below it away; one of
    // white space alone is sent.
    let outcome = if text.text.is_empty() {
        Outcome::Omitted { reason: Omission::Blank, quirk: None }
    } else {
        Outcome::Loaded(Loaded {
            text: text.text.as_str().into(),
            label: None,
            size: text.size,
            cut: None,
            taken_out: Vec::new(),
        })
    };
    layers.push(layer(text.scope, &text.path, text.key, &text.from, outcome));
    layers
}

/// Both halves of the chain.
pub(crate) struct Chains {
    /// The file in the Codex home.
    pub(crate) global: InstructionChain,
    /// The project's files, root first.
    pub(crate) project: InstructionChain,
}

/// Resolves both halves.
pub(crate) fn chains(
    world: World<'_>,
    config: &Config,
    codex_home: &AbsPath,
    cwd: &AbsPath,
) -> Chains {
    let mut chains = Chains {
        global: resolve_dir(world, &of_home(), codex_home),
        project: resolve(world, &of_project(config), cwd),
    };
    if config.markers.iter().any(|marker| marker.contains('\0')) {
        for layer in &mut chains.project.layers {
            let setting = "a NUL in project_root_markers".to_owned();
            let reason = Omission::Disabled { setting };
            layer.outcome = Outcome::Omitted { reason, quirk: None };
        }
        nothing_used(&mut chains.project);
    }
    if let Some(decision) =
        config.trust.as_ref().filter(|entry| entry.level == TrustLevel::Untrusted)
    {
        let setting = format!("projects.{:?}.trust_level = \"untrusted\"", decision.key);
        for layer in &mut chains.project.layers {
            let reason = Omission::Untrusted { setting: setting.clone() };
            layer.outcome = Outcome::Omitted { reason, quirk: None };
        }
        nothing_used(&mut chains.project);
    }
    name_quirks(&mut chains.global.layers, global_quirk);
    name_quirks(&mut chains.project.layers, project_quirk);
    chains
}

/// A chain of which nothing is loaded takes nothing of its budget.
fn nothing_used(chain: &mut InstructionChain) {
    if let Some(budget) = &mut chain.budget {
        budget.used = 0;
    }
}

fn name_quirks(layers: &mut [Layer], quirk_of: fn(&Omission) -> Option<&'static Quirk>) {
    for layer in layers {
        if let Outcome::Omitted { reason, quirk } = &mut layer.outcome {
            *quirk = quirk_of(reason);
        }
    }
}

fn global_quirk(reason: &Omission) -> Option<&'static Quirk> {
    match reason {
        Omission::Blank | Omission::NotAFile | Omission::Unreadable(_) => {
            Some(&quirks::GLOBAL_FALLS_THROUGH)
        }
        _ => None,
    }
}

fn project_quirk(reason: &Omission) -> Option<&'static Quirk> {
    match reason {
        Omission::BlankHides { .. } => Some(&quirks::EMPTY_FILE_HIDES),
        Omission::OverBudget { .. } => Some(&quirks::BUDGET_FAVOURS_ROOT),
        Omission::Unreadable(error) if error.kind == memory_core::fs::IoErrorKind::Loop => {
            Some(&quirks::LINK_LOOP_DROPS_CHAIN)
        }
        Omission::ChainLost { .. } | Omission::Unreadable(_) => {
            Some(&quirks::UNREADABLE_DROPS_CHAIN)
        }
        Omission::Untrusted { .. } => Some(&quirks::UNTRUSTED_DROPS_INSTRUCTIONS),
        _ => None,
    }
}

/// The complete item with the client's wrapper; `None` when nothing is loaded.
pub(crate) fn rendered(chains: &Chains, cwd: &AbsPath) -> Option<String> {
    let global = texts(&chains.global);
    let project = texts(&chains.project);
    let place = if project.is_empty() { String::new() } else { format!(" for {cwd}") };
    let mut parts = vec!["# AGENTS.md instructions", &place, "\n\n<INSTRUCTIONS>\n"];
    match (global.first(), project.as_slice()) {
        (None, []) => return None,
        (Some(global), []) => parts.push(global),
        (Some(global), _) => parts.extend([*global, "\n\n--- project-doc ---\n\n"]),
        (None, _) => {}
    }
    for (at, text) in project.iter().enumerate() {
        parts.extend([if at == 0 { "" } else { "\n\n" }, *text]);
    }
    parts.push("\n</INSTRUCTIONS>");
    // Put together once: the files may be large.
    Some(parts.concat())
}

fn texts(chain: &InstructionChain) -> Vec<&str> {
    chain.loaded().map(|(_, loaded)| &*loaded.text).collect()
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use memory_core::{AbsPath, Env, World};

    use crate::codex::{Codex, Query};

    #[test]
    fn a_chain_that_is_not_loaded_takes_nothing_of_the_budget() {
        for config in [
            "project_root_markers = [\"a\\u0000b\"]\n",
            "[projects.\"/repo\"]\ntrust_level = \"untrusted\"\n",
        ] {
            let fs = MemFs::from_files([
                ("/h/.codex/config.toml", config),
                ("/repo/AGENTS.md", "Run the tests.\n"),
            ]);
            let env = Env::with_home(AbsPath::new("/h").unwrap());
            let query = Query::new(AbsPath::new("/repo").unwrap());
            let found = Codex::default().resolve(World { fs: &fs, env: &env }, &query).unwrap();
            assert_eq!(found.chain.loaded().count(), 0, "{config}");
            let budget = found.chain.budget.unwrap();
            assert_eq!((budget.used, budget.wanted), (0, 15), "{config}");
        }
    }
}
