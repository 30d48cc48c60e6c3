//! The page of named oddities, made from the registries of the adapters.

use std::fmt::Write as _;

use memory_core::{ClientId, Quirk};

/// The page of named oddities: one section a client, one entry a quirk, in the
/// order in which they are given.
pub fn quirk_page(clients: &[(ClientId, Vec<&'static Quirk>)]) -> String {
    let mut page = String::from(
        "# Quirks\n\n\
         What the clients do that nobody would guess. Each entry names the versions in which it\n\
         was seen and the recorded case that shows it, to be found by this name under\n\
         `tests/cases`. An omission or a diagnostic points to its entry by the id.\n\n\
         This page is generated: `MEMPORT_BLESS=1 cargo test -p tests --test quirks` writes it anew.\n",
    );
    for (client, quirks) in clients {
        let _ = write!(page, "\n## {client}\n");
        for quirk in quirks {
            let _ = write!(
                page,
                "\n### `{}`\n\n{}\n\nSeen in {}. Case: `{}`.\n",
                quirk.id,
                quirk.summary,
                quirk.versions.join(", "),
                quirk.case,
            );
        }
    }
    page
}
