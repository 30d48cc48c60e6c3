//! Everything that is looked at for a check.

use std::collections::{BTreeMap, HashSet};

use memory_audit::Check;
use memory_core::fs::{CachedFs, Fs};
use memory_core::store::{Item, ItemKind, ItemStatus};
use memory_core::{AbsPath, Env, Error, Severity, World};
use memport_documents::{AgentExplanation, CountsDocument, from_claude, from_codex};

use super::config::Config;
use super::finding::{Finding, Fix};
use super::text::{Text, TextKind};
use super::{entries, pairs, skills};
use crate::args::ClientName;
use crate::client::Clients;
use crate::store::foreign_name;

/// What was found, and what the clients load in each folder.
pub(crate) struct Looked {
    pub(crate) findings: Vec<Finding>,
    pub(crate) counts: CountsDocument,
}

/// Looks at everything that the clients find in these folders, and at the
/// stores of the first.
pub(crate) fn look(
    fs: &dyn Fs,
    env: &Env,
    clients: &Clients,
    folders: &[AbsPath],
    config: &Config,
) -> Result<Looked, Error> {
    let cached = CachedFs::new(fs);
    let world = World { fs: &cached, env };
    let mut findings = Vec::new();
    let mut texts = Texts::default();
    for (at, folder) in folders.iter().enumerate() {
        for explanation in explained(world, clients, folder)? {
            told(&explanation, folder, &mut findings);
            texts.layers(&explanation);
        }
        texts.kept(world, clients, folder)?;
        if at == 0 {
            stores(world, clients, folder, &mut findings)?;
        }
    }
    findings.append(&mut texts.told);
    texts.indexes(world.fs);
    let read = texts.read(world.fs);
    let mut counts = CountsDocument::default();
    findings.extend(entries::entries(&read, config, &mut counts));
    findings.extend(pairs::pairs(&read));
    findings.extend(skills::drifted(world.fs, &read));
    findings.extend(too_many(&read, config));
    fixes(&read, &mut findings);
    for finding in &mut findings {
        excerpt(&read, world.fs, finding);
    }
    Ok(Looked { findings, counts })
}

/// What each client loads in a folder.
pub(crate) fn explained(
    world: World<'_>,
    clients: &Clients,
    folder: &AbsPath,
) -> Result<Vec<AgentExplanation>, Error> {
    let mut found = Vec::new();
    if clients.asks(ClientName::Codex) {
        let query = adapter_codex::Query::new(folder.clone());
        found.push(from_codex(
            clients.codex.resolve(world, &query)?,
            world.env.home.as_ref(),
            Vec::new(),
        ));
    }
    if clients.asks(ClientName::Claude) {
        let query = claude_query(folder);
        found.push(from_claude(
            clients.claude.resolve(world, &query)?,
            world.env.home.as_ref(),
            Vec::new(),
        ));
    }
    Ok(found)
}

fn claude_query(folder: &AbsPath) -> adapter_claude::Query {
    adapter_claude::Query::new(folder.clone())
}

/// What an explanation warns of.
fn told(explanation: &AgentExplanation, folder: &AbsPath, findings: &mut Vec<Finding>) {
    let bare = |code: String, severity, message: String| Finding {
        code,
        severity,
        path: None,
        line: None,
        end_line: None,
        excerpt: None,
        message,
        help: None,
        fix: None,
        related: Vec::new(),
    };
    if let Some(error) = &explanation.client.error {
        let code = match explanation.agent {
            memport_documents::Agent::Codex => "codex/does-not-start",
            memport_documents::Agent::ClaudeCode => "claude/does-not-start",
        };
        let first = error.lines().next().unwrap_or_default();
        let mut finding = bare(
            code.to_owned(),
            Severity::Error,
            format!("the client does not start here: {first}"),
        );
        finding.path = Some(folder.clone());
        findings.push(finding);
    }
    for diagnostic in &explanation.diagnostics {
        let severity = match diagnostic.severity {
            memport_documents::Severity::Error => Severity::Error,
            memport_documents::Severity::Warning => Severity::Warning,
            memport_documents::Severity::Hint => Severity::Hint,
        };
        let mut finding = bare(diagnostic.code.to_owned(), severity, diagnostic.message.clone());
        finding.path = diagnostic.path.as_deref().and_then(|path| AbsPath::new(path).ok());
        finding.line = diagnostic.line;
        finding.end_line = diagnostic.line;
        finding.help.clone_from(&diagnostic.help);
        findings.push(finding);
    }
}

/// What is wrong with the stores of a folder.
fn stores(
    world: World<'_>,
    clients: &Clients,
    folder: &AbsPath,
    findings: &mut Vec<Finding>,
) -> Result<(), Error> {
    let mut told = Vec::new();
    if clients.asks(ClientName::Codex) {
        told.extend(clients.codex.doctor(world, &adapter_codex::Query::new(folder.clone()))?);
    }
    if clients.asks(ClientName::Claude) {
        told.extend(clients.claude.doctor(world, &claude_query(folder))?);
    }
    findings.extend(told.into_iter().map(Finding::told));
    Ok(())
}

/// The files to look into, each once.
#[derive(Default)]
struct Texts {
    found: BTreeMap<AbsPath, (TextKind, Vec<&'static str>)>,
    memory_folders: HashSet<AbsPath>,
    /// Names that no document can hold.
    told: Vec<Finding>,
}

impl Texts {
    fn add(&mut self, path: &AbsPath, kind: TextKind, client: &'static str) {
        let (_, clients) = self.found.entry(path.clone()).or_insert((kind, Vec::new()));
        if !clients.contains(&client) {
            clients.push(client);
        }
    }

