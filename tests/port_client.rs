//! Asks the real Codex what it is given of random projects, where `MEMPORT_CODEX`
//! names its binary.
#![cfg(test)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use adapter_claude::Claude;
use adapter_codex::{Codex, Query, Resolution};
use memory_core::fs::{Fs as _, OsFs};
use memory_core::plan::{Journal, apply};
use memory_core::port::{Loss, LossKind, Port, PortRequest, port};
use memory_core::{AbsPath, World};
use serde_json::Value;
use tests::{Canary, RandomProject, Result, first_seeds};

/// The client waits five seconds for a network that it does not get.
const PROJECTS: u64 = 10;

/// As many clients wait at the same time.
const AT_ONCE: usize = 10;

/// The command line that prints what a session would be given.
const ARGS: [&str; 3] = ["debug", "prompt-input", "hi"];

#[test]
fn codex_is_given_what_a_port_says_it_carries() -> Result<()> {
    check_all(|binary, seed| {
        let (_folder, base) = folder()?;
        let made = RandomProject::claude(seed, &base)?;
        made.on_disk()?;
        let world = World { fs: &OsFs, env: &made.env };
        let before = made.source_sight(world)?;
        let request = PortRequest::new(made.place.clone());
        let ported = port(world, &Claude::default(), &Codex::default(), &request)?;
        apply(&OsFs, &ported.plan, &Journal::new(base.join("state")))?;

        let given = Given::ask(binary, &made)?;
        let computed = resolve(&made)?;
        let mut wrong = given.differences(&computed);
        let loaded = computed.chain.loaded();
        let at_start: BTreeSet<_> =
            loaded.filter_map(|(layer, _)| layer.provenance.path.clone()).collect();
        for canary in made.canaries.iter().filter(|canary| before.sees(&canary.word)) {
            let is_given = given.instructions.as_ref().is_some_and(|t| t.contains(&canary.word));
            if is_said_to_be_at_start(&ported, &at_start, canary) && !is_given {
                wrong.push(format!("the client is not given {canary:?}"));
            }
        }
        Ok(wrong)
    })
}

#[test]
fn codex_is_given_what_is_computed_of_its_own_projects() -> Result<()> {
    check_all(|binary, seed| {
        let (_folder, base) = folder()?;
        let made = RandomProject::codex(seed, &base);
        made.on_disk()?;
        let given = Given::ask(binary, &made)?;
        Ok(given.differences(&resolve(&made)?))
    })
}

/// Checks many projects, where there is a client to ask, and reports seed by seed.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn check_all(check: impl Fn(&Path, u64) -> Result<Vec<String>> + Sync) -> Result<()> {
    let Some(binary) = std::env::var_os("MEMPORT_CODEX") else {
        eprintln!("skipped: MEMPORT_CODEX does not name the binary of Codex");
        return Ok(());
    };
    let (binary, check) = (Path::new(&binary), &check);
    let seeds: Vec<_> = first_seeds(PROJECTS)?.collect();
    let mut wrong = Vec::new();
    for some in seeds.chunks(AT_ONCE) {
        wrong.extend(std::thread::scope(|scope| {
            let one = |seed| {
                scope.spawn(move || {
                    let found = check(binary, seed)
                        .unwrap_or_else(|error| vec![format!("it cannot be checked: {error}")]);
                    found.into_iter().map(|what| format!("seed {seed}: {what}")).collect::<Vec<_>>()
                })
            };
            let running: Vec<_> = some.iter().copied().map(one).collect();
            running.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        }));
    }
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    Ok(())
}

fn folder() -> Result<(tempfile::TempDir, AbsPath)> {
    let folder = tempfile::tempdir()?;
    let base = folder.path().canonicalize()?;
    let base = AbsPath::new(base.to_str().ok_or("the temporary folder has a strange name")?)?;
    Ok((folder, base))
}

/// What the adapter computes, once the client has put its own skills in place.
fn resolve(made: &RandomProject) -> Result<Resolution> {
    let query = Query::new(made.place.project.clone()).with_args(ARGS);
    Ok(Codex::default().resolve(World { fs: &OsFs, env: &made.env }, &query)?)
}

