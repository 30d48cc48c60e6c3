//! Recorded cases of every format, told apart by what they hold.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::claude_case::ClaudeCase;
use crate::claude_memory_case::ClaudeMemoryCase;
use crate::codex_case::CodexCase;
use crate::{
    Result, claude_golden, claude_memory_golden, claude_slugs, codex_agents_golden, codex_golden,
    codex_memory_case, codex_session,
};

/// A table of memory folders, beside the cases of Claude Code's memory.
const SLUGS: &str = "slugs.tsv";

/// Where a case is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldKind {
    /// In memory, at the recorded places.
    Memory,
    /// On a real disk, in a temporary folder.
    Disk,
}

impl WorldKind {
    /// Both worlds.
    pub const ALL: [Self; 2] = [Self::Memory, Self::Disk];

    /// The word for it: `memory`, `disk`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Disk => "disk",
        }
    }
}

/// A fixture with what one version of a client made of it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name: the fixture's file name without an ending.
    pub name: String,
    /// The client version, or `None` where the recording does not say it.
    pub version: Option<String>,
    format: Format,
    fixture: PathBuf,
    golden: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Codex,
    CodexAgents,
    CodexSession,
    CodexMemory,
    Claude,
    ClaudeMemory,
    ClaudeSlugs,
}

impl Format {
    /// The format of a golden, or `None` when it is none that is known.
    fn of(golden: &Value) -> Option<Self> {
        let has = |key| golden.get(key).is_some();
        match () {
            () if has("runs") && has("requests") => Some(Self::CodexSession),
            () if has("roles") || has("warnings") => Some(Self::CodexAgents),
            () if has("exit") => Some(Self::Codex),
            () if has("injected") => Some(Self::CodexMemory),
            () if has("instructions") => Some(Self::Claude),
            () if has("memory_on") => Some(Self::ClaudeMemory),
            () => None,
        }
    }

    fn as_str(self) -> &'static str {
        match self {
            Self::Codex => "codex",
            Self::CodexAgents => "codex-agents",
            Self::CodexSession => "codex-session",
            Self::CodexMemory => "codex-memory",
            Self::Claude => "claude",
            Self::ClaudeMemory => "claude-memory",
            Self::ClaudeSlugs => "claude-slugs",
        }
    }
}

/// All recorded cases in a folder and the folders below it, in order of their names.
pub fn cases(folder: &Path) -> Result<Vec<Case>> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    found.sort_by(|a: &Case, b| a.golden.cmp(&b.golden));
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<Case>) -> Result<()> {
    let listing = fs::read_dir(folder)
        .map_err(|error| format!("cannot list `{}`: {error}", folder.display()))?;
    for entry in listing {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if let Some(stem) = name.strip_suffix(".golden.json") {
            found.extend(case(&path, stem)?);
        } else if name == SLUGS {
            let (format, fixture, golden) = (Format::ClaudeSlugs, path.clone(), path.clone());
            let name = "slugs".to_owned();
            found.push(Case { name, version: None, format, fixture, golden });
        } else if path.is_dir() && !folder.join(format!("{name}.golden.json")).exists() {
            collect(&path, found)?;
        }
    }
    Ok(())
}

/// The case of a golden; `stem` is `NAME` or `NAME.VERSION`.
fn case(golden: &Path, stem: &str) -> Result<Option<Case>> {
    let Some(format) = Format::of(&read_json(golden)?) else { return Ok(None) };
    let folder = golden.parent().unwrap_or(Path::new(""));
    let dots = stem.match_indices('.').map(|(at, _)| stem.split_at(at));
    for (name, rest) in dots.chain(std::iter::once((stem, ""))) {
        let version = rest.strip_prefix('.').map(str::to_owned);
        for fixture in [folder.join(format!("{name}.json")), folder.join(name)] {
            if fixture.exists() {
                let (name, golden) = (name.to_owned(), golden.to_owned());
                return Ok(Some(Case { name, version, format, fixture, golden }));
            }
        }
    }
    // A recording whose fixture is lost is a case that fails.
    let (name, golden) = (stem.to_owned(), golden.to_owned());
    let fixture = folder.join(format!("{stem}.json"));
    Ok(Some(Case { name, version: None, format, fixture, golden }))
}

