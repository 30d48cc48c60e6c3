//! What may differ between releases of the client, as data.

/// The limits and switches of one Claude Code release.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// Name of the release: `claude-code@2.1.332`.
    pub name: &'static str,
}

impl Profile {
    /// Claude Code 2.1.332.
    pub const CLAUDE_2_1_332: Self = Self { name: "claude-code@2.1.332" };

    /// Claude Code 2.1.197.
    pub const CLAUDE_2_1_197: Self = Self { name: "claude-code@2.1.197" };

    /// The known releases, newest first.
    pub const ALL: &'static [Self] = &[Self::CLAUDE_2_1_332, Self::CLAUDE_2_1_197];

    /// The release of this name, or `None` when it is not known.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|profile| profile.name == name).cloned()
    }
}

impl Default for Profile {
    fn default() -> Self {
        Self::CLAUDE_2_1_332
    }
}
