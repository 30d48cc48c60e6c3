//! The memory that a new thread is given.

use memory_core::fs::MAX_READ;
use memory_core::{AbsPath, Code, Diagnostic, Severity, World, counted, grouped};

use crate::config::session::Session;
use crate::config::settings::Config;

use crate::profile::Profile;
use crate::quirks;
use crate::resolution::{MemoryInjection, MemoryVersion, MiddleCut};

/// The one file of a tree that is injected.
const SUMMARY: &str = "memory_summary.md";

/// Resolves what is injected.
pub(crate) fn injection(
    world: World<'_>,
    profile: &Profile,
    config: &Config,
    codex_home: &AbsPath,
    session: Session,
) -> MemoryInjection {
    let version = MemoryVersion::in_force(world, codex_home, config.memory_version);
    let root = codex_home.join(version.folder());
    let path = root.join(SUMMARY);
    let mut memory = MemoryInjection {
        enabled: config.memories && config.use_memories,
        version,
        root: Some(root.clone()),
        path: Some(path.clone()),
        ..MemoryInjection::default()
    };
    if !memory.enabled {
        report_switched_off(world, config, &path, &mut memory.diagnostics);
        return memory;
    }
    report_version(world, config, codex_home, version, &mut memory.diagnostics);
    if !session.has_memory() {
        memory.diagnostics.push(
            Diagnostic::new(
                Code("codex/memory-not-in-session"),
                Severity::Hint,
                "this subcommand gives the model no memory",
            )
            .help("`codex` and `codex exec` do"),
        );
        return memory;
    }
    match summary(world, &path) {
        Ok(text) => {
            let text = text.trim();
            let (content, cut) = cut_middle(profile, text);
            memory.diagnostics.extend(cut.map(|cut| report_cut(&path, profile, cut)));
            memory.content = Some(content.into());
            memory.cut = cut;
        }
        Err(why) => memory.diagnostics.extend(why.map(|why| {
            Diagnostic::new(Code("codex/memory-not-injected"), Severity::Warning, why)
                .at(&path)
                .help("nothing of the memory reaches the model until this file has readable text")
        })),
    }
    memory
}

/// The summary's text, or why there is none: `None` when there simply is no
/// memory yet.
fn summary(world: World<'_>, path: &AbsPath) -> Result<String, Option<String>> {
    match world.fs.metadata(path) {
        Ok(found) if !found.is_file() => return Err(Some("the summary is not a file".to_owned())),
        Ok(found) if found.len > MAX_READ => {
            return Err(Some(format!(
                "the summary is larger than the {} that are read here; the client would inject its beginning and its end",
                counted(MAX_READ, "byte")
            )));
        }
        Ok(_) => {}
        Err(error) if error.is_absence() => {
            let tree = path.parent().filter(|tree| world.fs.metadata(tree).is_ok());
            return Err(tree.map(|_| "the memory tree has no summary".to_owned()));
        }
        Err(error) => return Err(Some(format!("the summary cannot be read: {error}"))),
    }
    let bytes = world
        .fs
        .read_up_to(path, MAX_READ)
        .map_err(|error| Some(format!("the summary cannot be read: {error}")))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Some("the summary is not valid UTF-8, so nothing is injected".to_owned()))?;
    if text.trim().is_empty() {
        return Err(Some("the summary holds nothing but white space".to_owned()));
    }
    Ok(text)
}

/// Cuts the middle out of a text that is too long, at characters, not lines.
fn cut_middle(profile: &Profile, text: &str) -> (String, Option<MiddleCut>) {
    let limit = profile.memory_summary_max_bytes;
    if text.len() <= limit {
        return (text.to_owned(), None);
    }
    let half = limit / 2;
    let starts_character = |at: &usize| text.is_char_boundary(*at);
    let head_end = (0..=half).rev().find(starts_character).unwrap_or_default();
    let tail_start = (text.len() - half..text.len()).find(starts_character).unwrap_or(text.len());
    let head = text.get(..head_end).unwrap_or_default();
    let tail = text.get(tail_start..).unwrap_or_default();
    // The client counts what is over the limit, not what it really removes.
    let over = (text.len() - limit) as u64;
    let lost_tokens = over.div_ceil(profile.bytes_per_token);
    let lines = |part: &str| memchr::memchr_iter(b'\n', part.as_bytes()).count() as u64;
    let cut = MiddleCut {
        lost_tokens,
        lost_bytes: (text.len() - head.len() - tail.len()) as u64,
        head_bytes: head.len() as u64,
        tail_bytes: tail.len() as u64,
        first_lost_line: lines(head) + 1,
        last_lost_line: lines(text) - lines(tail) + 1,
    };
    (format!("{head}…{lost_tokens} tokens truncated…{tail}"), Some(cut))
}

