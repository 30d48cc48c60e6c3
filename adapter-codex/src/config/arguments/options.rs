//! The options that Codex 0.171.0 knows, as data.

use crate::config::session::Session;

/// A command with its options.
pub(super) struct Command {
    pub(super) names: &'static [&'static str],
    pub(super) usage: &'static str,
    pub(super) session: Session,
    options: &'static [&'static [CliOption]],
    commands: &'static [&'static Self],
    /// Words that are neither options nor their values, at most.
    pub(super) positionals: usize,
}

/// One option.
pub(super) struct CliOption {
    /// The long name without dashes.
    pub(super) name: &'static str,
    /// The other names, dashes included.
    aliases: &'static [&'static str],
    pub(super) takes: Takes,
    /// As the client's messages show it.
    pub(super) usage: &'static str,
}

/// What follows an option.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    Nothing,
    One,
    OneOf(&'static [&'static str]),
    Many,
}

/// Options that may stand more than once.
const REPEATABLE: &[&str] = &["config", "enable", "disable", "image", "add-dir", "help"];

/// Options that exclude each other.
const EXCLUSIVE: &[[&str; 2]] = &[
    ["dangerously-bypass-approvals-and-sandbox", "ask-for-approval"],
    ["dangerously-bypass-approvals-and-sandbox", "approve-for-me"],
    ["approve-for-me", "ask-for-approval"],
    ["approve-for-me", "sandbox"],
    ["base", "uncommitted"],
];

impl CliOption {
    pub(super) fn may_repeat(&self) -> bool {
        REPEATABLE.contains(&self.name)
    }

    pub(super) fn excludes(&self, other: &Self) -> bool {
        EXCLUSIVE.iter().any(|pair| pair.contains(&self.name) && pair.contains(&other.name))
    }
}

impl Command {
    pub(super) fn option(&self, name: &str) -> Option<&'static CliOption> {
        self.options.iter().copied().flatten().find(|option| {
            name.strip_prefix("--") == Some(option.name) || option.aliases.contains(&name)
        })
    }

    pub(super) fn subcommand(&self, word: &str) -> Option<&'static Self> {
        self.commands.iter().find(|command| command.names.contains(&word)).copied()
    }
}

const fn flag(name: &'static str, aliases: &'static [&'static str]) -> CliOption {
    CliOption { name, aliases, takes: Takes::Nothing, usage: "" }
}

const fn one(
    name: &'static str,
    aliases: &'static [&'static str],
    usage: &'static str,
) -> CliOption {
    CliOption { name, aliases, takes: Takes::One, usage }
}

/// Known to every command.
const GLOBAL: &[CliOption] = &[
    one("config", &["-c"], "--config <key=value>"),
    one("enable", &[], "--enable <FEATURE>"),
    one("disable", &[], "--disable <FEATURE>"),
    flag("help", &["-h"]),
];

const IMAGE: CliOption =
    CliOption { name: "image", aliases: &["-i"], takes: Takes::Many, usage: "--image <FILE>..." };

/// Known to every command that starts a session.
const SESSION: &[CliOption] = &[
    IMAGE,
    one("remote", &[], "--remote <ADDR>"),
    one("remote-auth-token-env", &[], "--remote-auth-token-env <ENV_VAR>"),
    flag("strict-config", &[]),
    one("model", &["-m"], "--model <MODEL>"),
    flag("oss", &[]),
    one("local-provider", &[], "--local-provider <OSS_PROVIDER>"),
    one("profile", &["-p"], "--profile <CONFIG_PROFILE_V2>"),
    CliOption {
        name: "sandbox",
        aliases: &["-s"],
        takes: Takes::OneOf(&["read-only", "workspace-write", "danger-full-access"]),
        usage: "--sandbox <SANDBOX_MODE>",
    },
    flag("approve-for-me", &[]),
    flag("dangerously-bypass-approvals-and-sandbox", &["--yolo"]),
    flag("dangerously-bypass-hook-trust", &[]),
    one("cd", &["-C"], "--cd <DIR>"),
    flag("worktree", &[]),
    one("add-dir", &[], "--add-dir <DIR>"),
    flag("version", &["-V"]),
];

/// Known to the terminal interface.
const INTERACTIVE: &[CliOption] = &[
    CliOption {
        name: "ask-for-approval",
        aliases: &["-a"],
        takes: Takes::OneOf(&["on-request", "never"]),
        usage: "--ask-for-approval <APPROVAL_POLICY>",
    },
    flag("search", &[]),
    flag("no-alt-screen", &[]),
    flag("no-daemon", &[]),
];

/// Known to `resume` and `fork`, with and without `exec`.
const PICK: &[CliOption] =
    &[flag("last", &[]), flag("all", &[]), flag("include-non-interactive", &[])];

