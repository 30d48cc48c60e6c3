//! The clients that a command asks, each in one release.

use adapter_claude::Claude;
use adapter_codex::Codex;

use crate::args::{ClientName, Release};
use crate::failure::Failure;

/// The releases to ask about.
#[derive(Default)]
pub(crate) struct Clients {
    pub(crate) codex: Codex,
    pub(crate) claude: Claude,
    /// The one client that was named.
    pub(crate) only: Option<ClientName>,
}

impl Clients {
    /// The newest known releases, but for the one that was named.
    pub(crate) fn chosen(only: Option<ClientName>, release: &Release) -> Result<Self, Failure> {
        let mut clients = Self { only, ..Self::default() };
        let Some(name) = release.profile.as_deref() else { return Ok(clients) };
        let (codex, claude) = (clients.asks(ClientName::Codex), clients.asks(ClientName::Claude));
        if let Some(profile) = adapter_codex::Profile::named(name).filter(|_| codex) {
            clients.codex = Codex { profile };
            return Ok(clients);
        }
        if let Some(profile) = adapter_claude::Profile::named(name).filter(|_| claude) {
            clients.claude = Claude { profile };
            return Ok(clients);
        }
        let codex_names = adapter_codex::Profile::ALL.iter().map(|p| p.name).filter(|_| codex);
        let claude_names = adapter_claude::Profile::ALL.iter().map(|p| p.name).filter(|_| claude);
        let known: Vec<_> = codex_names.chain(claude_names).collect();
        Err(Failure::usage(
            format!("unknown profile `{name}`"),
            format!("known profiles: {}", known.join(", ")),
        ))
    }

    /// Whether this client is asked.
    pub(crate) fn asks(&self, agent: ClientName) -> bool {
        self.only.is_none_or(|only| only == agent)
    }
}