fn report_cut(path: &AbsPath, profile: &Profile, cut: MiddleCut) -> Diagnostic {
    Diagnostic::new(
        Code("codex/memory-summary-cut"),
        Severity::Warning,
        format!(
            "the summary is over {}; lost in its middle: {}, lines {} to {}",
            counted(profile.memory_summary_max_bytes as u64, "byte"),
            counted(cut.lost_bytes, "byte"),
            grouped(cut.first_lost_line),
            grouped(cut.last_lost_line),
        ),
    )
    .at(path)
    .on_line(u32::try_from(cut.first_lost_line).unwrap_or(u32::MAX))
    .help(format!("the middle goes first, see {}", quirks::SUMMARY_LOSES_MIDDLE.id))
}

fn report_switched_off(
    world: World<'_>,
    config: &Config,
    path: &AbsPath,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if world.fs.metadata(path).is_err() {
        return;
    }
    let setting =
        if config.memories { "memories.use_memories = false" } else { "features.memories" };
    let help = if config.memories {
        "remove the setting to have the memory injected"
    } else {
        "start with `--enable memories`, or set `features.memories = true`"
    };
    diagnostics.push(
        Diagnostic::new(
            Code("codex/memory-disabled"),
            Severity::Hint,
            format!("there is a memory, and {setting} keeps it from the model"),
        )
        .at(path)
        .help(help),
    );
}

/// Tells when the folders on disk decide which memory is read.
fn report_version(
    world: World<'_>,
    config: &Config,
    codex_home: &AbsPath,
    version: MemoryVersion,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let other = match version {
        MemoryVersion::V1 => MemoryVersion::V2,
        MemoryVersion::V2 => MemoryVersion::V1,
    };
    let other_root = codex_home.join(other.folder());
    let other_exists = world.fs.metadata(&other_root).is_ok();
    let hidden = world.fs.metadata(&other_root.join(SUMMARY)).is_ok();
    let message = match (config.memory_version, version) {
        (None, MemoryVersion::V1) if other_exists => format!(
            "a folder `{}` exists, so memory {} in `{other_root}` is not read",
            version.folder(),
            other.as_str(),
        ),
        (None, MemoryVersion::V2) => {
            let tree = codex_home.join(version.folder());
            if world.fs.metadata(&tree).is_err() {
                return;
            }
            format!(
                "creating a folder `{other_root}`, even an empty one, would switch to memory {} and hide this one",
                other.as_str(),
            )
        }
        (Some(_), _) if hidden => {
            format!("memories.version selects {}; `{other_root}` is not read", version.as_str())
        }
        _ => return,
    };
    diagnostics.push(
        Diagnostic::new(Code("codex/memory-version-by-disk"), Severity::Hint, message)
            .at(&other_root)
            .help(format!("set `memories.version = \"{}\"` to make it certain", version.as_str())),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_cut_at_characters_and_counted_from_the_excess() {
        let profile = Profile::default();
        for (text, lost_tokens, head, tail) in [
            ("x".repeat(10_001), 1, 5_000, 5_000),
            (format!("v1\n{}", "あ".repeat(4_000)), 501, 4_998, 4_998),
            (format!("v1\n{}y", "あ".repeat(4_000)), 501, 4_998, 4_999),
        ] {
            let (content, cut) = cut_middle(&profile, &text);
            let cut = cut.unwrap();
            assert_eq!(
                (cut.lost_tokens, cut.head_bytes, cut.tail_bytes),
                (lost_tokens, head, tail)
            );
            assert!(content.contains(&format!("…{lost_tokens} tokens truncated…")));
        }
        assert_eq!(cut_middle(&profile, &"x".repeat(10_000)).1, None);
    }
}
