//! Filling the store, and what else is kept.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, IsTerminal as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use memory_core::fs::OsFs;
use memory_recall::{
    ExchangeError, Forget, Ingested, Progress, SqliteStore, Store as _, StoreError, Transcript,
    count_forgotten, export as write_lines, find_transcripts, import_lines, ingest as take_in,
    transcript_at,
};
use memport_documents::{
    CANDIDATES_SCHEMA, CandidateDocument, CandidatesDocument, FORGET_SCHEMA, ForgetDocument,
    IMPORT_SCHEMA, ImportDocument, IngestDocument, STATS_SCHEMA, StatsDocument,
};

use super::search::indexed;
use super::store::{self, StorePlace, failure};
use crate::args::{
    CandidatesArgs, ExportArgs, ExportFormat, ForgetArgs, ImportArgs, IngestArgs, StatsArgs,
};
use crate::failure::Failure;
use crate::output::{self, Answer};
use crate::place::{Process, Start, portable_path};
use crate::text;

/// How long work takes before a bar shows how far it is.
const QUIET: Duration = Duration::from_secs(1);

/// Takes in what is new.
pub(crate) fn ingest(args: &IngestArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let place = StorePlace::of(&args.store, &start)?;
    let transcripts = if args.files.is_empty() {
        find_transcripts(&OsFs, &store::homes(&args.homes, &start))
    } else {
        named(&args.files, &start)?
    };
    let (done, path) = if args.rebuild {
        (rebuild(&place.path, &transcripts)?, place.path.clone())
    } else {
        let (mut store, path) = place.open()?;
        (with_bar(&mut store, &transcripts)?, path)
    };
    let document = IngestDocument::of(&done, StorePlace::shown(&path));
    let words = |document: &IngestDocument| text::ingested(document, &start, output::width());
    Ok(Answer::either(args.output.format(), document, words))
}

fn named(files: &[std::path::PathBuf], start: &Start) -> Result<Vec<Transcript>, Failure> {
    let mut found = Vec::new();
    for file in files {
        let path = start.cwd.join(portable_path(file));
        let transcript = transcript_at(&OsFs, &path).map_err(|error| {
            Failure::impossible(format!("`{path}` cannot be read: {error}"), "check the path")
        })?;
        found.push(transcript.ok_or_else(|| {
            Failure::impossible(
                format!("`{path}` is no transcript of Claude Code or Codex"),
                "transcripts lie in `~/.claude/projects` and `~/.codex/sessions`",
            )
        })?);
    }
    Ok(found)
}

/// Takes transcripts in, with a bar where somebody waits.
fn with_bar(store: &mut SqliteStore, transcripts: &[Transcript]) -> Result<Ingested, Failure> {
    let begun = Instant::now();
    let mut bar: Option<ProgressBar> = None;
    let is_watched = io::stderr().is_terminal();
    let mut show = |progress: Progress| {
        if bar.is_none() && is_watched && begun.elapsed() > QUIET {
            let form = "{bar:30} {binary_bytes} of {binary_total_bytes}, {eta} left";
            let style = ProgressStyle::with_template(form);
            let made = ProgressBar::new(progress.total);
            bar = Some(style.map_or(made.clone(), |style| made.with_style(style)));
        }
        if let Some(bar) = &bar {
            bar.set_position(progress.done);
        }
    };
    let done = take_in(&OsFs, store, transcripts, &mut show);
    if let Some(bar) = &bar {
        bar.finish_and_clear();
    }
    done.map_err(|error| failure(&error))
}

/// Makes the store anew beside the old one, and puts it in its place when it is whole.
fn rebuild(path: &Path, transcripts: &[Transcript]) -> Result<Ingested, Failure> {
    let beside = |end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        std::path::PathBuf::from(name)
    };
    let new = StorePlace::at(beside(".new"));
    remove(&new.path);
    let old = SqliteStore::open_to_read(path);
    let (mut store, _) = new.open()?;
    let mut kept = old.as_ref().map(|_| ()).map_err(Clone::clone);
    if let Ok(Some(old)) = &old {
        kept = store.take_over_forgotten(old);
    }
    let done = with_bar(&mut store, transcripts)?;
    if let Ok(Some(old)) = &old {
        kept = kept.and(store.take_over_chunks(old));
    }
    drop(old);
    let is_whole = kept.is_ok();
    store.close().map_err(|error| failure(&error))?;
    let io = |error: io::Error| {
        let message = format!("the store `{}` cannot be replaced: {error}", path.display());
        Failure::impossible(message, "check the permissions of its directory")
    };
    if !is_whole && path.exists() {
        let damaged = beside(".damaged");
        fs::rename(path, &damaged).map_err(io)?;
        let message = "not everything of the old store can be read".to_owned();
        let hint = format!("it is kept as `{}`", damaged.display());
        output::note(&output::Notice { message, hint }, true);
    }
    for end in ["-wal", "-shm"] {
        let _gone = fs::remove_file(beside(end));
    }
    fs::rename(&new.path, path).map_err(io)?;
    Ok(done)
}

