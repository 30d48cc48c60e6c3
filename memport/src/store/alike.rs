//! What memories say already of a fact, in their bodies too, and what they say
//! against it.

use memory_audit::{Relation, Statement};
use memory_core::fs::{Fs as _, MAX_READ, OsFs};
use memory_core::store::{Item, ItemKind, ItemStatus};
use memport_documents::AlikeDocument;

/// How much of their words two statements must share to be shown.
const COMMON: f64 = 0.5;

/// Most characters of a line that is compared.
const LONGEST: usize = 600;

/// What was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Alike {
    pub(crate) similar: Vec<AlikeDocument>,
    pub(crate) contradicts: Vec<AlikeDocument>,
}

/// Looks through the lines of all memories in use.
pub(crate) fn alike<'a>(fact: &str, items: impl Iterator<Item = &'a Item>) -> Alike {
    let fact = Statement::of(fact);
    let mut found = Alike::default();
    for item in
        items.filter(|item| item.kind == ItemKind::Memory && item.status == ItemStatus::Active)
    {
        let Ok(bytes) = OsFs.read_up_to(&item.path, MAX_READ) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        for (line, said) in (1_u32..).zip(text.lines()) {
            let said = said.trim().trim_start_matches(['-', '*', ' ']);
            let said = said.strip_prefix("description:").unwrap_or(said).trim();
            if said.chars().count() > LONGEST {
                continue;
            }
            let Some(verdict) =
                fact.compare(&Statement::of(said)).filter(|found| found.common >= COMMON)
            else {
                continue;
            };
            let place = AlikeDocument {
                id: Some(item.id.clone()),
                path: item.path.to_string(),
                line: Some(line),
                excerpt: memory_audit::without_secrets(said),
            };
            let list = if verdict.relation == Relation::Duplicate {
                &mut found.similar
            } else {
                &mut found.contradicts
            };
            if !list.iter().any(|known| known.path == place.path) {
                list.push(place);
            }
        }
    }
    found
}
