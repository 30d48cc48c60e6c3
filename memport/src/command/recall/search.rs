//! Asking the store.

use std::io::{self, BufRead as _, Write as _};
use std::process::Command;
use std::time::Instant;

use memory_core::fs::OsFs;
use memory_recall::{
    Agent, Chunk, Conversation, Coverage, Homes, Reference, Search, SqliteStore, Store, Time,
    coverage, injection, key_of, note_given, time_text,
};
use memport_documents::{
    HitDocument, IndexedDocument, InjectDocument, RECALL_SCHEMA, RecallDocument, RecallLine,
    RecallShowDocument,
};
use serde::Deserialize;

use super::store::{self, StorePlace, failure, settings};
use crate::args::{Format, InjectArgs, OpenArgs, SearchArgs, ShowRecallArgs, StoreArgs};
use crate::failure::Failure;
use crate::output::{self, Answer, Notice};
use crate::place::{Process, Start};
use crate::text;

/// Answers a query, or each line of the standard input.
pub(crate) fn search(args: &SearchArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let now = store::now(&args.store)?;
    let mut search = settings(&args.filter, now, &start)?;
    search.count = args.limit;
    let place = StorePlace::of(&args.store, &start)?;
    let found = place.open_to_read()?;
    if args.stdin {
        return answer_lines(found.as_ref(), &mut search);
    }
    let query = args.query.as_deref().unwrap_or_default();
    let begun = Instant::now();
    let hits = run(found.as_ref(), &search, query)?;
    let elapsed = micros(begun);
    let homes = store::homes(&args.homes, &start);
    let indexed = indexed(found.as_ref(), &homes)?;
    let document = RecallDocument {
        schema: RECALL_SCHEMA,
        hits: hits.iter().map(|hit| HitDocument::of(hit, query, now)).collect(),
        indexed,
        elapsed_us: elapsed,
        model_us: None,
    };
    let unknown = match (&found, document.hits.is_empty()) {
        (Some(found), true) => unknown_words(found, query)?,
        _ => Vec::new(),
    };
    let width = output::width();
    let words =
        |document: &RecallDocument| text::recall(document, &hits, query, &unknown, &start, width);
    Ok(Answer::either(args.output.format(), document, words))
}

fn run(
    found: Option<&SqliteStore>,
    search: &Search,
    query: &str,
) -> Result<Vec<Reference>, Failure> {
    let Some(found) = found else { return Ok(Vec::new()) };
    search.run(found, query).map_err(|error| failure(&error))
}

fn micros(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// How much of what there is was looked at.
pub(super) fn indexed(
    found: Option<&SqliteStore>,
    homes: &Homes,
) -> Result<IndexedDocument, Failure> {
    let found = found.map(|found| found as &dyn Store);
    let Coverage { conversations, of, until } =
        coverage(&OsFs, homes, found).map_err(|error| failure(&error))?;
    Ok(IndexedDocument { conversations, of, until: until.map(time_text) })
}

/// The words of a query that stand nowhere.
fn unknown_words(found: &SqliteStore, query: &str) -> Result<Vec<String>, Failure> {
    let mut unknown = Vec::new();
    for word in query.split_whitespace().take(20) {
        let mut is_known = false;
        for occurrence in memory_recall::occurrences(word).into_iter().take(40) {
            let postings = found.postings(occurrence.term.id).map_err(|error| failure(&error))?;
            is_known |= !postings.is_empty();
        }
        if !is_known {
            unknown.push(word.to_owned());
        }
    }
    Ok(unknown)
}

/// A line of the standard input.
#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    id: serde_json::Value,
    query: String,
    k: Option<usize>,
}

