//! A stable picture of an answer, for snapshot tests.

use std::fmt;

use crate::chain::{InstructionChain, Layer, Outcome, Via};
use crate::path::AbsPath;
use crate::report::Diagnostic;
use crate::skill_listing::SkillListing;

/// A stable picture of what a client is given: made for snapshot tests.
///
/// One line a piece, in order. The home directory and the project are shown as
/// `<home>` and `<project>`, so that two clones on two machines give the same
/// picture. Texts are shown only on request.
///
/// ```
/// use memory_core::{AbsPath, InstructionChain, Snapshot};
///
/// let chain = InstructionChain::default();
/// let picture = Snapshot::new(&chain).redact(&AbsPath::new("/tmp/x1")?, "<repo>").to_string();
/// assert_eq!(picture, "(nothing is loaded)\n");
/// # Ok::<(), memory_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshot<'a> {
    chain: &'a InstructionChain,
    /// What else is given; `None` for a picture of the chain alone.
    rest: Option<Rest<'a>>,
    redactions: Vec<(Redacted, String)>,
    texts: bool,
}

/// A whole answer of a client, as a picture needs it; the resolutions of
/// adapters are such answers.
pub trait Resolved {
    /// Name of the release, `codex@0.171.0`.
    fn profile(&self) -> &str;

    /// The client's own message when it does not start.
    fn refusal(&self) -> Option<&str>;

    /// What loads at start.
    fn chain(&self) -> &InstructionChain;

    /// The skills that the model is told of.
    fn skills(&self) -> &SkillListing;

    /// The memory that the model is given.
    fn memory(&self) -> MemoryGiven<'_>;

    /// What is worth telling about the whole.
    fn diagnostics(&self) -> &[Diagnostic];

    /// What another machine or another clone calls by another name.
    fn redactions(&self) -> Vec<(Redacted, &'static str)>;
}

/// The memory that a model is given.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryGiven<'a> {
    /// Whether memory is switched on.
    pub is_on: bool,
    /// Its index or summary file; `None` where there is none.
    pub path: Option<&'a AbsPath>,
    /// The text; `None` when nothing is given.
    pub text: Option<&'a str>,
    /// Whether something of it was cut off.
    pub is_cut: bool,
    /// What is worth telling of it.
    pub diagnostics: &'a [Diagnostic],
}

/// A name that is shown as another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Redacted {
    /// A directory, and with it what lies below it.
    Directory(AbsPath),
    /// One name in a path: a client may make it of the path of the project.
    Name(String),
}

#[derive(Clone, Debug)]
struct Rest<'a> {
    profile: &'a str,
    refusal: Option<&'a str>,
    skills: &'a SkillListing,
    memory: MemoryGiven<'a>,
    diagnostics: &'a [Diagnostic],
}

impl<'a> Snapshot<'a> {
    /// A picture of this chain and nothing else; no path is redacted.
    pub fn new(chain: &'a InstructionChain) -> Self {
        Self { chain, rest: None, redactions: Vec::new(), texts: false }
    }

    /// A picture of a whole answer: whether the client starts, instructions,
    /// skills, memory and diagnostics.
    pub fn of(answer: &'a impl Resolved) -> Self {
        let rest = Rest {
            profile: answer.profile(),
            refusal: answer.refusal(),
            skills: answer.skills(),
            memory: answer.memory(),
            diagnostics: answer.diagnostics(),
        };
        let mut picture = Self { rest: Some(rest), ..Self::new(answer.chain()) };
        for (redacted, name) in answer.redactions() {
            picture.add(redacted, name.to_owned());
        }
        picture
    }

    /// Shows a directory as `name`, for example `<repo>`; of several that fit the
    /// longest one counts, of two names for one directory the later.
    #[must_use]
    pub fn redact(mut self, directory: &AbsPath, name: impl Into<String>) -> Self {
        self.add(Redacted::Directory(directory.clone()), name.into());
        self
    }

