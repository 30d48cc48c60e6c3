//! Auto memory: where it lies, what of it loads, what the client writes there.

mod agent;
mod clip;
mod cut;
mod folder;
mod index;
mod profile;
mod rebuild;
mod slug;
mod tell;
mod topic;
mod visible;
mod write;

use memory_core::fs::{Fs, Metadata};
use memory_core::{AbsPath, Diagnostic};

use crate::agents::Definition;
use crate::context::Context;
use crate::resolution::{AgentMemory, MemoryIndex};

pub(crate) use clip::{clipped, units};
pub(crate) use folder::{folder as folder_in_use, place};
pub(crate) use index::main as shown_index;
pub use profile::MemoryProfile;
pub(crate) use rebuild::rebuild;
pub(crate) use slug::slug;
pub(crate) use topic::{INDEX, is_markdown, topics};
pub(crate) use visible::visible;
pub use write::{Stamp, TopicEdit};
pub(crate) use write::{emit, iso_time};

/// The longest index that is read, in bytes; of a longer one the end counts as missing.
const LONGEST_INDEX: u64 = 16 * 1024 * 1024;

/// The auto-memory index that a start loads.
pub(crate) fn resolve(context: &Context<'_>) -> MemoryIndex {
    let Some(root) = folder::folder(context) else { return MemoryIndex::default() };
    let path = root.join(INDEX);
    // With a system prompt of the person's own, the client's words on memory are
    // gone, and other guidelines leave the folder out of them.
    let enabled = !context.arguments.system_prompt;
    let guidelines = context.settings.var("CLAUDE_COWORK_MEMORY_GUIDELINES").unwrap_or_default();
    let mut memory = MemoryIndex {
        enabled,
        root: (enabled && guidelines.is_empty()).then(|| root.clone()),
        path: Some(path.clone()),
        ..MemoryIndex::default()
    };
    if context.settings.is_on("CLAUDE_CODE_DISABLE_CLAUDE_MDS") {
        return memory;
    }
    if let Some(text) = context.settings.var("CLAUDE_COWORK_MEMORY_INDEX_CONTENT") {
        let shown = index::given(context.profile, text);
        memory.content = shown.content;
        memory.cut = shown.cut;
        return memory;
    }
    let fs = context.world.fs;
    let index = match read_index(fs, &path) {
        None if context.profile.memory.rebuilds_index && is_missing(fs, &path) => {
            memory.would_create = rebuild(fs, context.profile, &root);
            memory.would_create.as_ref().map(|index| index.content.clone())
        }
        index => index,
    };
    let text = index.as_deref().unwrap_or_default();
    let shown = index::main(context.profile, text);
    (memory.topics, memory.diagnostics) = tell::diagnostics(fs, &root, &memory, text, &shown);
    if text.len() as u64 >= LONGEST_INDEX {
        memory.diagnostics.push(tell::too_large(&path, LONGEST_INDEX));
    }
    memory.content = shown.content;
    memory.cut = shown.cut;
    memory
}

/// Whether auto memory is on.
pub(crate) fn is_on(context: &Context<'_>) -> bool {
    folder::folder(context).is_some()
}

/// The memories of sub-agents; what is lost of them goes to `told`.
pub(crate) fn agents<'d>(
    context: &Context<'_>,
    agents: impl Iterator<Item = &'d Definition>,
    told: &mut Vec<Diagnostic>,
) -> Vec<AgentMemory> {
    match folder::folder(context) {
        Some(_) => agent::memories(context, agents, told),
        None => Vec::new(),
    }
}

