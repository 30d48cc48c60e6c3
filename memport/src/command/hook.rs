//! The hook that takes conversations in when they end.

use std::env;
use std::process::{Command, Stdio};

use jsonc_parser::cst::{CstInputValue, CstRootNode};
use jsonc_parser::{ParseOptions, json};
use memory_core::AbsPath;
use memory_core::fs::{Fs as _, MAX_READ, OsFs};
use memory_core::plan::{Change, WritePlan};
use memport_documents::{HOOK_SCHEMA, HookDocument};

use super::change::carry_out;
use super::recall::client_homes;
use crate::args::{ClientName, HookCommand, InstallArgs, RunHookArgs};
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start, portable_path};
use crate::{journal, text};

/// The moment at which both clients run it.
const EVENT: &str = "SessionEnd";

/// What every command of the hook contains, wherever the program lies.
const RUN: &str = " hook run";

/// Adds the hook, or is it.
pub(crate) fn hook(command: &HookCommand, process: Process) -> Result<Answer, Failure> {
    match command {
        HookCommand::Install(args) => install(args, process),
        HookCommand::Run(args) => {
            run(args);
            Ok(Answer::bytes(Vec::new()))
        }
    }
}

fn install(args: &InstallArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let homes = client_homes(&start);
    let command = format!("{}{RUN}", program());
    let mut files = Vec::new();
    for (client, home, name) in [
        (ClientName::Claude, homes.claude, "settings.json"),
        (ClientName::Codex, homes.codex, "hooks.json"),
    ] {
        let Some(home) = home else { continue };
        let is_there = OsFs.metadata(&home).is_ok_and(|found| found.is_dir());
        if args.agent == Some(client) || (args.agent.is_none() && is_there) {
            files.push((home, name));
        }
    }
    if files.is_empty() {
        return Err(Failure::impossible(
            "no client has a home here",
            "name the client, such as `memport hook install claude`",
        ));
    }
    let (plan, applied) = carry_out(&start, &args.write, || {
        let real = |home: &AbsPath| OsFs.canonicalize(home).unwrap_or_else(|_| home.clone());
        let targets: Vec<AbsPath> = files
            .iter()
            .map(|(home, name)| {
                let path = home.join(name);
                OsFs.canonicalize(&path).unwrap_or_else(|_| real(home).join(name))
            })
            .collect();
        let roots = targets.iter().map(|path| path.parent().unwrap_or_else(AbsPath::root));
        let mut plan = WritePlan::new(roots);
        for path in &targets {
            if let Some(change) = change(path, &command)? {
                plan.add(change)?;
            }
        }
        Ok(plan)
    })?;
    let document = HookDocument { schema: HOOK_SCHEMA, command, plan, applied };
    let words = |document: &HookDocument| text::hook(document, &start, output::width());
    let answer = Answer::either(args.output.format(), document, words);
    let notice = if args.write.write { None } else { journal::notice(&OsFs, &start.env) };
    Ok(answer.with_notice(notice))
}

/// What has to change in a file for the hook to be in it; `None` when it is.
fn change(path: &AbsPath, command: &str) -> Result<Option<Change>, Failure> {
    let old = match OsFs.read_up_to(path, MAX_READ) {
        Ok(old) => Some(old),
        Err(error) if error.is_absence() => None,
        Err(error) => {
            return Err(Failure::impossible(
                format!("`{path}` cannot be read: {error}"),
                "check its permissions; nothing was changed",
            ));
        }
    };
    let text = String::from_utf8(old.clone().unwrap_or_default()).map_err(|_| refused(path))?;
    let Some(new) = with_hook(&text, command).map_err(|_| refused(path))? else {
        return Ok(None);
    };
    Ok(Some(match old {
        Some(old) => Change::replace(path.clone(), &old, new),
        None => Change::create(path.clone(), new),
    }))
}