    /// Shows the loaded texts too.
    #[must_use]
    pub fn with_texts(mut self) -> Self {
        self.texts = true;
        self
    }

    fn add(&mut self, redacted: Redacted, name: String) {
        self.redactions.retain(|(other, _)| *other != redacted);
        self.redactions.push((redacted, name));
        self.redactions.sort_by_key(|(redacted, _)| std::cmp::Reverse(redacted.text().len()));
    }

    fn path(&self, path: Option<&AbsPath>) -> String {
        path.map_or_else(|| "(no file)".to_owned(), |path| self.text(&path.to_string()))
    }

    fn text(&self, text: &str) -> String {
        let replace = |text: String, (redacted, name): &(Redacted, String)| {
            redacted.replaced(&text, name).unwrap_or(text)
        };
        self.redactions.iter().fold(text.to_owned(), replace)
    }

    fn layer(&self, f: &mut fmt::Formatter<'_>, layer: &Layer, number: &mut u32) -> fmt::Result {
        let path = self.path(layer.provenance.path.as_ref());
        let scope = layer.provenance.scope.as_str();
        match &layer.outcome {
            Outcome::Loaded(loaded) => {
                *number += 1;
                write!(f, "{number}. {scope} {path}")?;
                match &layer.provenance.via {
                    Via::Discovered | Via::Setting { .. } => {}
                    Via::Fallback => f.write_str(" (fallback)")?,
                    Via::Imported { from, line } => {
                        write!(f, " (imported by {}:{line})", self.path(Some(from)))?;
                    }
                    Via::Nested { touched } => {
                        write!(f, " (on touch of {})", self.path(Some(touched)))?;
                    }
                }
                if let Some(cut) = loaded.cut {
                    write!(f, " cut at line {}, {} bytes lost", cut.at_line, cut.lost_bytes)?;
                }
                f.write_str("\n")?;
                self.lines(f, &loaded.text)
            }
            Outcome::Omitted { reason, .. } => {
                let words = self.text(&reason.to_string());
                writeln!(f, "-  {scope} {path} [{}] {words}", reason.code())
            }
        }
    }

    /// The lines of a text, where texts are wanted.
    fn lines(&self, f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
        let mut lines = text.lines().filter(|_| self.texts);
        lines.try_for_each(|line| writeln!(f, "   | {}", self.text(line)))
    }

    fn skills(&self, f: &mut fmt::Formatter<'_>, skills: &SkillListing) -> fmt::Result {
        for (skill, number) in skills.listed.iter().zip(1..) {
            let (scope, file) = (skill.scope.as_str(), self.path(Some(&skill.file)));
            write!(f, "skill {number}. {} {scope} {file}", skill.name)?;
            match (&skill.description, skill.lost_chars) {
                (None, _) => f.write_str(" name only")?,
                (Some(_), 0) => {}
                (Some(_), lost) => write!(f, " cut, {lost} characters lost")?,
            }
            f.write_str("\n")?;
            self.lines(f, skill.description.as_deref().unwrap_or_default())?;
        }
        for skill in &skills.omitted {
            let (scope, file) = (skill.scope.as_str(), self.path(Some(&skill.file)));
            let words = self.text(&skill.reason.to_string());
            writeln!(f, "skill -  {scope} {file} [{}] {words}", skill.reason.code())?;
        }
        Ok(())
    }

    fn memory(&self, f: &mut fmt::Formatter<'_>, memory: MemoryGiven<'_>) -> fmt::Result {
        match (memory.is_on, memory.text) {
            (false, _) => f.write_str("memory off\n"),
            (true, None) => f.write_str("memory empty\n"),
            (true, Some(text)) => {
                let cut = if memory.is_cut { " cut" } else { "" };
                writeln!(
                    f,
                    "memory {}, {} lines{cut}",
                    self.path(memory.path),
                    text.lines().count()
                )?;
                self.lines(f, text)
            }
        }
    }

