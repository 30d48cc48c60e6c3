//! Why the client does not start, in its own words.

use memory_core::{AbsPath, Code, Diagnostic, Severity};

use super::session::Session;

/// Why the client does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The command line is wrong.
    Usage(String),
    /// Something that every kind of session says in the same words.
    Plain(String),
    /// `CODEX_HOME` is unusable.
    Home(String),
    /// A `-c` has no key or no value.
    Override(String),
    /// The configuration cannot be read.
    Load(String),
    /// Not the client's: a file is larger than what is read here.
    NotRead(AbsPath),
    /// A place in a configuration file is wrong.
    Located {
        /// Where, and what is wrong.
        place: Place,
        /// The parser's own picture of it, where the client adds one.
        cause: Option<String>,
    },
    /// A value has the wrong type once all layers are merged.
    Type {
        /// What is wrong with the merged value.
        merged: String,
        /// The first wrong place of the first file that is wrong by itself.
        place: Option<Place>,
    },
}

/// A place in a configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file, as the client names it.
    pub(crate) file: String,
    /// Line and column, counted from 1; the column in characters.
    pub(crate) line: usize,
    pub(crate) column: usize,
    /// Length in characters, at least 1.
    pub(crate) width: usize,
    /// The text of the line.
    pub(crate) source: String,
    /// What is wrong.
    pub(crate) message: String,
}

impl Refusal {
    /// The client's message, as it prints it in this kind of session.
    pub(crate) fn message(&self, session: Session) -> String {
        // `debug prompt-input` lets errors fall through to the top; the other
        // sessions print errors of the configuration themselves.
        let bare = session == Session::PromptInput;
        match self {
            Self::Usage(text) => format!("error: {text}\n\nFor more information, try '--help'."),
            Self::Home(text) if !bare => format!("Error finding codex home: {text}"),
            Self::Override(text) if !bare => format!("Error parsing -c overrides: {text}"),
            Self::Load(text) if !bare => format!("Error loading config.toml: {text}"),
            Self::Located { place, .. } if !bare => {
                format!("Error loading config.toml:\n{}{}", place.headline(), place.picture())
            }
            Self::Type { merged, .. } if !bare => format!("Error loading config.toml: {merged}"),
            Self::NotRead(path) => format!("`{path}` is too large to be read here"),
            Self::Plain(text) | Self::Home(text) | Self::Override(text) | Self::Load(text) => {
                format!("Error: {text}")
            }
            Self::Located { place, cause } => caused(&place.headline(), cause.as_deref()),
            Self::Type { merged, place: None } => format!("Error: {merged}"),
            Self::Type { merged, place: Some(place) } => caused(&place.headline(), Some(merged)),
        }
    }
}

impl Refusal {
    /// The refusal as something a person can act on.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let (message, help, place) = match self {
            Self::Usage(text) => {
                (text.lines().next().unwrap_or_default(), "correct the client's command line", None)
            }
            Self::Home(text) => (text.as_str(), "make the folder, or unset CODEX_HOME", None),
            Self::Override(text) => (text.as_str(), "write `-c key=value`", None),
            Self::Plain(text) | Self::Load(text) => {
                (text.lines().next().unwrap_or_default(), "correct what the message names", None)
            }
            Self::NotRead(_) => ("a file is too large to be read here", "shorten it", None),
            Self::Located { place, .. } | Self::Type { place: Some(place), .. } => {
                let help = "correct the value in this line, or remove the line";
                (place.message.as_str(), help, Some(place))
            }
            Self::Type { merged, place: None } => (
                merged.lines().next().unwrap_or_default(),
                "correct the value that `-c` gives",
                None,
            ),
        };
        let mut diagnostic =
            Diagnostic::new(Code("codex/does-not-start"), Severity::Error, message).help(help);
        if let Some(place) = place {
            diagnostic.path = AbsPath::new(&place.file).ok();
            diagnostic.line = u32::try_from(place.line).ok();
        }
        diagnostic
    }
}

fn caused(headline: &str, cause: Option<&str>) -> String {
    match cause {
        None => format!("Error: {headline}"),
        Some(cause) => {
            let cause = cause.trim_end().replace('\n', "\n    ");
            format!("Error: {headline}\n\nCaused by:\n    {cause}")
        }
    }
}

impl Place {
    fn headline(&self) -> String {
        format!("{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }

    fn picture(&self) -> String {
        let number = self.line.to_string();
        let gutter = " ".repeat(number.len());
        let before = " ".repeat(self.column.saturating_sub(1));
        let carets = "^".repeat(self.width);
        format!("\n{gutter} |\n{number} | {}\n{gutter} | {before}{carets}", self.source)
    }
}
