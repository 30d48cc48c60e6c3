//! The client's command line, as far as it decides what is loaded.

/// What the command line says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is one switch of the command line")]
pub(crate) struct Arguments {
    /// Folders given with `--add-dir`, as written.
    pub(crate) add_dirs: Vec<String>,
    /// `--bare`.
    pub(crate) bare: bool,
    /// `--safe-mode`.
    pub(crate) safe_mode: bool,
    /// `--restricted`.
    pub(crate) restricted: bool,
    /// `--disable-slash-commands`.
    pub(crate) no_skills: bool,
    /// The value of `--setting-sources`.
    pub(crate) setting_sources: Option<String>,
    /// The value of `--settings`: a file or JSON.
    pub(crate) settings: Option<String>,
    /// Whether `--system-prompt` or a file of it takes the place of the client's own.
    pub(crate) system_prompt: bool,
    /// The value of `--agents`: JSON.
    pub(crate) agents: Option<String>,
    /// The value of `--agent`: the agent that the session is.
    pub(crate) agent: Option<String>,
    /// The value of `--model`.
    pub(crate) model: Option<String>,
    /// The names after `--tools`; `None` without the option.
    pub(crate) tools: Option<Vec<String>>,
    /// The rules after `--disallowedTools`.
    pub(crate) disallowed_tools: Vec<String>,
    /// The values of `--plugin-dir`.
    pub(crate) plugin_dirs: Vec<String>,
    /// The prompt.
    pub(crate) prompt: Option<String>,
    /// The values of `--mcp-config`: files or JSON.
    pub(crate) mcp_configs: Vec<String>,
    /// `--worktree`.
    pub(crate) worktree: bool,
    /// What the client says of options that it does not know and of values that it
    /// does not accept; it refuses to start then.
    pub(crate) refused: Option<String>,
}

/// How many values an option takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    /// The next word, unless it looks like an option.
    Optional,
    /// The next word, whatever it is.
    One,
    /// The next word, and all that follow until one looks like an option.
    Many,
}

const OPTIONS: &[(&[&str], Takes)] = &[
    (&["--add-dir"], Takes::Many),
    (
        &["--allowedTools", "--allowed-tools", "--disallowedTools", "--disallowed-tools"],
        Takes::Many,
    ),
    (&["--betas", "--file", "--mcp-config", "--tools"], Takes::Many),
    (&["--agent", "--agents", "--append-system-prompt", "--append-system-prompt-file"], Takes::One),
    (
        &["--autocompact", "--debug-file", "--effort", "--environment", "--fallback-model"],
        Takes::One,
    ),
    (
        &["--input-format", "--json-schema", "--max-budget-usd", "--max-turns", "--model"],
        Takes::One,
    ),
    (&["-n", "--name", "--output-format", "--permission-mode", "--permission-prompts"], Takes::One),
    (&["--permission-prompt-tool", "--plugin-dir", "--plugin-url"], Takes::One),
    (&["--remote-control-session-name-prefix", "--session-id", "--setting-sources"], Takes::One),
    (
        &["--settings", "--system-prompt", "--system-prompt-file", "--system-prompt-snapshot"],
        Takes::One,
    ),
    (
        &["--cloud", "-d", "--debug", "--from-pr", "--prompt-suggestions", "--remote-control"],
        Takes::Optional,
    ),
    (&["-r", "--resume", "--teleport", "-w", "--worktree"], Takes::Optional),
    (
        &["--allow-dangerously-skip-permissions", "--ax-screen-reader", "--bare", "--bg"],
        Takes::Nothing,
    ),
    (&["--background", "--brief", "--chrome", "-c", "--continue"], Takes::Nothing),
    (&["--dangerously-skip-permissions", "--desktop", "--disable-slash-commands"], Takes::Nothing),
    (&["--exclude-dynamic-system-prompt-sections", "--fork-session"], Takes::Nothing),
    (
        &["--forward-subagent-text", "-h", "--help", "--ide", "--include-hook-events"],
        Takes::Nothing,
    ),
    (&["--include-partial-messages", "--no-chrome", "--no-session-persistence"], Takes::Nothing),
    (&["-p", "--print", "--replay-user-messages", "--restricted", "--safe-mode"], Takes::Nothing),
    (&["--strict-mcp-config", "--tmux", "--verbose", "-v", "--version"], Takes::Nothing),
];

/// Options with a choice of values, how the client prints them, and the values; those
/// behind the number of shown ones are accepted without a word.
const CHOICES: &[(&str, &str, &[&str], usize)] = &[
    (
        "--permission-mode",
        "--permission-mode <mode>",
        &["acceptEdits", "auto", "bypassPermissions", "manual", "dontAsk", "plan", "default"],
        6,
    ),
    ("--output-format", "--output-format <format>", &["text", "json", "stream-json"], 3),
];

