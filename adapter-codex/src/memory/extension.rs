//! `extensions/`: notes of the person, and material from elsewhere.

use memory_core::AbsPath;
use memory_core::doc::Source;

use super::stem::leading_stamp;

/// The folder of extensions.
pub(crate) const FOLDER: &str = "extensions";
/// The extension of the person's own notes.
pub(crate) const AD_HOC: &str = "ad_hoc";
/// The extension of memory that was imported from another client.
const IMPORT: &str = "external_agent_import";

/// A file that is kept as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainFile {
    /// The file.
    pub path: AbsPath,
    /// Its bytes, exactly as read.
    pub source: Source,
}

/// One folder of `extensions/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Its folder's name.
    pub name: String,
    /// What its material is and how to use it; without it nothing is pruned.
    pub instructions: Option<PlainFile>,
    /// Notes, in order of their names; never removed by the client.
    pub notes: Vec<Note>,
    /// Other material, in order of its names.
    pub resources: Vec<Resource>,
    /// Memory imported from another client, project by project.
    pub imported: Vec<ImportedProject>,
}

/// A note that the person or a tool added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The file.
    pub file: PlainFile,
    /// The time in its name; `None` when the name begins otherwise.
    pub stamp: Option<String>,
    /// Whether the client's own tool would give it this name.
    pub is_standard: bool,
}

/// A file of an extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The file.
    pub file: PlainFile,
    /// The time in its name, seven days after which the client removes it;
    /// `None` for a file that stays.
    pub expires_after: Option<String>,
}

/// Memory imported from one project of another client, copied byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedProject {
    /// The project's folder name.
    pub key: String,
    /// The project's folder; `None` when its `scope.json` does not say it.
    pub cwd: Option<String>,
    /// The copied files in order of their names.
    pub files: Vec<PlainFile>,
}

impl Extension {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            instructions: None,
            notes: Vec::new(),
            resources: Vec::new(),
            imported: Vec::new(),
        }
    }

    /// Adds a file; `name` is relative to the extension's folder.
    pub(crate) fn add(&mut self, name: &str, file: PlainFile) {
        if name == "instructions.md" {
            self.instructions = Some(file);
        } else if let Some(note) = name.strip_prefix("notes/") {
            let stamp = leading_stamp(note).map(str::to_owned);
            self.notes.push(Note { is_standard: is_note_name(note), stamp, file });
        } else if let Some((key, inner)) = self.import_part(name) {
            self.add_imported(key, inner, file);
        } else {
            let direct = name.strip_prefix("resources/").filter(|name| !name.contains('/'));
            let dated =
                direct.filter(|name| name.strip_suffix(".md").is_some()).and_then(leading_stamp);
            self.resources.push(Resource { expires_after: dated.map(str::to_owned), file });
        }
    }

    /// Settles what depends on the whole folder.
    pub(crate) fn settle(&mut self) {
        if self.instructions.is_none() {
            for resource in &mut self.resources {
                resource.expires_after = None;
            }
        }
    }

    fn import_part<'n>(&self, name: &'n str) -> Option<(&'n str, &'n str)> {
        let inner = name.strip_prefix("resources/").filter(|_| self.name == IMPORT)?;
        inner.split_once('/')
    }

    fn add_imported(&mut self, key: &str, inner: &str, file: PlainFile) {
        if self.imported.last().is_none_or(|project| project.key != key) {
            self.imported.push(ImportedProject {
                key: key.to_owned(),
                cwd: None,
                files: Vec::new(),
            });
        }
        let Some(project) = self.imported.last_mut() else { return };
        if inner == "scope.json" {
            project.cwd = cwd_of(&file.source);
        } else {
            project.files.push(file);
        }
    }
}

fn cwd_of(scope: &Source) -> Option<String> {
    let scope: serde_json::Value = serde_json::from_slice(scope.bytes()).ok()?;
    scope.get("cwd")?.as_str().map(str::to_owned)
}

/// Whether the client's own tool accepts this name for a note.
pub(crate) fn is_note_name(name: &str) -> bool {
    let slug = leading_stamp(name)
        .and_then(|stamp| name.get(stamp.len()..))
        .and_then(|rest| rest.strip_prefix('-')?.strip_suffix(".md"));
    slug.is_some_and(|slug| {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        slug.len() <= 80
            && slug.bytes().next().is_some_and(plain)
            && slug.bytes().all(|byte| plain(byte) || byte == b'-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, bytes: &str) -> PlainFile {
        let path = AbsPath::new("/m/extensions/x").unwrap().join(name);
        PlainFile { path, source: Source::new(bytes.as_bytes()) }
    }

    #[test]
    fn names_of_notes_are_those_of_the_tool() {
        for (name, want) in [
            ("2026-11-22T07-05-09-forget-site.md", true),
            ("2026-13-99T99-99-99-0.md", true),
            ("2026-11-22T07-05-09-.md", false),
            ("2026-11-22T07-05-09--a.md", false),
            ("2026-11-22T07-05-09-Forget.md", false),
            ("20261001T1153Z-a.md", false),
            ("20260718-114309-a.md", false),
        ] {
            assert_eq!(is_note_name(name), want, "{name}");
        }
        assert!(is_note_name(&format!("2026-11-22T07-05-09-{}.md", "a".repeat(80))));
        assert!(!is_note_name(&format!("2026-11-22T07-05-09-{}.md", "a".repeat(81))));
    }

    #[test]
    fn only_dated_files_of_an_extension_with_instructions_expire() {
        let mut found = Extension::new("chronicle");
        for name in [
            "resources/2026-04-01T10-00-00-a.md",
            "resources/x.md",
            "resources/d/2026-04-01T10-00-00-a.md",
        ] {
            found.add(name, file(name, ""));
        }
        let mut bare = found.clone();
        found.add("instructions.md", file("instructions.md", ""));
        found.settle();
        bare.settle();
        let expiring = |found: &Extension| {
            found.resources.iter().filter(|resource| resource.expires_after.is_some()).count()
        };
        assert_eq!((expiring(&found), expiring(&bare)), (1, 0));
    }

    #[test]
    fn imported_memory_belongs_to_a_project() {
        let mut found = Extension::new("external_agent_import");
        for (name, bytes) in [
            ("resources/-home-mio-x/MEMORY.md", "- a"),
            ("resources/-home-mio-x/scope.json", r#"{"cwd":"/home/mio/x"}"#),
            ("resources/-home-mio-y/deep/b.md", "b"),
        ] {
            found.add(name, file(name, bytes));
        }
        let [x, y] = &found.imported[..] else { panic!("{found:?}") };
        assert_eq!((x.cwd.as_deref(), x.files.len()), (Some("/home/mio/x"), 1));
        assert_eq!((&y.cwd, y.files.len()), (&None, 1));
    }
}