fn remove(path: &Path) {
    for end in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        let _gone = fs::remove_file(name);
    }
}

/// Says what the store holds.
pub(crate) fn stats(args: &StatsArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let place = StorePlace::of(&args.store, &start)?;
    let found = place.open_to_read()?;
    let of_store = || -> Result<_, StoreError> {
        let Some(found) = &found else { return Ok(Default::default()) };
        if args.check {
            found.check()?;
        }
        let given = found.given()?.iter().map(|given| given.times).sum();
        Ok((found.corpus()?, found.projects()?.len() as u64, given))
    };
    let (corpus, projects, given): (memory_recall::Corpus, u64, u64) =
        of_store().map_err(|error| failure(&error))?;
    let document = StatsDocument {
        schema: STATS_SCHEMA,
        chunks: corpus.chunks,
        conversations: corpus.conversations,
        projects,
        bytes: corpus.bytes,
        model: None,
        given,
        indexed: indexed(found.as_ref(), &store::homes(&args.homes, &start))?,
        store: StorePlace::shown(&place.path),
    };
    let words =
        |document: &StatsDocument| text::stats(document, args.check, &start, output::width());
    Ok(Answer::either(args.output.format(), document, words))
}

/// Shows what was given often.
pub(crate) fn candidates(args: &CandidatesArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let found = StorePlace::of(&args.store, &start)?.open_to_read()?;
    let candidates = match &found {
        Some(found) => {
            memory_recall::candidates(found, args.times).map_err(|error| failure(&error))?
        }
        None => Vec::new(),
    };
    let document = CandidatesDocument {
        schema: CANDIDATES_SCHEMA,
        candidates: candidates.into_iter().map(CandidateDocument::of).collect(),
    };
    let words = |document: &CandidatesDocument| text::candidates(document, &start, output::width());
    Ok(Answer::either(args.output.format(), document, words))
}

/// Prints every chunk.
pub(crate) fn export(args: &ExportArgs, process: Process) -> Result<Answer, Failure> {
    let ExportFormat::Jsonl = args.format;
    let start = Start::at(&args.place, process, &OsFs)?;
    if let Some(found) = StorePlace::of(&args.store, &start)?.open_to_read()? {
        let mut out = BufWriter::with_capacity(64 * 1024, io::stdout().lock());
        let written =
            write_lines(&found, &mut out).and_then(|_| out.flush().map_err(ExchangeError::Write));
        match written {
            Err(ExchangeError::Write(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
            Err(error) => return Err(exchange_failure(&error)),
            Ok(()) => {}
        }
    }
    Ok(Answer::bytes(Vec::new()))
}

/// Merges what another machine exported.
pub(crate) fn import(args: &ImportArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let (mut store, _) = StorePlace::of(&args.store, &start)?.open()?;
    let chunks = if args.file.as_os_str() == "-" {
        import_lines(&mut store, &mut io::stdin().lock())
    } else {
        let path = start.cwd.join(portable_path(&args.file));
        let file = File::open(path.to_path_buf()).map_err(|error| {
            Failure::impossible(format!("`{path}` cannot be read: {error}"), "check the path")
        })?;
        import_lines(&mut store, &mut BufReader::new(file))
    };
    let chunks = chunks.map_err(|error| exchange_failure(&error))?;
    let document = ImportDocument { schema: IMPORT_SCHEMA, chunks };
    let words = |document: &ImportDocument| text::imported(document);
    Ok(Answer::either(args.output.format(), document, words))
}

fn exchange_failure(error: &ExchangeError) -> Failure {
    match error {
        ExchangeError::Store(error) => failure(error),
        ExchangeError::Line { .. } => Failure::impossible(
            error.to_string(),
            "import what `memport recall export` printed; nothing was changed",
        ),
        _ => Failure::impossible(error.to_string(), "check where the output goes"),
    }
}

/// Deletes a conversation or a project.
pub(crate) fn forget(args: &ForgetArgs, process: Process) -> Result<Answer, Failure> {
    let start = Start::at(&args.place, process, &OsFs)?;
    let now = store::now(&args.store)?;
    let what = match (&args.session, &args.project) {
        (Some(session), _) => Forget::Session(session.clone()),
        (None, Some(project)) if project.contains('/') || project.starts_with('.') => {
            Forget::Project(start.cwd.join(project).to_string())
        }
        (None, project) => Forget::Project(project.clone().unwrap_or_default()),
    };
    let place = StorePlace::of(&args.store, &start)?;
    let chunks = if args.write {
        let (mut store, _) = place.open()?;
        memory_recall::forget(&mut store, &what, now).map_err(|error| failure(&error))?
    } else {
        match place.open_to_read()? {
            Some(store) => count_forgotten(&store, &what).map_err(|error| failure(&error))?,
            None => 0,
        }
    };
    let document = ForgetDocument { schema: FORGET_SCHEMA, chunks, applied: args.write };
    let words = |document: &ForgetDocument| text::forgotten(document);
    Ok(Answer::either(args.output.format(), document, words))
}