impl Arguments {
    /// Reads a command line without the program's name.
    pub(crate) fn read(args: &[String]) -> Self {
        let mut read = Self::default();
        let mut unknown = None;
        let mut rest = args.iter().map(String::as_str).peekable();
        while let Some(word) = rest.next() {
            if word == "--" {
                read.positional(rest.next());
                break;
            }
            if !looks_like_option(word) {
                read.positional(Some(word));
                continue;
            }
            let (name, inline) = match word.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (word, None),
            };
            // A switch takes no value, not even an empty one.
            let takes = takes(name).filter(|takes| inline.is_none() || *takes != Takes::Nothing);
            let Some(takes) = takes else {
                if !Self::is_short_group(name) {
                    unknown.get_or_insert(word);
                }
                continue;
            };
            let mut values: Vec<&str> = inline.into_iter().collect();
            if inline.is_none() && takes == Takes::Optional {
                values.extend(rest.next_if(|next| !looks_like_option(next)));
            } else if inline.is_none() && takes != Takes::Nothing {
                values.extend(rest.next());
            }
            while takes == Takes::Many
                && let Some(more) = rest.next_if(|next| !looks_like_option(next))
            {
                values.push(more);
            }
            read.option(name, &values);
        }
        // Values are checked as they are read, names in the end.
        let unknown = unknown.map(|word| format!("error: unknown option '{word}'"));
        read.refused = read.refused.take().or(unknown);
        read
    }

    fn positional(&mut self, word: Option<&str>) {
        if self.prompt.is_none() {
            self.prompt = word.map(str::to_owned);
        }
    }

    /// `-pc`: short options in one word.
    fn is_short_group(word: &str) -> bool {
        !word.starts_with("--") && word.chars().skip(1).all(|c| takes(&format!("-{c}")).is_some())
    }

    fn option(&mut self, name: &str, values: &[&str]) {
        let last = values.last().map(|value| (*value).to_owned());
        match name {
            "--add-dir" => self.add_dirs.extend(values.iter().map(|value| (*value).to_owned())),
            "--bare" => self.bare = true,
            "--safe-mode" => self.safe_mode = true,
            "--restricted" => self.restricted = true,
            "--disable-slash-commands" => self.no_skills = true,
            "--setting-sources" => self.setting_sources = last,
            "--settings" => self.settings = last,
            "--system-prompt" | "--system-prompt-file" => self.system_prompt = true,
            "--agents" => self.agents = last,
            "--agent" => self.agent = last,
            "--model" => self.model = last,
            "--tools" => {
                let tools = self.tools.get_or_insert_default();
                tools.extend(values.iter().flat_map(|value| rules(value)));
            }
            "--disallowedTools" | "--disallowed-tools" => {
                self.disallowed_tools.extend(values.iter().flat_map(|value| rules(value)));
            }
            "--plugin-dir" => self.plugin_dirs.extend(last),
            "--mcp-config" => {
                self.mcp_configs.extend(values.iter().map(|value| (*value).to_owned()));
            }
            "-w" | "--worktree" => self.worktree = true,
            _ => self.check(name, last.as_deref()),
        }
    }

    /// Checks the value of an option that has a choice of values.
    fn check(&mut self, name: &str, value: Option<&str>) {
        let choice = CHOICES.iter().find(|(option, ..)| *option == name);
        let (Some((_, printed, known, shown)), Some(value)) = (choice, value) else { return };
        if !known.contains(&value) {
            let shown = known.get(..*shown).unwrap_or(known).join(", ");
            self.refused.get_or_insert_with(|| {
                format!("error: option '{printed}' argument '{value}' is invalid. Allowed choices are {shown}.")
            });
        }
    }
}

/// The rules of a list: parted by commas and blanks outside of parentheses.
fn rules(list: &str) -> Vec<String> {
    let mut rules = vec![String::new()];
    let mut depth = 0_usize;
    for c in list.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' | ' ' if depth == 0 => {
                rules.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(rule) = rules.last_mut() {
            rule.push(c);
        }
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}

fn takes(name: &str) -> Option<Takes> {
    OPTIONS.iter().find(|(names, _)| names.contains(&name)).map(|(_, takes)| *takes)
}

fn looks_like_option(word: &str) -> bool {
    word.len() > 1 && word.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Arguments {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Arguments::read(&words)
    }

    #[test]
    fn folders_run_to_the_next_option() {
        let args = read("--add-dir a b -p --add-dir=c -- hi");
        assert_eq!(args.add_dirs, ["a", "b", "c"]);
        assert_eq!(args.prompt.as_deref(), Some("hi"));
    }

    #[test]
    fn a_value_may_look_like_an_option_and_a_prompt_may_stand_anywhere() {
        let args = read("look --settings -x --bare -d --verbose --setting-sources user");
        assert_eq!(args.settings.as_deref(), Some("-x"));
        assert_eq!(args.prompt.as_deref(), Some("look"));
        assert!(args.bare);
        assert_eq!(args.setting_sources.as_deref(), Some("user"));
    }

    #[test]
    fn an_empty_value_is_a_value() {
        let args = Arguments::read(&["--setting-sources".to_owned(), String::new()]);
        assert_eq!(args.setting_sources.as_deref(), Some(""));
    }

    #[test]
    fn what_the_client_does_not_know_is_told() {
        let told = |line| read(line).refused;
        assert_eq!(told("--bogus x").as_deref(), Some("error: unknown option '--bogus'"));
        assert_eq!(told("--bare=").as_deref(), Some("error: unknown option '--bare='"));
        assert_eq!(told("-pc hi --permission-mode default --model=x"), None);
        let wrong = told("--bogus --output-format x").unwrap();
        assert!(wrong.ends_with("Allowed choices are text, json, stream-json."), "{wrong}");
    }
}