fn refused(path: &AbsPath) -> Failure {
    Failure::impossible(
        format!("`{path}` is no JSON that a hook can be added to"),
        "mend it, or add the hook by hand; nothing was changed",
    )
}

/// A text that is no JSON with a place for the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NoPlace;

/// The text with the hook, all else as it was: comments, order, line ends. `None` when the
/// hook is there.
fn with_hook(text: &str, command: &str) -> Result<Option<String>, NoPlace> {
    let options = ParseOptions {
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_loose_object_property_names: false,
        ..ParseOptions::default()
    };
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = CstRootNode::parse(text, &options).map_err(|_| NoPlace)?;
    let hooks = root.object_value_or_create().ok_or(NoPlace)?;
    let hooks = hooks.object_value_or_create("hooks").ok_or(NoPlace)?;
    let event = hooks.array_value_or_create(EVENT).ok_or(NoPlace)?;
    if event.elements().iter().any(|group| group.to_string().contains(RUN)) {
        return Ok(None);
    }
    let hook: CstInputValue = json!({ "hooks": [{ "type": "command", "command": command }] });
    event.append(hook);
    Ok(Some(root.to_string()))
}

/// The word by which a client finds this program.
fn program() -> String {
    let this = env::current_exe().ok();
    let on_path = env::var_os("PATH").is_some_and(|path| {
        env::split_paths(&path).any(|dir| {
            let found = dir.join("memport");
            found.is_file()
                && found.canonicalize().ok() == this.as_ref().and_then(|p| p.canonicalize().ok())
        })
    });
    match this {
        Some(this) if !on_path => quoted(&portable_path(&this)),
        _ => "memport".to_owned(),
    }
}

fn quoted(path: &str) -> String {
    if path.chars().all(|char| char.is_alphanumeric() || "/._-".contains(char)) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', "'\\''"))
    }
}

/// Starts the work in the background and is done. A client waits for its hooks, so that
/// whatever fails here is left to the next conversation.
fn run(args: &RunHookArgs) {
    let Ok(this) = env::current_exe() else { return };
    let mut command = Command::new(this);
    command.args(["recall", "ingest"]);
    if let Some(store) = &args.store.store {
        command.arg("--store").arg(store);
    }
    if let Some(home) = &args.place.home {
        command.arg("--home").arg(home);
    }
    if let Some(cwd) = &args.place.cwd {
        command.arg("--cwd").arg(cwd);
    }
    for change in &args.place.env {
        let value = change.value.as_ref().map(|value| format!("={value}")).unwrap_or_default();
        command.arg("--env").arg(format!("{}{value}", change.key));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // The client may end its own group of processes with the conversation.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let _started = command.spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: &str = "memport hook run";

    #[test]
    fn only_the_hook_is_added() {
        let text =
            "{\n  // mine\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [1],\n  },\n}\n";
        let new = with_hook(text, COMMAND).unwrap().unwrap();
        let mut rest = new.as_str();
        for line in text.lines().filter(|line| !line.trim().starts_with(['}', ']'])) {
            let at = rest.find(line.trim_end_matches(',')).expect(line);
            rest = rest.get(at + 1..).unwrap();
        }
        assert!(
            new.contains("// mine") && new.contains("\"command\": \"memport hook run\""),
            "{new}"
        );
        assert_eq!(with_hook(&new, COMMAND), Ok(None));
    }

    #[test]
    fn an_absent_or_blank_file_is_made() {
        for text in ["", "  \n", "{}"] {
            let new = with_hook(text, COMMAND).unwrap().unwrap();
            let value: serde_json::Value = serde_json::from_str(&new).unwrap();
            assert_eq!(value["hooks"]["SessionEnd"][0]["hooks"][0]["command"], COMMAND, "{new}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_not_replaced() {
        for text in ["{", "[1]", "{\"hooks\": 3}", "{\"hooks\": {\"SessionEnd\": {}}}", "x"] {
            assert_eq!(with_hook(text, COMMAND), Err(NoPlace), "{text}");
        }
    }
}
