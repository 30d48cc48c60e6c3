//! Every named oddity has its recorded case and stands on the page of quirks.
#![cfg(test)]

use std::collections::BTreeSet;
use std::path::Path;

use memory_core::{ClientId, Quirk};
use tests::{cases, quirk_page};

fn quirks() -> Vec<(ClientId, Vec<&'static Quirk>)> {
    vec![
        (adapter_codex::CLIENT, adapter_codex::quirks().collect()),
        (adapter_claude::CLIENT, adapter_claude::quirks().collect()),
    ]
}

fn all() -> Vec<&'static Quirk> {
    quirks().into_iter().flat_map(|(_, quirks)| quirks).collect()
}

#[test]
fn every_quirk_has_an_id_of_its_own() {
    let mut seen = BTreeSet::new();
    for quirk in all() {
        assert!(seen.insert(quirk.id), "`{}` occurs twice", quirk.id);
        assert!(!quirk.summary.is_empty() && !quirk.versions.is_empty(), "{quirk:?}");
    }
}

#[test]
fn every_quirk_names_a_recorded_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let names: BTreeSet<_> = cases(&folder).unwrap().into_iter().map(|case| case.name).collect();
    let is_recorded = |case: &str| {
        names.contains(case) || is_written_memory(&folder, case) || is_import(&folder, case)
    };
    let lost: Vec<_> = all().into_iter().filter(|quirk| !is_recorded(quirk.case)).collect();
    assert!(lost.is_empty(), "no such case: {lost:#?}");
}

/// Whether a case of `memory_writer` has this name: `writer/NAME`.
fn is_written_memory(folder: &Path, case: &str) -> bool {
    case.starts_with("writer/")
        && folder.join("codex-memory").join(case).join("inputs.json").exists()
}

/// Whether a case of `codex-import` has this name: `codex-import/NAME`.
fn is_import(folder: &Path, case: &str) -> bool {
    let Some(name) = case.strip_prefix("codex-import/") else { return false };
    let path = folder.join("codex-import/import.0.171.0.json");
    let golden = std::fs::read(path).unwrap();
    let golden: serde_json::Value = serde_json::from_slice(&golden).unwrap();
    golden["cases"].get(name).is_some()
}

#[test]
fn the_page_of_quirks_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/quirks.md");
    let page = quirk_page(&quirks());
    if std::env::var_os("MEMPORT_BLESS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(page == written, "run this test with MEMPORT_BLESS=1 and look at the change");
}