/// The text of an index file; `None` when there is none.
fn read_index(fs: &dyn Fs, path: &AbsPath) -> Option<String> {
    let found = fs.metadata(path).ok().filter(Metadata::is_file)?;
    let bytes = fs.read_up_to(path, LONGEST_INDEX.min(found.len)).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn is_missing(fs: &dyn Fs, path: &AbsPath) -> bool {
    fs.symlink_metadata(path).is_err_and(|error| error.is_absence())
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use memory_core::{Env, World};
    use proptest::prelude::*;

    use crate::claude::{Claude, Query};
    use crate::resolution::MemoryIndex;

    use super::*;

    const ROOT: &str = "/h/.claude/projects/-w/memory";

    fn resolve(fs: &MemFs, args: &[&str]) -> (MemoryIndex, Vec<AgentMemory>) {
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let query = Query::new(AbsPath::new("/w").unwrap()).with_args(args.iter().copied());
        let found = Claude::default().resolve(World { fs, env: &env }, &query).unwrap();
        (found.memory, found.agent_memory)
    }

    fn world(files: &[(&str, &str)]) -> MemFs {
        let mut fs =
            MemFs::from_files(files.iter().map(|(path, text)| (format!("{ROOT}/{path}"), text)));
        fs.dir("/w").dir("/h");
        fs
    }

    fn codes(memory: &MemoryIndex) -> Vec<&str> {
        memory.diagnostics.iter().map(|told| told.code.0).collect()
    }

    #[test]
    fn a_missing_index_is_rebuilt_and_an_empty_one_is_not() {
        let (memory, _) = resolve(&world(&[("a.md", "---\ndescription: d\n---\n")]), &[]);
        assert_eq!(memory.content.as_deref(), Some("- [a](a.md) — d"));
        assert_eq!(
            memory.would_create.as_ref().map(|it| it.content.as_str()),
            Some("- [a](a.md) — d\n")
        );
        assert_eq!(codes(&memory), ["claude/memory-index-rebuilt"]);

        let (memory, _) = resolve(&world(&[("a.md", "x"), ("MEMORY.md", "")]), &[]);
        assert_eq!((memory.content.as_deref(), memory.would_create.is_some()), (None, false));
        assert_eq!(codes(&memory), ["claude/memory-topic-not-listed"]);
    }

    #[test]
    fn lost_lines_are_told_with_their_numbers() {
        let text = format!("---\na: b\n---\n{}", "- x\n".repeat(210));
        let (memory, _) = resolve(&world(&[("MEMORY.md", &text)]), &[]);
        let told = memory.diagnostics.first().unwrap();
        assert_eq!((told.code.0, told.line), ("claude/memory-index-cut", Some(204)));
        assert!(told.message.starts_with("lines 204 to 213"), "{}", told.message);
    }

    #[test]
    fn a_system_prompt_of_ones_own_silences_memory_but_keeps_the_index() {
        let (memory, _) = resolve(&world(&[("MEMORY.md", "x")]), &["--system-prompt", "p"]);
        assert_eq!((memory.enabled, memory.root.is_some()), (false, false));
        assert_eq!(memory.content.as_deref(), Some("x"));
        let (memory, _) = resolve(&world(&[("MEMORY.md", "x")]), &["--bare"]);
        assert_eq!(memory, MemoryIndex::default());
    }

    #[test]
    fn a_pipe_or_a_folder_in_place_of_the_index_loads_nothing() {
        for at in ["MEMORY.md", "a.md"] {
            let mut fs = world(&[("b.md", "x")]);
            fs.special(format!("{ROOT}/{at}"));
            let (memory, _) = resolve(&fs, &[]);
            assert_eq!(memory.content.is_some(), at == "a.md");
        }
        let mut fs = world(&[]);
        fs.dir(format!("{ROOT}/MEMORY.md/x"));
        let (memory, _) = resolve(&fs, &[]);
        assert_eq!(memory.content, None);
        assert_eq!(codes(&memory), ["claude/memory-index-unreadable"]);
    }

    #[test]
    fn the_nearest_definition_of_an_agent_counts() {
        let agent =
            |memory: &str| format!("---\nname: memo\ndescription: d\nmemory: {memory}\n---\n");
        let mut fs = world(&[]);
        fs.file("/h/.claude/agents/m.md", agent("user"))
            .file("/w/.claude/agents/m.md", agent("local"));
        fs.file("/w/.claude/agent-memory-local/memo/MEMORY.md", "---\na: b\n---\nx\n");
        let agents = resolve(&fs, &[]).1;
        assert_eq!(agents.len(), 1);
        let memo = agents.first().unwrap();
        assert_eq!(
            (memo.scope.as_str(), memo.content.as_deref()),
            ("local", Some("---\na: b\n---\nx"))
        );
        let args = ["--agents", r#"{"memo": {"description": "d", "prompt": "p"}}"#];
        assert_eq!(resolve(&fs, &args).1, []);
    }

    #[test]
    fn lost_lines_of_a_sub_agent_are_told() {
        let mut fs = world(&[]);
        fs.file("/w/.claude/agents/m.md", "---\nname: memo\ndescription: d\nmemory: local\n---\n");
        fs.file(
            "/w/.claude/agent-memory-local/memo/MEMORY.md",
            "\n".to_owned() + &"- x\n".repeat(230),
        );
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let cwd = AbsPath::new("/w").unwrap();
        let query = Query::new(cwd);
        let found = Claude::default().resolve(World { fs: &fs, env: &env }, &query).unwrap();
        let told = found.diagnostics.first().unwrap();
        assert_eq!((told.code.0, told.line), ("claude/memory-index-cut", Some(202)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_an_index(
            bytes in proptest::collection::vec(
                prop_oneof![any::<u8>(), Just(b'\n'), Just(b'\r'), Just(b'-'), Just(b'<'), Just(b'!')],
                0..400,
            ),
        ) {
            let mut fs = world(&[("a.md", "x")]);
            fs.file(format!("{ROOT}/MEMORY.md"), bytes);
            let (memory, _) = resolve(&fs, &[]);
            prop_assert!(memory.content.is_none_or(|text| !text.contains('\r')));
        }
    }
}
