//! Slips of the hand that can be guessed, and the line that was meant.

use std::ffi::OsString;

use clap::error::{ContextKind, ErrorKind};
use clap::{Command, CommandFactory as _};

use super::Args;

/// What is wrong with a command line, in one line, and what to do about it;
/// `given` is the whole command line, the program's name first.
pub(crate) fn explain(error: &clap::Error, given: &[OsString]) -> (String, String) {
    let words: Vec<String> =
        given.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
        || error.kind() == ErrorKind::MissingSubcommand
    {
        return incomplete(&words);
    }
    let hint = meant(error, &words).or_else(|| close(error)).unwrap_or_else(|| see_help(&words));
    (message(error), hint)
}

/// A command that goes on with one of several words, and has none.
fn incomplete(words: &[String]) -> (String, String) {
    let (path, group) = deepest(words);
    if path.is_empty() {
        let hint = "try `memport explain`; `memport help` shows all commands";
        return ("no command is given".to_owned(), hint.to_owned());
    }
    let path = path.join(" ");
    let names: Vec<_> = group.get_subcommands().map(Command::get_name).collect();
    let names: Vec<_> = names.into_iter().filter(|name| *name != "help").collect();
    (
        format!("`memport {path}` goes on with one of: {}", names.join(", ")),
        format!("`memport help {path}` shows what each of them does"),
    )
}

/// The subcommands that the line names, and the last of them.
fn deepest(words: &[String]) -> (Vec<String>, Command) {
    let mut command = Args::command();
    let mut path = Vec::new();
    for word in words.iter().filter(|word| !word.starts_with('-')) {
        let Some(next) = command.find_subcommand(word) else { break };
        path.push(next.get_name().to_owned());
        command = next.clone();
    }
    (path, command)
}

/// What was probably meant, where other tools have taught another word.
fn meant(error: &clap::Error, words: &[String]) -> Option<String> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match (error.kind(), words.as_slice()) {
        (ErrorKind::InvalidSubcommand, ["search" | "find" | "grep" | "query", rest @ ..]) => {
            let query = rest.iter().find(|word| !word.starts_with('-')).unwrap_or(&"QUERY");
            Some(format!("`memport memory lookup {}` looks into what is remembered", quoted(query)))
        }
        (ErrorKind::InvalidSubcommand, ["memory", "list" | "ls", ..]) => {
            Some("`memport list --kind memory` lists memories".to_owned())
        }
        (ErrorKind::InvalidSubcommand, ["memory", "search" | "find" | "grep", ..]) => {
            Some("`memport memory lookup QUERY` looks into what is remembered".to_owned())
        }
        (ErrorKind::InvalidSubcommand, ["memory", "delete" | "remove" | "forget", ..]) => {
            Some("`memport help memory` shows what can be done with a memory".to_owned())
        }
        (ErrorKind::InvalidSubcommand, ["show" | "cat", rest @ ..]) => {
            let id = rest.iter().find(|word| !word.starts_with('-')).unwrap_or(&"ID");
            Some(format!("`memport memory show {}` shows a memory", quoted(id)))
        }
        (ErrorKind::InvalidValue, [command, ..]) => {
            let value = context(error, ContextKind::InvalidValue)?;
            client_or_folder(command, &value)
        }
        (ErrorKind::UnknownArgument, ["explain", rest @ ..]) => {
            let unknown = context(error, ContextKind::InvalidArg)?;
            client_arguments(error, rest, &unknown)
        }
        _ => None,
    }
}

/// `Codex` for `codex`, and a folder where a client is expected.
fn client_or_folder(command: &str, value: &str) -> Option<String> {
    let plain = value.to_lowercase().replace([' ', '_'], "-");
    let name = match plain.as_str() {
        "codex" | "codex-cli" | "openai-codex" => Some("codex"),
        "claude" | "claude-code" | "claudecode" => Some("claude"),
        _ => None,
    };
    if let Some(name) = name {
        return Some(format!("clients are named in small letters: `{name}`"));
    }
    let is_folder = value.starts_with(['.', '/', '~']) || value.contains('/');
    is_folder.then(|| format!("a folder is named so: `memport {command} --cwd {}`", quoted(value)))
}

/// The client's own arguments come after `--`.
fn client_arguments(error: &clap::Error, rest: &[&str], unknown: &str) -> Option<String> {
    if error.get(ContextKind::SuggestedArg).is_some() {
        return None;
    }
    let at = rest.iter().position(|word| word.starts_with(unknown))?;
    let (before, own) = rest.split_at(at);
    let words = |words: &[&str]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>();
    let line = [words(before), vec!["--".to_owned()], words(own)].concat().join(" ");
    Some(format!("what the client itself is given comes after `--`: `memport explain {line}`"))
}

/// A word as the usual shells take it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:@,+~".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    error.get(kind).map(ToString::to_string)
}

/// The first paragraph in one line, without the label.
fn message(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let first = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
    let line = first.collect::<Vec<_>>().join(" ");
    line.strip_prefix("error: ").map_or_else(|| line.clone(), str::to_owned)
}

/// A word that is spelled nearly so.
fn close(error: &clap::Error) -> Option<String> {
    let suggestions = [
        ContextKind::SuggestedArg,
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedValue,
        ContextKind::SuggestedCommand,
    ];
    let close = suggestions.into_iter().find_map(|kind| context(error, kind))?;
    Some(format!("did you mean `{close}`?"))
}

fn see_help(words: &[String]) -> String {
    match deepest(words).0.as_slice() {
        [] => "see `memport help` and `memport help COMMAND`".to_owned(),
        path => format!("see `memport help {}`", path.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn told(line: &str) -> (String, String) {
        let given: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        explain(&Args::try_parse_from(&given).unwrap_err(), &given)
    }

    #[test]
    fn words_of_other_tools_lead_to_the_right_command() {
        for (line, hint) in [
            ("memport search kiln", "`memport memory lookup kiln`"),
            ("memport memory list", "`memport list --kind memory`"),
            ("memport explain .", "`memport explain --cwd .`"),
            ("memport list docs/api", "`memport list --cwd docs/api`"),
            ("memport explain Codex", "`codex`"),
            ("memport explain Claude", "`claude`"),
            ("memport explain claude -p fix", "`memport explain claude -- -p fix`"),
            ("memport explain --full-auto", "`memport explain -- --full-auto`"),
            ("memport explain --profle x", "did you mean `--profile`?"),
            ("memport list --wrong", "see `memport help list`"),
        ] {
            let (_, told) = told(line);
            assert!(told.contains(hint), "{line}: {told}");
        }
    }

    #[test]
    fn a_group_without_a_command_shows_its_own() {
        let (message, hint) = told("memport memory");
        assert_eq!(
            message,
            "`memport memory` goes on with one of: add, archive, restore, supersede, history, edit, rm, show, lookup"
        );
        assert_eq!(hint, "`memport help memory` shows what each of them does");
    }

    #[test]
    fn words_are_quoted_for_the_shell() {
        assert_eq!(["fix it", "a'b", "x=1"].map(quoted), ["'fix it'", r"'a'\''b'", "x=1"]);
    }
}