/// Known to `exec`.
const EXEC: &[CliOption] = &[
    one("thread-source", &[], "--thread-source <SOURCE>"),
    CliOption {
        name: "cyber-access-program",
        aliases: &[],
        takes: Takes::OneOf(&["standard", "daybreak_blue", "daybreak_red"]),
        usage: "--cyber-access-program <PROGRAM>",
    },
    flag("skip-git-repo-check", &[]),
    flag("trust", &[]),
    flag("ephemeral", &[]),
    flag("ignore-user-config", &[]),
    flag("ignore-rules", &[]),
    one("output-schema", &[], "--output-schema <FILE>"),
    CliOption {
        name: "color",
        aliases: &[],
        takes: Takes::OneOf(&["always", "never", "auto"]),
        usage: "--color <COLOR>",
    },
    flag("json", &["--experimental-json"]),
    one("output-last-message", &["-o"], "--output-last-message <FILE>"),
];

/// Known to `review`.
const REVIEW: &[CliOption] = &[
    flag("uncommitted", &[]),
    one("base", &[], "--base <BRANCH>"),
    one("commit", &[], "--commit <SHA>"),
    one("title", &[], "--title <TITLE>"),
];

pub(super) const ROOT: &Command = &Command {
    names: &["codex"],
    usage: "codex [OPTIONS] [PROMPT]\ncodex [OPTIONS] <COMMAND> [ARGS]",
    session: Session::Interactive,
    options: &[GLOBAL, SESSION, INTERACTIVE],
    commands: &[
        &Command {
            names: &["exec", "e"],
            usage: "codex exec [OPTIONS] [PROMPT]\ncodex exec [OPTIONS] <COMMAND> [ARGS]",
            session: Session::Exec,
            options: &[GLOBAL, SESSION, EXEC],
            commands: &[
                &Command {
                    names: &["resume"],
                    usage: "codex exec resume [OPTIONS] [SESSION_ID] [PROMPT]",
                    session: Session::Exec,
                    options: &[GLOBAL, SESSION, EXEC, PICK],
                    commands: &[],
                    positionals: 2,
                },
                &Command {
                    names: &["fork"],
                    usage: "codex exec fork [OPTIONS] <SESSION_ID> [PROMPT]",
                    session: Session::Exec,
                    options: &[GLOBAL, SESSION, EXEC, PICK],
                    commands: &[],
                    positionals: 2,
                },
                &Command {
                    names: &["review"],
                    usage: "codex exec review [OPTIONS] [PROMPT]",
                    session: Session::Exec,
                    options: &[GLOBAL, SESSION, EXEC, REVIEW],
                    commands: &[],
                    positionals: 1,
                },
            ],
            positionals: 1,
        },
        &Command {
            names: &["review"],
            usage: "codex review [OPTIONS] [PROMPT]",
            session: Session::Exec,
            options: &[GLOBAL, SESSION, REVIEW],
            commands: &[],
            positionals: 1,
        },
        &Command {
            names: &["resume"],
            usage: "codex resume [OPTIONS] [SESSION_ID] [PROMPT]",
            session: Session::Interactive,
            options: &[GLOBAL, SESSION, INTERACTIVE, PICK],
            commands: &[],
            positionals: 2,
        },
        &Command {
            names: &["fork"],
            usage: "codex fork [OPTIONS] [SESSION_ID] [PROMPT]",
            session: Session::Interactive,
            options: &[GLOBAL, SESSION, INTERACTIVE, PICK],
            commands: &[],
            positionals: 2,
        },
        &Command {
            names: &["debug"],
            usage: "codex debug [OPTIONS] <COMMAND>",
            session: Session::None,
            options: &[GLOBAL],
            commands: &[&Command {
                names: &["prompt-input"],
                usage: "codex debug prompt-input [OPTIONS] [PROMPT]",
                session: Session::PromptInput,
                options: &[GLOBAL, &[IMAGE]],
                commands: &[],
                positionals: 1,
            }],
            positionals: 0,
        },
        &Command {
            names: &[
                "agents",
                "login",
                "logout",
                "mcp",
                "plugin",
                "app-server",
                "remote-control",
                "completion",
                "update",
                "doctor",
                "sandbox",
                "apply",
                "a",
                "queue",
                "archive",
                "delete",
                "migrate-rollouts",
                "migrate-nfs-db",
                "unarchive",
                "cloud",
                "exec-server",
                "features",
                "help",
            ],
            usage: "codex [OPTIONS] <COMMAND> [ARGS]",
            session: Session::None,
            options: &[],
            commands: &[],
            positionals: usize::MAX,
        },
    ],
    positionals: 1,
};