fn answer_lines(found: Option<&SqliteStore>, search: &mut Search) -> Result<Answer, Failure> {
    let count = search.count;
    let mut out = io::stdout().lock();
    for (number, line) in (1..).zip(io::stdin().lock().lines()) {
        let unreadable = |message: String| {
            Failure::usage(
                format!("line {number} of the standard input is no query: {message}"),
                "write lines such as {\"id\": \"1\", \"query\": \"…\", \"k\": 20}",
            )
        };
        let line = line.map_err(|error| unreadable(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let asked: Asked =
            serde_json::from_str(&line).map_err(|error| unreadable(error.to_string()))?;
        search.count = asked.k.unwrap_or(count);
        let begun = Instant::now();
        let hits = run(found, search, &asked.query)?;
        let hits = hits.iter().map(|hit| HitDocument::of(hit, &asked.query, search.now)).collect();
        let answer = RecallLine { id: asked.id, hits, elapsed_us: micros(begun), model_us: None };
        let line = serde_json::to_string(&answer).unwrap_or_default();
        // Whoever asks line by line waits for the answer.
        let written = writeln!(out, "{line}").and_then(|()| out.flush());
        match written {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            Err(error) => {
                return Err(Failure::impossible(
                    format!("the answer cannot be written: {error}"),
                    "check where the output goes",
                ));
            }
        }
    }
    Ok(Answer::bytes(Vec::new()))
}

/// Shows a hit with its whole conversation.
pub(crate) fn show(args: &ShowRecallArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let found = Found::of(&args.id, &args.store, &start)?;
    let turns = found.store.turns(found.conversation.id).map_err(|error| failure(&error))?;
    let document = RecallShowDocument::of(&found.chunk, &found.conversation, &turns);
    let words = |document: &RecallShowDocument| {
        text::conversation(document, &resume_line(&found.conversation), &start, output::width())
    };
    Ok(Answer::either(args.output.format(), document, words))
}

/// Runs the client's own command that goes on with the conversation of a hit.
pub(crate) fn open(args: &OpenArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let found = Found::of(&args.id, &args.store, &start)?;
    if args.print {
        return Ok(Answer::text(format!("{}\n", resume_line(&found.conversation))));
    }
    open_conversation(&found.conversation)?;
    Ok(Answer::bytes(Vec::new()))
}

/// Hands this terminal to the client, in the directory of the conversation.
pub(super) fn open_conversation(of: &Conversation) -> Result<(), Failure> {
    let (program, arguments) = resume(of);
    let mut command = Command::new(program);
    command.args(arguments);
    if std::path::Path::new(&of.project).is_dir() {
        command.current_dir(&of.project);
    }
    let status = command.status().map_err(|error| {
        Failure::impossible(
            format!("`{program}` cannot be started: {error}"),
            format!("install it, or go on by hand: {}", resume_line(of)),
        )
    })?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::impossible(
        format!("`{program}` ended with {status}"),
        "the conversation may be gone from the client; `memport recall show` still has it",
    ))
}

fn resume(of: &Conversation) -> (&'static str, [&str; 2]) {
    match of.agent {
        Agent::ClaudeCode => ("claude", ["--resume", &of.session]),
        Agent::Codex => ("codex", ["resume", &of.session]),
    }
}

/// The command line that goes on with a conversation.
pub(super) fn resume_line(of: &Conversation) -> String {
    let (program, [option, session]) = resume(of);
    let line = format!("{program} {option} {}", quoted(session));
    if of.project.is_empty() { line } else { format!("cd {} && {line}", quoted(&of.project)) }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "/._-+=:@,".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// A chunk that was named.
struct Found {
    store: SqliteStore,
    chunk: Chunk,
    conversation: Conversation,
}

impl Found {
    fn of(id: &str, args: &StoreArgs, start: &Start) -> Result<Self, Failure> {
        let unknown = || {
            Failure::impossible(
                format!("there is no `{id}` among past conversations"),
                "`memport recall search` shows the ids",
            )
        };
        let store = StorePlace::of(args, start)?.open_to_read()?.ok_or_else(unknown)?;
        let find = || -> Result<Option<(Chunk, Conversation)>, memory_recall::StoreError> {
            let Some(chunk) = key_of(id).map(|key| store.find(key)).transpose()?.flatten() else {
                return Ok(None);
            };
            let conversation = store.conversation(chunk.conversation)?;
            Ok(conversation.map(|conversation| (chunk, conversation)))
        };
        let (chunk, conversation) = find().map_err(|error| failure(&error))?.ok_or_else(unknown)?;
        Ok(Self { store, chunk, conversation })
    }
}

/// Gives lines for a client, and counts them.
pub(crate) fn inject(args: &InjectArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let now = store::now(&args.store)?;
    let search = settings(&args.filter, now, &start)?;
    let place = StorePlace::of(&args.store, &start)?;
    let hits = run(place.open_to_read()?.as_ref(), &search, &args.query)?;
    let given = injection(&hits, &args.query, args.lines, args.chars);
    if !given.chunks.is_empty() {
        count(&place, &given.chunks, now);
    }
    let document = InjectDocument::of(given);
    let words = |document: &InjectDocument| match document.text.as_str() {
        "" => String::new(),
        text => format!("{text}\n"),
    };
    let format = args.output.format();
    let words = |document: &InjectDocument| match format {
        Format::Text => words(document),
        Format::Json => String::new(),
    };
    Ok(Answer::either(format, document, words))
}

/// Counting is worth a word when it fails, and no more: the lines are what was asked for.
fn count(place: &StorePlace, chunks: &[memory_recall::ChunkId], now: Time) {
    let counted =
        SqliteStore::open(&place.path).and_then(|mut store| note_given(&mut store, chunks, now));
    if let Err(error) = counted {
        let hint = error.remedy().to_owned();
        let message = format!("what was given is not counted: {error}");
        output::note(&Notice { message, hint }, false);
    }
}