    fn diagnostics(&self, f: &mut fmt::Formatter<'_>, found: &[Diagnostic]) -> fmt::Result {
        found.iter().try_for_each(|one| {
            let words = self.text(&one.message);
            writeln!(f, "{}[{}] {words}", one.severity.as_str(), one.code)
        })
    }
}

impl fmt::Display for Snapshot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rest) = &self.rest {
            writeln!(f, "{}", rest.profile)?;
            for line in rest.refusal.iter().flat_map(|refusal| refusal.lines()) {
                writeln!(f, "does not start: {}", self.text(line))?;
            }
        }
        if self.chain.layers.is_empty() {
            f.write_str("(nothing is loaded)\n")?;
        }
        let mut number = 0;
        for layer in &self.chain.layers {
            self.layer(f, layer, &mut number)?;
        }
        if let Some(rest) = &self.rest {
            self.skills(f, rest.skills)?;
            self.memory(f, rest.memory)?;
        }
        self.diagnostics(f, &self.chain.diagnostics)?;
        let Some(rest) = &self.rest else { return Ok(()) };
        self.diagnostics(f, &rest.skills.diagnostics)?;
        self.diagnostics(f, rest.memory.diagnostics)?;
        self.diagnostics(f, rest.diagnostics)
    }
}

impl Redacted {
    fn text(&self) -> &str {
        match self {
            Self::Directory(path) => path.as_str(),
            Self::Name(name) => name,
        }
    }

    /// The text with the name in place of each whole mention; `None` where there
    /// is none.
    fn replaced(&self, text: &str, name: &str) -> Option<String> {
        let wanted = match self {
            // Everything lies below the root.
            Self::Directory(path) if path.parent().is_none() => return None,
            Self::Directory(path) => path.to_string(),
            Self::Name(name) => name.clone(),
        };
        let mut parts = text.split(wanted.as_str());
        let mut replaced = parts.next()?.to_owned();
        let mut is_changed = false;
        for after in parts {
            let is_whole = self.may_follow(&replaced) && self.may_precede(after);
            replaced.push_str(if is_whole { name } else { &wanted });
            replaced.push_str(after);
            is_changed |= is_whole;
        }
        is_changed.then_some(replaced)
    }

    /// Whether a mention can begin behind this text.
    fn may_follow(&self, before: &str) -> bool {
        match self {
            // Else it is the end of a longer path.
            Self::Directory(_) => !before.ends_with(|c: char| is_of_name(c) || "/~>".contains(c)),
            Self::Name(_) => before.ends_with('/'),
        }
    }

    /// Whether a mention can end before this text.
    fn may_precede(&self, after: &str) -> bool {
        let mut rest = after.chars();
        match (self, rest.next()) {
            (_, None | Some('/')) => true,
            // A full stop may end a sentence.
            (Self::Directory(_), Some('.')) => !rest.next().is_some_and(is_of_name),
            (Self::Directory(_), Some(c)) => !is_of_name(c),
            (Self::Name(_), Some(_)) => false,
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "-_.".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_mentions_are_redacted_and_no_others() {
        let chain = InstructionChain::default();
        let mut picture = Snapshot::new(&chain)
            .redact(&AbsPath::new("/r").unwrap(), "<repo>")
            .redact(&AbsPath::new("/r/home").unwrap(), "<home>");
        picture.add(Redacted::Name("-r".to_owned()), "<repo>".to_owned());
        for (text, want) in [
            ("/r/a.md", "<repo>/a.md"),
            ("`/r` and /r.", "`<repo>` and <repo>."),
            ("/r/home/x /x/r /rx /r.x", "<home>/x /x/r /rx /r.x"),
            ("/h/projects/-r/memory /h/-rx -r", "/h/projects/<repo>/memory /h/-rx -r"),
        ] {
            assert_eq!(picture.text(text), want);
        }
    }
}
