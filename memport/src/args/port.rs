//! Carrying what one client keeps to another.

use clap::ValueEnum;
use clap::builder::PossibleValue;
use memport_documents::How;

use super::{ClientName, Output, Place, Release, WriteArgs};

/// Carry what one client keeps to another, and say what is lost
///
/// Instructions, rules, skills and memories of the home directory and of the
/// whole project. A dry run unless `--write` is given. Exits with 1 while
/// something is lost that was not accepted.
#[derive(Debug, clap::Args)]
pub(crate) struct PortArgs {
    /// The client whose files are read
    #[arg(long, value_name = "CLIENT")]
    pub(crate) from: ClientName,

    /// The client whose files are written
    #[arg(long, value_name = "CLIENT")]
    pub(crate) to: ClientName,

    /// Carry only these kinds of things, in a list with commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pub(crate) only: Vec<PortKind>,

    /// How to represent memories in the target
    #[arg(long, value_enum, default_value_t = MemoryForm::Import, value_name = "FORM")]
    pub(crate) memory_as: MemoryForm,

    /// What to do with instructions for which the client has no room
    #[arg(long, value_enum, default_value_t = TooLong::Report, value_name = "STRATEGY")]
    pub(crate) over_budget: TooLong,

    /// Accept losses with this code, such as `scope-narrowed`; may be repeated
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
    /// Report what would be cut
    #[value(alias = "tell")]
    Report,
    /// Raise the limit in the client's settings
    Raise,
    /// Put what belongs to a folder into that folder's file
    Split,
}

/// A code of a loss, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LossCode {
    All,
    One(How),
}

impl LossCode {
    /// Whether a loss of this code is agreed to.
    pub(crate) fn agrees_to(self, how: How) -> bool {
        self == Self::All || self == Self::One(how)
    }
}

impl ValueEnum for LossCode {
    fn value_variants<'a>() -> &'a [Self] {
        const CODES: [LossCode; 9] = [
            LossCode::All,
            LossCode::One(How::Dropped),
            LossCode::One(How::Flattened),
            LossCode::One(How::Renamed),
            LossCode::One(How::Truncated),
            LossCode::One(How::ScopeWidened),
            LossCode::One(How::ScopeNarrowed),
            LossCode::One(How::Approximated),
            LossCode::One(How::NotEnforced),
        ];
        &CODES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let (code, help) = match self {
            Self::All => ("all", "Every loss"),
            Self::One(how) => (how.as_str(), meaning(*how)),
        };
        Some(PossibleValue::new(code).help(help))
    }
}

fn meaning(how: How) -> &'static str {
    match how {
        How::Dropped => "It is gone",
        How::Flattened => "Its structure is gone",
        How::Renamed => "It has another name",
        How::Truncated => "A part of its text is gone",
        How::ScopeWidened => "It applies in more places",
        How::ScopeNarrowed => "It applies in fewer places",
        How::Approximated => "It says nearly the same",
        How::NotEnforced => "The target only asks for it; the source enforced it",
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

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
        for how in How::ALL {
            let code = how.as_str();
            let [accepted] = port(&["--accept-loss", code]).unwrap().accept_loss[..] else {
                panic!("{code}")
            };
            let agreed: Vec<_> = How::ALL.iter().filter(|how| accepted.agrees_to(**how)).collect();
            assert!(agreed == [how] && LossCode::All.agrees_to(*how));
        }
        assert!(port(&["--accept-loss", "nonsense"]).is_err());
    }
}