/// Whether all that the source shows of the word's file went to files of the first prompt.
fn is_said_to_be_at_start(ported: &Port, at_start: &BTreeSet<AbsPath>, canary: &Canary) -> bool {
    let real = |path: &AbsPath| OsFs.canonicalize(path).unwrap_or_else(|_| path.clone());
    let file = real(&canary.file);
    let is_gone = |loss: &Loss| {
        matches!(loss.how, LossKind::Dropped | LossKind::Truncated)
            && file.starts_with(&real(&loss.path))
    };
    let mut carried = ported.carried.iter().filter(|(from, _)| real(from) == file).peekable();
    carried.peek().is_some()
        && carried.all(|(_, to)| !to.is_empty() && to.is_subset(at_start))
        && !ported.losses.losses.iter().any(is_gone)
}

/// What the client said that it is given.
#[derive(Default)]
struct Given {
    /// Its message, when it does not start.
    refusal: Option<String>,
    instructions: Option<String>,
    /// The lines of the list of skills, without those that come with the client.
    skills: String,
}

impl Given {
    /// Asks the client in the project's folder.
    fn ask(binary: &Path, made: &RandomProject) -> Result<Self> {
        let mut command = without_network();
        command.arg(binary).args(ARGS).current_dir(made.place.project.as_str());
        command.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", made.place.home.as_str());
        let output = command.stdin(Stdio::null()).output()?;
        if !output.status.success() {
            let refusal = Some(String::from_utf8_lossy(&output.stderr).into_owned());
            return Ok(Self { refusal, ..Self::default() });
        }
        Self::read(&serde_json::from_slice(&output.stdout)?)
    }

    fn read(items: &Value) -> Result<Self> {
        let (mut instructions, mut listing) = (None, None);
        let items = items.as_array().ok_or("the client prints no list")?;
        for item in items.iter().filter(|item| item["type"] == "message") {
            let kinds = &item["internal_chat_message_metadata_passthrough"]["content_item_kinds"];
            for (at, content) in item["content"].as_array().into_iter().flatten().enumerate() {
                let text = || content["text"].as_str().map(str::to_owned);
                match kinds[at].as_str() {
                    Some("agents_md.instructions") => instructions = text(),
                    Some("host_skills.instructions") => listing = text(),
                    _ => {}
                }
            }
        }
        let listing = listing.unwrap_or_default();
        let own = listing.lines().find_map(|line| {
            let (name, folder) = line.strip_prefix("- `")?.split_once("` = `")?;
            folder.ends_with("/skills/.system`").then(|| format!("(file: {name}/"))
        });
        let own = |line: &&str| {
            line.contains("/skills/.system/") || own.as_ref().is_some_and(|own| line.contains(own))
        };
        let (_, listed) = listing.split_once("### Available skills\n").unwrap_or_default();
        let listed = listed.strip_suffix("\n</skills_instructions>").unwrap_or(listed);
        let skills: Vec<_> = listed.split('\n').filter(|line| !own(line)).collect();
        Ok(Self { refusal: None, instructions, skills: skills.join("\n") })
    }

    /// Where it differs from what is computed.
    fn differences(&self, computed: &Resolution) -> Vec<String> {
        let mut wrong = Vec::new();
        if self.refusal.is_some() != computed.refusal.is_some() {
            let (said, computed) = (&self.refusal, &computed.refusal);
            wrong.push(format!("stops with\n{said:?}\ncomputed\n{computed:?}"));
        }
        if self.instructions != computed.instructions {
            let (given, computed) = (&self.instructions, &computed.instructions);
            wrong.push(format!("given\n{given:?}\ncomputed\n{computed:?}"));
        }
        if self.skills != computed.skills.rendered {
            let computed = &computed.skills.rendered;
            wrong.push(format!("skills listed\n{}\ncomputed\n{computed}", self.skills));
        }
        wrong
    }
}

/// A command that runs another without a network, where this user may do that.
fn without_network() -> Command {
    let unshare = || {
        let mut command = Command::new("unshare");
        command.arg("-rn");
        command
    };
    let works = unshare().arg("true").stderr(Stdio::null()).status();
    if works.is_ok_and(|status| status.success()) {
        return unshare();
    }
    Command::new("env")
}
