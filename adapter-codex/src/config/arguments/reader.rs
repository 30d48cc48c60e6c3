//! Walking over a command line as the client's own parser does.

use super::options::{CliOption, Command, ROOT, Takes};
use crate::config::refusal::Refusal;
use crate::config::session::Session;

/// Walks over the words of a command line.
pub(super) struct Reader<'a> {
    args: &'a [String],
    at: usize,
    command: &'static Command,
    positionals: usize,
    /// Options that stand behind the current command's name.
    seen: Vec<&'static CliOption>,
    /// Whether a `--` has ended the options.
    ended: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(args: &'a [String]) -> Self {
        Self { args, at: 0, command: ROOT, positionals: 0, seen: Vec::new(), ended: false }
    }

    /// Whether the command takes any words, unread.
    pub(super) fn takes_anything(&self) -> bool {
        self.command.positionals == usize::MAX
    }

    pub(super) fn option(&self, name: &str) -> Option<&'static CliOption> {
        self.command.option(name)
    }

    /// Refuses an option that stands twice or beside one that excludes it.
    pub(super) fn note(&mut self, option: &'static CliOption) -> Result<(), Refusal> {
        let shown = |option: &CliOption| match option.usage {
            "" => format!("--{}", option.name),
            usage => usage.to_owned(),
        };
        if self.seen.iter().any(|other| other.name == option.name) && !option.may_repeat() {
            return Err(self.usage(&format!(
                "the argument '{}' cannot be used multiple times",
                shown(option)
            )));
        }
        if let Some(other) = self.seen.iter().find(|other| other.excludes(option)) {
            return Err(self.usage(&format!(
                "the argument '{}' cannot be used with '{}'",
                shown(other),
                shown(option)
            )));
        }
        self.seen.push(option);
        Ok(())
    }

    pub(super) fn next(&mut self) -> Option<&'a str> {
        let arg = self.args.get(self.at)?;
        self.at += 1;
        Some(arg)
    }

    /// Takes a subcommand's name; a word after a prompt is none.
    pub(super) fn subcommand(&mut self, word: &str, session: &mut Session) -> bool {
        if self.positionals > 0 {
            return false;
        }
        let Some(command) = self.command.subcommand(word) else { return false };
        self.command = command;
        self.seen.clear();
        *session = command.session;
        true
    }

    pub(super) fn positional(&mut self, word: &str) -> Result<(), Refusal> {
        self.positionals += 1;
        if self.positionals > self.command.positionals {
            return Err(self.unexpected(word));
        }
        Ok(())
    }

    pub(super) fn rest(&mut self) -> Result<(), Refusal> {
        self.ended = true;
        while let Some(word) = self.next() {
            self.positional(word)?;
        }
        Ok(())
    }

    pub(super) fn values(
        &mut self,
        option: &CliOption,
        inline: Option<String>,
    ) -> Result<Vec<String>, Refusal> {
        let mut values = Vec::from_iter(inline);
        match option.takes {
            Takes::Nothing => return Ok(Vec::new()),
            Takes::One | Takes::OneOf(_) if values.is_empty() => {
                values.extend(self.value());
            }
            Takes::Many if values.is_empty() => {
                while let Some(value) = self.value() {
                    values.push(value);
                }
            }
            _ => {}
        }
        if values.is_empty() || (option.name == "cd" && values.iter().any(String::is_empty)) {
            return Err(Refusal::Usage(format!(
                "a value is required for '{}' but none was supplied",
                option.usage
            )));
        }
        if let (Takes::OneOf(allowed), Some(value)) = (option.takes, values.first())
            && !allowed.contains(&value.as_str())
        {
            return Err(Refusal::Usage(format!(
                "invalid value '{value}' for '{}'\n  [possible values: {}]",
                option.usage,
                allowed.join(", ")
            )));
        }
        Ok(values)
    }

    /// The next word when it can be a value: an option's name cannot.
    fn value(&mut self) -> Option<String> {
        let word = self.args.get(self.at)?;
        if word.len() > 1 && word.starts_with('-') {
            return None;
        }
        self.at += 1;
        Some(word.clone())
    }

    pub(super) fn unexpected(&self, word: &str) -> Refusal {
        let tip = if word.starts_with('-') && !self.ended {
            format!("\n\n  tip: to pass '{word}' as a value, use '-- {word}'")
        } else {
            String::new()
        };
        self.usage(&format!("unexpected argument '{word}' found{tip}"))
    }

    fn usage(&self, message: &str) -> Refusal {
        let usage = self.command.usage.replace('\n', "\n       ");
        Refusal::Usage(format!("{message}\n\nUsage: {usage}"))
    }
}
