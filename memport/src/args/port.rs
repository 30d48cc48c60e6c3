//! Carrying what one client keeps to another.

use clap::ValueEnum;

use super::{Agent, Output, Place, Release, WriteArgs};

/// Carry what one client keeps to another, and say what is lost
///
/// Instructions, rules, skills and memories of the home directory and of the
/// whole project. A dry run unless `--write` is given. Exits with 1 while
/// something is lost that was not accepted.
#[derive(Debug, clap::Args)]
pub(crate) struct PortArgs {
    /// The client whose files are read
    #[arg(long, value_name = "CLIENT")]
    pub(crate) from: Agent,

    /// The client whose files are written
    #[arg(long, value_name = "CLIENT")]
    pub(crate) to: Agent,

    /// Carry only these kinds of things, in a list with commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) only: Vec<PortKind>,

    /// What memories become
    #[arg(long, value_enum, default_value_t = MemoryForm::Import, value_name = "FORM")]
    pub(crate) memory_as: MemoryForm,

    /// What to do with instructions for which the client has no room
    #[arg(long, value_enum, default_value_t = TooLong::Tell, value_name = "WAY")]
    pub(crate) over_budget: TooLong,

    /// Agree to losses of this code, such as `scope-narrowed`; may be repeated
    #[arg(long, value_name = "CODE", value_delimiter = ',')]
    pub(crate) accept_loss: Vec<LossCode>,

    #[command(flatten)]
    pub(crate) write: WriteArgs,

    #[command(flatten)]
    pub(crate) release: Release,

    #[command(flatten)]
    pub(crate) place: Place,

    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PortKind {
    /// Instruction files
    Instructions,
    /// Rules
    Rules,
    /// Skills and commands
    Skills,
    /// What is remembered
    Memory,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoryForm {
    /// What the client's own import of another client's memories makes
    Import,
    /// Notes that the client takes up in its own time
    Notes,
    /// Background in the instruction file
    AgentsMd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TooLong {
    /// Tell what would be cut
    Tell,
    /// Raise the limit in the client's settings
    Raise,
    /// Put what belongs to a folder into that folder's file
    Split,
}

/// A code of a loss, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LossCode {
    /// Every loss
    All,
    /// It is gone
    Dropped,
    /// Its structure is gone
    Flattened,
    /// It has another name
    Renamed,
    /// A part of its text is gone
    Truncated,
    /// It applies in more places
    ScopeWidened,
    /// It applies in fewer places
    ScopeNarrowed,
    /// It says nearly the same
    Approximated,
    /// It is a wish now
    NotEnforced,
}

impl LossCode {
    /// Whether a loss of this code is agreed to.
    pub(crate) fn agrees_to(self, code: &str) -> bool {
        self == Self::All || self.to_possible_value().is_some_and(|value| value.get_name() == code)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;
    use memory_core::LossKind;

    use super::*;
    use crate::args::{Args, Command};

    fn port(more: &[&str]) -> Result<PortArgs, clap::Error> {
        let args = ["memport", "port", "--from", "claude", "--to", "codex"];
        match Args::try_parse_from(args.iter().chain(more))?.command {
            Command::Port(port) => Ok(*port),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn kinds_come_in_a_list_or_one_by_one() {
        for more in [&["--only", "rules,memory"][..], &["--only", "rules", "--only", "memory"]] {
            assert_eq!(port(more).unwrap().only, [PortKind::Rules, PortKind::Memory]);
        }
        assert!(port(&["--only", "hooks"]).is_err());
        assert!(Args::try_parse_from(["memport", "port", "--from", "codex"]).is_err());
    }

    #[test]
    fn every_loss_has_a_code_that_can_be_agreed_to() {
        let kinds = [
            LossKind::Dropped,
            LossKind::Flattened,
            LossKind::Renamed { to: "x".to_owned() },
            LossKind::Truncated,
            LossKind::ScopeWidened,
            LossKind::ScopeNarrowed,
            LossKind::Approximated,
            LossKind::NotEnforced,
        ];
        for kind in kinds {
            let code = kind.as_str();
            let [accepted] = port(&["--accept-loss", code]).unwrap().accept_loss[..] else {
                panic!("{code}")
            };
            assert!(accepted.agrees_to(code) && LossCode::All.agrees_to(code));
            assert!(!accepted.agrees_to("another"));
        }
        assert!(port(&["--accept-loss", "nonsense"]).is_err());
    }
}