impl Case {
    /// What was recorded, the case and the version: `claude/a01-full-chain@2.1.332`.
    pub fn label(&self) -> String {
        let format = self.format.as_str();
        match &self.version {
            Some(version) => format!("{format}/{}@{version}", self.name),
            None => format!("{format}/{}", self.name),
        }
    }

    /// The worlds in which the case can be laid out.
    pub fn worlds(&self) -> &'static [WorldKind] {
        match self.format {
            Format::ClaudeSlugs => &[WorldKind::Memory],
            _ => &WorldKind::ALL,
        }
    }

    /// Whether the fixture runs git when it is laid out.
    pub fn runs_git(&self) -> bool {
        let fixture = read_json(&self.fixture).unwrap_or_default();
        let steps = fixture.get("setup").and_then(Value::as_array);
        steps.into_iter().flatten().any(|step| match step.as_str() {
            Some(line) => line.contains("git "),
            None => step.get("git").is_some(),
        })
    }

    /// Resolves the case in a world and compares it with the recording.
    ///
    /// The error is a report of all differences, or says why the case cannot be run.
    pub fn run(&self, world: WorldKind) -> Result<()> {
        let golden = match self.format {
            Format::ClaudeSlugs => fs::read_to_string(&self.golden)?.into(),
            _ => read_json(&self.golden)?,
        };
        let differences = match self.format {
            Format::Codex => {
                let case: CodexCase = serde_json::from_value(read_json(&self.fixture)?)?;
                let (resolution, places) = case.resolve(&self.codex_profile()?, world)?;
                codex_golden::compare(&golden, &resolution, &places, case.keep_system)
            }
            Format::CodexAgents => {
                let case: CodexCase = serde_json::from_value(read_json(&self.fixture)?)?;
                let (session, spawned, places) =
                    case.resolve_agents(&self.codex_profile()?, world)?;
                codex_agents_golden::compare(&golden, &session, &spawned, &places)
            }
            Format::CodexSession => {
                let case: CodexCase = serde_json::from_value(read_json(&self.fixture)?)?;
                let (starts, places) = case.resolve_session(&self.codex_profile()?, world)?;
                codex_session::compare(&golden, &starts, &places)
            }
            Format::CodexMemory => codex_memory_case::run(&self.fixture, &golden, world)?,
            Format::ClaudeSlugs => claude_slugs::compare(golden.as_str().unwrap_or_default())?,
            Format::Claude => {
                let case: ClaudeCase = serde_json::from_value(read_json(&self.fixture)?)?;
                let resolution = case.resolve(self.claude_profile()?, world)?;
                claude_golden::compare(&golden, &resolution, case.strip_content)
            }
            Format::ClaudeMemory => {
                let case: ClaudeMemoryCase = serde_json::from_value(read_json(&self.fixture)?)?;
                let profile = self.claude_profile()?;
                let (resolution, fs, _root) = case.resolve(profile.clone(), world)?;
                claude_memory_golden::compare(&golden, &case, profile, &resolution, &*fs)
            }
        };
        match differences {
            None => Ok(()),
            Some(text) => Err(format!("{}\n{text}", self.golden.display()).into()),
        }
    }

    fn codex_profile(&self) -> Result<adapter_codex::Profile> {
        let Some(version) = &self.version else { return Ok(adapter_codex::Profile::default()) };
        let profile = adapter_codex::Profile::named(&format!("codex@{version}"));
        profile.ok_or_else(|| format!("no profile for Codex {version}").into())
    }

    fn claude_profile(&self) -> Result<adapter_claude::Profile> {
        let Some(version) = &self.version else { return Ok(adapter_claude::Profile::default()) };
        let profile = adapter_claude::Profile::named(&format!("claude-code@{version}"));
        profile.ok_or_else(|| format!("no profile for Claude Code {version}").into())
    }
}

fn read_json(path: &Path) -> Result<Value> {
    let bytes = fs::read(path).map_err(|error| format!("`{}`: {error}", path.display()))?;
    serde_json::from_slice(&bytes).map_err(|error| format!("`{}`: {error}", path.display()).into())
}
