//! The client's command line, as far as it decides what is loaded.

mod options;
mod reader;

use reader::Reader;

use super::refusal::Refusal;
use super::session::Session;

/// What the command line says.
#[expect(clippy::struct_excessive_bools, reason = "one field for each switch of the client")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// What kind of session it starts.
    pub(crate) session: Session,
    /// `-c KEY=VALUE`, in order, not yet taken apart.
    pub(crate) overrides: Vec<String>,
    /// `--enable`, in order.
    pub(crate) enable: Vec<String>,
    /// `--disable`, in order.
    pub(crate) disable: Vec<String>,
    /// `-p`.
    pub(crate) profile: Option<String>,
    /// `-C`, as given.
    pub(crate) cd: Option<String>,
    /// `--ignore-user-config`.
    pub(crate) ignore_user_config: bool,
    /// `--strict-config`.
    pub(crate) strict_config: bool,
    /// `--trust`.
    pub(crate) trust: bool,
    /// `--add-dir`, in order, as given.
    pub(crate) added_folders: Vec<String>,
    /// `--worktree`: the session runs in a folder that does not exist yet.
    pub(crate) worktree: bool,
}

/// Reads the command line, program name left out.
pub(crate) fn parse(args: &[String]) -> Result<Arguments, Refusal> {
    let mut parsed = Arguments {
        session: Session::Interactive,
        overrides: Vec::new(),
        enable: Vec::new(),
        disable: Vec::new(),
        profile: None,
        cd: None,
        added_folders: Vec::new(),
        ignore_user_config: false,
        strict_config: false,
        trust: false,
        worktree: false,
    };
    let mut remote = None;
    let mut reader = Reader::new(args);
    while let Some(arg) = reader.next() {
        if arg == "--" {
            reader.rest()?;
            break;
        }
        let Some((name, inline)) = split_option(arg) else {
            if !reader.subcommand(arg, &mut parsed.session) {
                reader.positional(arg)?;
            }
            if reader.takes_anything() {
                break;
            }
            continue;
        };
        let Some(option) = reader.option(&name) else {
            // Several short switches may share one dash only where none takes a
            // value; the client has no such pair that matters here.
            return Err(reader.unexpected(&name));
        };
        let values = reader.values(option, inline)?;
        reader.note(option)?;
        match (option.name, values.into_iter().next_back()) {
            ("config", Some(value)) => parsed.overrides.push(value),
            ("enable", Some(value)) => parsed.enable.push(value),
            ("disable", Some(value)) => parsed.disable.push(value),
            ("profile", Some(value)) => parsed.profile = Some(plain_profile(value)?),
            ("cd", Some(value)) => parsed.cd = Some(value),
            ("add-dir", Some(value)) => parsed.added_folders.push(value),
            ("remote", Some(value)) => remote = Some(value),
            ("ignore-user-config", _) => parsed.ignore_user_config = true,
            ("strict-config", _) => parsed.strict_config = true,
            ("trust", _) => parsed.trust = true,
            ("worktree", _) => parsed.worktree = true,
            ("help" | "version", _) => {
                parsed.session = Session::None;
                return Ok(parsed);
            }
            _ => {}
        }
    }
    if parsed.session == Session::PromptInput {
        if let Some(address) = remote {
            return Err(Refusal::Plain(format!(
                "`--remote {address}` is only supported for interactive TUI commands, not `codex debug prompt-input`"
            )));
        }
        if parsed.strict_config {
            let message = "`--strict-config` is not supported for `codex debug`";
            return Err(Refusal::Plain(message.to_owned()));
        }
        if parsed.worktree {
            let message = "`--worktree` supports new interactive sessions, `codex fork`, `codex exec`, and `codex exec fork`";
            return Err(Refusal::Plain(message.to_owned()));
        }
    }
    Ok(parsed)
}

/// An option's name with its dashes, and a value that stands in the same word.
fn split_option(arg: &str) -> Option<(String, Option<String>)> {
    if let Some(long) = arg.strip_prefix("--") {
        return Some(match long.split_once('=') {
            Some((name, value)) => (format!("--{name}"), Some(value.to_owned())),
            None => (arg.to_owned(), None),
        });
    }
    let mut letters = arg.strip_prefix('-')?.chars();
    let letter = letters.next()?;
    let rest = letters.as_str();
    let inline = (!rest.is_empty()).then(|| rest.strip_prefix('=').unwrap_or(rest).to_owned());
    Some((format!("-{letter}"), inline))
}

fn plain_profile(value: String) -> Result<String, Refusal> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if !value.is_empty() && value.chars().all(plain) {
        return Ok(value);
    }
    Err(Refusal::Usage(format!(
        "invalid value '{value}' for '--profile <CONFIG_PROFILE_V2>': invalid --profile value `{value}`; pass a plain name such as `work`"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &[&str]) -> Result<Arguments, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        parse(&words).map_err(|refusal| refusal.message(Session::Exec))
    }

    #[test]
    fn values_may_stand_in_the_same_word() {
        for words in [&["-Ca"][..], &["-C=a"], &["-C", "a"], &["--cd=a"], &["exec", "--cd", "a"]] {
            assert_eq!(read(words).unwrap().cd.as_deref(), Some("a"), "{words:?}");
        }
    }

    #[test]
    fn an_image_takes_every_word_up_to_the_next_option() {
        let parsed = read(&["-i", "a.png", "exec", "-c", "x=1"]).unwrap();
        assert_eq!((parsed.session, parsed.overrides.len()), (Session::Interactive, 1));
    }

    #[test]
    fn subcommands_choose_the_session() {
        for (words, session) in [
            (&[][..], Session::Interactive),
            (&["exec", "hi"], Session::Exec),
            (&["e", "resume", "--last"], Session::Exec),
            (&["debug", "prompt-input", "hi"], Session::PromptInput),
            (&["resume", "--last"], Session::Interactive),
            (&["say exec"], Session::Interactive),
            (&["mcp", "list", "--json"], Session::None),
        ] {
            assert_eq!(read(words).unwrap().session, session, "{words:?}");
        }
    }

    #[test]
    fn what_the_client_does_not_know_stops_it() {
        let error = read(&["debug", "prompt-input", "-C", "a"]).unwrap_err();
        assert!(error.starts_with("error: unexpected argument '-C' found"), "{error}");
        let error = read(&["exec", "a", "b"]).unwrap_err();
        assert!(error.starts_with("error: unexpected argument 'b' found"), "{error}");
        for (words, message) in [
            (
                &["-C", "a", "-C", "b"][..],
                "the argument '--cd <DIR>' cannot be used multiple times",
            ),
            (&["--search", "--search"], "the argument '--search' cannot be used multiple times"),
            (
                &["--yolo", "-a", "never"],
                "the argument '--dangerously-bypass-approvals-and-sandbox' cannot be used with '--ask-for-approval <APPROVAL_POLICY>'",
            ),
        ] {
            let error = read(words).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
        assert!(read(&["-C", "a", "exec", "-C", "b", "--add-dir", "c", "--add-dir", "d"]).is_ok());
        assert!(!read(&["exec", "--", "--foo", "bar"]).unwrap_err().contains("tip:"));
        assert!(read(&["-p", "a/b"]).is_err());
        assert!(read(&["--cd"]).is_err());
        assert!(read(&["--", "-x"]).is_ok());
    }
}