    /// The instruction files that load.
    fn layers(&mut self, explanation: &AgentExplanation) {
        let client = explanation.agent.as_str();
        for layer in &explanation.layers {
            let path = layer.path.as_deref().and_then(|path| AbsPath::new(path).ok());
            if let Some(path) =
                path.filter(|path| path.file_name().is_some_and(|name| name != "config.toml"))
            {
                self.add(&path, TextKind::Instructions, client);
            }
        }
    }

    /// The rules, skills and memories that are kept.
    fn kept(&mut self, world: World<'_>, clients: &Clients, folder: &AbsPath) -> Result<(), Error> {
        if clients.asks(ClientName::Codex) {
            let items =
                clients.codex.inventory(world, &adapter_codex::Query::new(folder.clone()))?.value;
            self.items(&items, "codex");
        }
        if clients.asks(ClientName::Claude) {
            let query = claude_query(folder);
            let items = clients.claude.inventory(world, &query)?.value;
            self.items(&items, "claude-code");
            self.memory_folders.insert(clients.claude.memory_folder(world, &query)?);
        }
        Ok(())
    }

    fn items(&mut self, items: &[Item], client: &'static str) {
        self.told
            .extend(items.iter().filter_map(|item| foreign_name(&item.path)).map(Finding::told));
        for item in items.iter().filter(|item| item.status == ItemStatus::Active) {
            let kind = match item.kind {
                ItemKind::Memory => TextKind::Memory,
                ItemKind::Rule => TextKind::Rule,
                ItemKind::Skill => TextKind::Skill,
                _ => continue,
            };
            let is_index = item.path.file_name() == Some("MEMORY.md");
            self.add(&item.path, if is_index { TextKind::Index } else { kind }, client);
        }
    }

    /// The indexes of the memory folders.
    fn indexes(&mut self, fs: &dyn Fs) {
        for folder in std::mem::take(&mut self.memory_folders) {
            let index = folder.join("MEMORY.md");
            if fs.metadata(&index).is_ok_and(|found| found.is_file()) {
                self.add(&index, TextKind::Index, "claude-code");
            }
        }
    }

    /// Reads each file once, whatever links lead to it.
    fn read(self, fs: &dyn Fs) -> Vec<Text> {
        let mut places: BTreeMap<AbsPath, usize> = BTreeMap::new();
        let mut texts: Vec<Text> = Vec::new();
        for (path, (kind, clients)) in self.found {
            let real = fs.canonicalize(&path).unwrap_or_else(|_| path.clone());
            // A skill that is linked stays at both of its places.
            if let Some(known) = places.get(&real).and_then(|at| texts.get_mut(*at))
                && kind != TextKind::Skill
            {
                known.clients.extend(clients);
                continue;
            }
            if let Some(mut text) = Text::read(fs, &path, kind) {
                text.clients = clients;
                places.insert(real, texts.len());
                texts.push(text);
            }
        }
        texts
    }
}

/// Tells memories with more entries than anybody reads.
fn too_many(texts: &[Text], config: &Config) -> Vec<Finding> {
    let mut by_folder: BTreeMap<AbsPath, usize> = BTreeMap::new();
    for text in texts.iter().filter(|text| text.kind == TextKind::Memory) {
        *by_folder.entry(text.path.parent().unwrap_or_else(AbsPath::root)).or_default() += 1;
    }
    let mut found = Vec::new();
    for (folder, count) in by_folder.into_iter().filter(|(_, count)| *count > config.limits.entries)
    {
        let index = texts.iter().find(|text| {
            text.kind == TextKind::Index && text.path.parent().as_ref() == Some(&folder)
        });
        let path = index.map_or(&folder, |index| &index.path);
        let mut finding = Finding::of(Check::TooMany, path);
        finding.message = format!(
            "there are {count} active entries, and nobody reads more than {}",
            config.limits.entries
        );
        found.push(finding);
    }
    found
}

/// Says which lines can go: those of an index that lead nowhere, and those that
/// say again what another line says.
fn fixes(texts: &[Text], findings: &mut Vec<Finding>) {
    let mut twice = Vec::new();
    for text in texts.iter().filter(|text| text.kind == TextKind::Index) {
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        for (line, said) in text.body_lines() {
            let said = said.trim();
            if !said.starts_with(['-', '*']) || !said.contains("](") {
                continue;
            }
            if let Some(first) = seen.get(said) {
                let mut finding =
                    Finding::of(Check::DoubleEntry, &text.path).on(line, &text.shown_line(line));
                finding.fix = Some(Fix { path: text.path.clone(), line });
                finding.related.push((text.path.clone(), Some(*first)));
                twice.push(finding);
            } else {
                seen.insert(said, line);
            }
        }
    }
    for finding in
        findings.iter_mut().filter(|finding| finding.code == "claude/memory-entry-dangling")
    {
        let (Some(path), Some(line)) = (&finding.path, finding.line) else { continue };
        let Some(text) = texts.iter().find(|text| text.path == *path) else { continue };
        let said =
            text.lines().find(|(number, _)| *number == line).map_or("", |(_, said)| said.trim());
        // A line with other links, or with text of its own around it, stays.
        if said.starts_with(['-', '*']) && said.matches("](").count() == 1 {
            finding.fix = Some(Fix { path: path.clone(), line });
        }
    }
    findings.extend(twice);
}

/// Shows the line that a client's warning is about.
fn excerpt(texts: &[Text], fs: &dyn Fs, finding: &mut Finding) {
    let (Some(path), Some(line), None) = (&finding.path, finding.line, &finding.excerpt) else {
        return;
    };
    let known = texts.iter().find(|text| text.path == *path);
    let read = known
        .map_or_else(|| Text::read(fs, path, TextKind::Instructions), |text| Some(text.clone()));
    finding.excerpt = read.map(|text| super::finding::shortened(&text.shown_line(line)));
}
