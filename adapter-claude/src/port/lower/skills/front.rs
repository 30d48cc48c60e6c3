//! The frontmatter of a skill, as the client must find it.

use memory_core::doc::{Doc, Source};
use memory_core::model::Invocation;

use super::is_for_person;
use crate::port::lower::rules::quoted;
use crate::profile::Profile;
use crate::rules::Scope;
use crate::skills::{Text, What, described, front};

/// How the client shall read a skill.
pub(super) struct Wanted<'a> {
    pub(super) profile: &'a Profile,
    pub(super) description: &'a str,
    pub(super) invocation: Invocation,
    /// Whether it waits for files.
    pub(super) waits: bool,
}

impl Wanted<'_> {
    /// Whether the client reads a file so.
    fn is_met(&self, read: &Text) -> bool {
        self.is_described(read)
            && read.hidden_by_author == is_for_person(self.invocation)
            && read.hidden_from_person == (self.invocation == Invocation::ModelOnly)
            && (self.waits || read.paths == Scope::Always)
    }

    fn is_described(&self, read: &Text) -> bool {
        let profile = &self.profile.skills;
        let shown = described(&read.description, read.when_to_use.as_deref(), profile);
        shown == described(self.description, None, profile)
    }

    fn read(&self, bytes: &[u8]) -> Text {
        front(&String::from_utf8_lossy(bytes), What::Skill, self.profile)
    }

    /// The keys that make the client read it so.
    fn keys(&self) -> Vec<(&'static str, String)> {
        let mut keys = vec![("description", quoted(self.description))];
        match self.invocation {
            Invocation::UserOnly => keys.push(("disable-model-invocation", "true".to_owned())),
            Invocation::ModelOnly => keys.push(("user-invocable", "false".to_owned())),
            Invocation::ModelAndUser => {}
        }
        keys
    }
}

/// The bytes with the fewest changes, and whether frontmatter was lost by them.
pub(super) fn fitted(wanted: &Wanted<'_>, bytes: &[u8]) -> (Vec<u8>, bool) {
    let doc = Doc::parse(Source::new(bytes)).value;
    let body = doc.body();
    let read = wanted.read(bytes);
    if wanted.is_met(&read) && is_same_body(&body, bytes, &read) {
        return (bytes.to_vec(), false);
    }
    let mut edit = doc.edit();
    if !wanted.is_described(&read) {
        edit.set_raw("description", &quoted(wanted.description)).remove("when_to_use");
    }
    if read.hidden_by_author != is_for_person(wanted.invocation) {
        edit.remove("disable-model-invocation");
    }
    if read.hidden_from_person != (wanted.invocation == Invocation::ModelOnly) {
        edit.remove("user-invocable");
    }
    if !wanted.waits && read.paths != Scope::Always {
        edit.remove("paths");
    }
    let with_keys = |edited: Vec<u8>| {
        let edited = Doc::parse(Source::new(edited)).value;
        let mut edit = edited.edit();
        for (key, value) in wanted.keys().into_iter().skip(1) {
            if edited.find(key).is_none_or(|entry| edited.value(entry) != value) {
                edit.set_raw(key, &value);
            }
        }
        edit.finish()
    };
    if let Ok(bytes) = edit.finish().and_then(with_keys) {
        let read = wanted.read(&bytes);
        if wanted.is_met(&read) && is_same_body(&body, &bytes, &read) {
            return (bytes, false);
        }
    }
    let keys = wanted.keys().into_iter().map(|(key, value)| format!("{key}: {value}\n"));
    let anew = format!("---\n{}---\n\n{}", keys.collect::<String>(), body.trim_start());
    (anew.into_bytes(), doc.frontmatter().is_some())
}

/// Whether the client's text behind the frontmatter is all of the body.
fn is_same_body(body: &str, bytes: &[u8], read: &Text) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let shown = text.get(read.body..).unwrap_or_default();
    let ends = |text: &str| text.trim_start_matches('\u{feff}').trim().to_owned();
    ends(shown) == ends(body)
}

/// The line of a key, counted from 1.
pub(super) fn line_of(bytes: &[u8], key: &str) -> Option<u32> {
    let text = String::from_utf8_lossy(bytes);
    let is_key = |line: &str| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
    let at = text.lines().position(is_key)?;
    u32::try_from(at + 1).ok()
}
