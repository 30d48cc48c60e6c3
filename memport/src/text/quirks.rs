//! Named oddities of clients.

use memport_documents::{QuirkDocument, QuirksDocument};

use super::layout::palette;
use super::page::Page;

/// The oddities, with the releases and the recorded case that show them.
pub(crate) fn quirks(quirks: &QuirksDocument, width: usize) -> String {
    let mut page = Page::without_place(width);
    for (at, quirk) in quirks.quirks.iter().enumerate() {
        if at > 0 {
            page.line(0, &[]);
        }
        one(&mut page, quirk);
    }
    page.finish()
}

fn one(page: &mut Page, quirk: &QuirkDocument) {
    let agent = quirk.agent.title();
    page.line(0, &[(quirk.id, palette::TITLE), ("  ", palette::PLAIN), (agent, palette::SCOPE)]);
    page.prose(2, quirk.summary, palette::PLAIN);
    let seen = format!("seen in {}; recorded case {}", quirk.versions.join(", "), quirk.case);
    page.prose(2, &seen, palette::DIM);
}
