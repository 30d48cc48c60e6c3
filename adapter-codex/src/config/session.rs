//! The kinds of session that the client starts.

/// What kind of session the client starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Session {
    /// The terminal interface, also for `resume` and `fork`.
    Interactive,
    /// `exec` and `review`.
    Exec,
    /// `debug prompt-input`: prints the prompt and asks no model.
    PromptInput,
    /// A subcommand that starts no session.
    None,
}

impl Session {
    /// Whether memory is given in this kind of session at all.
    pub(crate) fn has_memory(self) -> bool {
        matches!(self, Self::Interactive | Self::Exec)
    }
}
