//! The memory that a new thread is given.

use memory_core::fs::{FileKind, MAX_READ};
use memory_core::{AbsPath, Code, Diagnostic, Severity, World, counted, grouped};

use crate::config::session::Session;
use crate::config::settings::Config;
use crate::memory::version::{HANDBOOK, RAW_MEMORIES, SUMMARY};
use crate::memory::walk::{has_ending, is_machinery};
use crate::profile::Profile;
use crate::quirks;
use crate::resolution::{MemoryInjection, MemoryVersion, MiddleCut};

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
    report_strays(world, &root, &mut memory.diagnostics);
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
    let (key, path_of_key) = if config.memories {
        ("memories.use_memories", ["memories", "use_memories"])
    } else {
        ("features.memories", ["features", "memories"])
    };
    let setting = config.setting_file(&path_of_key);
    let place = setting.words();
    let message = match (config.memories, setting.sets) {
        (false, false) => "there is a memory, and the feature that gives it to the model is off, as it is unless it is switched on".to_owned(),
        _ => format!("there is a memory, and `{key} = false` in {place} keeps it from the model"),
    };
    let help = format!("write `{key} = true` in {place}");
    diagnostics.push(
        Diagnostic::new(Code("codex/memory-disabled"), Severity::Hint, message).at(path).help(help),
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

/// Names in a tree's folder that are looked at for files that are never shown.
const MAX_NAMES: usize = 200;
/// How many of them are named.
const MAX_STRAYS: usize = 5;

/// Tells of texts that somebody put beside the summary: they reach no model.
fn report_strays(world: World<'_>, root: &AbsPath, diagnostics: &mut Vec<Diagnostic>) {
    let Ok(entries) = world.fs.read_dir(root) else { return };
    let is_stray = |name: &str| {
        has_ending(name, ".md")
            && !is_machinery(name)
            && !matches!(name, SUMMARY | HANDBOOK | RAW_MEMORIES)
    };
    let files = entries.take(MAX_NAMES).flatten().filter(|entry| entry.kind == FileKind::File);
    let mut names: Vec<String> =
        files.map(|entry| entry.name).filter(|name| is_stray(name)).collect();
    names.sort();
    let more = names.len().saturating_sub(MAX_STRAYS);
    for (at, name) in names.iter().take(MAX_STRAYS).enumerate() {
        let others = match more {
            0 => String::new(),
            _ if at + 1 < MAX_STRAYS => String::new(),
            more => format!("; so are {more} more"),
        };
        let message =
            format!("this file is never shown to the model, which gets the summary only{others}");
        diagnostics.push(
            Diagnostic::new(Code("codex/memory-file-not-shown"), Severity::Hint, message)
                .at(&root.join(name))
                .help("`memport memory add codex` adds a note that Codex works into its memory; what always holds belongs in AGENTS.md"),
        );
    }
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
