//! Taking transcripts in: only what has grown, as often as one likes.

use std::ops::ControlFlow;
use std::time::UNIX_EPOCH;

use memory_core::AbsPath;
use memory_core::fs::{FileKind, Fs, IoError};

use crate::redact::redact;
use crate::store::{ConversationId, FileState, Put, SqliteStore, Store as _, StoreError, StoreMut};
use crate::term::cut;
use crate::transcript::claude::ClaudeReader;
use crate::transcript::codex::CodexReader;
use crate::transcript::line::{LinePlace, Lines};
use crate::transcript::{Agent, Event, Reader, Resume, Turn, TurnKey};

/// Bytes of transcripts that are kept at once: another writer waits that long.
const MAX_BATCH: u64 = 64 << 20;

/// Longest question and longest answer that are kept of one turn.
const MAX_TEXT: usize = 1 << 20;

/// How the names of transcripts end.
const LINES: &str = ".jsonl";

/// How the name of a transcript ends, after that, that is compressed.
const COMPRESSED: &str = ".zst";

/// How many bytes tell a file from another one under the same name.
const HEAD_LEN: u64 = 512;

/// A transcript on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The client that wrote it.
    pub agent: Agent,
    /// The file.
    pub path: AbsPath,
    /// Its size in bytes.
    pub len: u64,
    /// Nanoseconds since 1970 of its last change, 0 where that is not known.
    pub modified: i64,
}

/// What is done so far, for whoever waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes that are looked at.
    pub done: u64,
    /// Bytes of all files.
    pub total: u64,
}

/// What was taken in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ingested {
    /// Transcripts that were there.
    pub files: u64,
    /// Chunks that are new, or longer than before.
    pub chunks: u64,
    /// Files that nothing was read of: unchanged, of sub-agents, compressed.
    pub skipped: u64,
    /// Bytes that were read.
    pub bytes: u64,
    /// Files that could not be read, each with the reason.
    pub unreadable: Vec<(AbsPath, IoError)>,
    /// Compressed transcripts, which are not read.
    pub compressed: Vec<AbsPath>,
}

/// Where the clients keep their transcripts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Homes {
    /// Claude Code's configuration directory, such as `~/.claude`.
    pub claude: Option<AbsPath>,
    /// Codex's home, such as `~/.codex`.
    pub codex: Option<AbsPath>,
}

/// The transcripts that are there, oldest conversation of a client first.
///
/// Those of sub-agents lie deeper and are no conversations of a person.
pub fn find_transcripts(fs: &dyn Fs, homes: &Homes) -> Vec<Transcript> {
    let mut found = Vec::new();
    for (agent, path) in transcript_paths(fs, homes) {
        add(fs, agent, path, &mut found);
    }
    found
}

/// The names of the transcripts that are there.
pub(crate) fn transcript_paths(fs: &dyn Fs, homes: &Homes) -> Vec<(Agent, AbsPath)> {
    let mut found = Vec::new();
    if let Some(claude) = &homes.claude {
        for project in names(fs, &claude.join("projects"), FileKind::Dir) {
            found.extend(
                names(fs, &project, FileKind::File)
                    .into_iter()
                    .map(|path| (Agent::ClaudeCode, path)),
            );
        }
    }
    if let Some(codex) = &homes.codex {
        let mut rollouts = names(fs, &codex.join("archived_sessions"), FileKind::File);
        for year in names(fs, &codex.join("sessions"), FileKind::Dir) {
            for month in names(fs, &year, FileKind::Dir) {
                for day in names(fs, &month, FileKind::Dir) {
                    rollouts.append(&mut names(fs, &day, FileKind::File));
                }
            }
        }
        // A copied head is told by its origin, which is older.
        rollouts.sort_by(|one, other| one.file_name().cmp(&other.file_name()));
        rollouts.retain(|path| path.file_name().is_some_and(|name| name.starts_with("rollout-")));
        found.extend(rollouts.into_iter().map(|path| (Agent::Codex, path)));
    }
    found.retain(|(_, path)| is_transcript(path));
    found
}

fn is_transcript(path: &AbsPath) -> bool {
    path.file_name().is_some_and(|name| {
        name.strip_suffix(COMPRESSED).unwrap_or(name).strip_suffix(LINES).is_some()
    })
}

/// Where a single file belongs: what its first record says, or `None` for no transcript.
pub fn transcript_at(fs: &dyn Fs, path: &AbsPath) -> Result<Option<Transcript>, IoError> {
    let head = fs.read_up_to(path, 64 * 1024)?;
    let is_codex = path.file_name().is_some_and(|name| name.starts_with("rollout-"))
        || memchr::memmem::find(&head, b"\"session_meta\"").is_some();
    let is_claude = memchr::memmem::find(&head, b"\"sessionId\"").is_some();
    let agent = match (is_codex, is_claude) {
        (true, _) => Agent::Codex,
        (_, true) => Agent::ClaudeCode,
        _ => return Ok(None),
    };
    let mut found = Vec::new();
    add(fs, agent, path.clone(), &mut found);
    Ok(found.pop())
}

fn names(fs: &dyn Fs, directory: &AbsPath, kind: FileKind) -> Vec<AbsPath> {
    let Ok(entries) = fs.read_dir(directory) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .filter_map(Result::ok)
        .filter(|entry| entry.kind == kind || entry.kind == FileKind::Symlink)
        .map(|entry| entry.name)
        .collect();
    names.sort_unstable();
    names.into_iter().map(|name| directory.join(name)).collect()
}

fn add(fs: &dyn Fs, agent: Agent, path: AbsPath, found: &mut Vec<Transcript>) {
    // A file that vanishes meanwhile is no transcript any more.
    if let Ok(metadata) = fs.metadata(&path)
        && metadata.is_file()
    {
        let modified = metadata.modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let modified = modified.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(0);
        found.push(Transcript { agent, path, len: metadata.len, modified });
    }
}

/// Takes transcripts into a store, and tells now and then how far it is.
///
/// Can be interrupted at any point, and run by several at once: what was kept stays, and
/// the next run goes on from there. Secrets are redacted; see [`redact`].
pub fn ingest(
    fs: &dyn Fs,
    store: &mut SqliteStore,
    transcripts: &[Transcript],
    progress: &mut dyn FnMut(Progress),
) -> Result<Ingested, StoreError> {
    let mut run = Run {
        fs,
        store,
        done: Ingested::default(),
        in_batch: 0,
        passed: 0,
        total: transcripts.iter().map(|transcript| transcript.len).sum(),
        progress,
    };
    run.store.begin()?;
    let result = transcripts.iter().try_for_each(|transcript| run.transcript(transcript));
    let result = result.and_then(|()| run.store.commit());
    if let Err(error) = result {
        run.store.roll_back();
        return Err(error);
    }
    Ok(run.done)
}

struct Run<'a> {
    fs: &'a dyn Fs,
    store: &'a mut SqliteStore,
    done: Ingested,
    in_batch: u64,
    passed: u64,
    total: u64,
    progress: &'a mut dyn FnMut(Progress),
}

impl Run<'_> {
    fn transcript(&mut self, transcript: &Transcript) -> Result<(), StoreError> {
        self.done.files += 1;
        if transcript.path.as_str().strip_suffix(COMPRESSED).is_some() {
            self.done.skipped += 1;
            self.done.compressed.push(transcript.path.clone());
            return Ok(());
        }
        let known = self.store.file(transcript.path.as_str())?;
        let is_same = |state: &FileState| {
            state.len == transcript.len && state.modified == transcript.modified
        };
        if known.as_ref().is_some_and(is_same) {
            self.done.skipped += 1;
            return self.pass(transcript.len);
        }
        let head = match self.fs.read_up_to(&transcript.path, HEAD_LEN) {
            Ok(head) => head,
            Err(error) => {
                if !error.is_absence() {
                    self.done.unreadable.push((transcript.path.clone(), error));
                }
                self.done.skipped += 1;
                return self.pass(transcript.len);
            }
        };
        // The head of a file that was short is shorter than now.
        let from = known.filter(|known| {
            let len = usize::try_from(known.len.min(HEAD_LEN)).unwrap_or(head.len());
            known.resume.offset <= transcript.len
                && head_key(head.get(..len).unwrap_or(&head)) == known.head
        });
        // A copied head is compared from its start.
        let resume = from.map(|from| from.resume).filter(|resume| !resume.in_copy);
        let goes_on = self.read(transcript, resume.as_ref(), &head)?;
        if !goes_on {
            self.read(transcript, None, &head)?;
        }
        Ok(())
    }

    /// Reads a transcript from a place on; `false` when it has to be read as a whole.
    fn read(
        &mut self,
        transcript: &Transcript,
        resume: Option<&Resume>,
        head: &[u8],
    ) -> Result<bool, StoreError> {
        let start = resume.map_or(LinePlace { offset: 0, number: 1 }, |resume| LinePlace {
            offset: resume.offset,
            number: resume.line,
        });
        let mut reading = Reading {
            reader: match transcript.agent {
                Agent::ClaudeCode => Box::new(ClaudeReader::new(resume)),
                Agent::Codex => Box::new(CodexReader::new(resume)),
            },
            conversation: None,
            is_forgotten: false,
            head: None,
            in_copy: resume.is_none_or(|resume| resume.in_copy),
            needs_whole: false,
        };
        let mut lines = Lines::new(start);
        let mut events = Vec::new();
        let mut failed = None;
        let (fs, path) = (self.fs, &transcript.path);
        let read = fs.read_pieces_from(path, start.offset, &mut |piece| {
            self.done.bytes += piece.len() as u64;
            lines.feed(piece, &mut |place, line| reading.reader.line(place, line, &mut events));
            let taken = self.take(transcript, &mut reading, &mut events).and_then(|()| {
                self.in_batch += piece.len() as u64;
                if self.in_batch < MAX_BATCH || reading.needs_whole {
                    return Ok(());
                }
                self.note(transcript, &reading, &lines, head, false)?;
                self.renew()
            });
            match taken {
                Ok(()) if !reading.needs_whole => ControlFlow::Continue(()),
                Ok(()) => ControlFlow::Break(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        if let Err(error) = read {
            if !error.is_absence() {
                self.done.unreadable.push((transcript.path.clone(), error));
            }
            self.done.skipped += 1;
            self.pass(transcript.len)?;
            return Ok(true);
        }
        if reading.needs_whole {
            return Ok(false);
        }
        if let Some(turn) = reading.reader.open_turn() {
            events.push(Event::Turn(turn));
            self.take(transcript, &mut reading, &mut events)?;
        }
        if reading.reader.header().is_sub_agent {
            self.done.skipped += 1;
        }
        self.note(transcript, &reading, &lines, head, true)?;
        self.pass(transcript.len)?;
        Ok(true)
    }

    /// Keeps what the reader told.
    fn take(
        &mut self,
        transcript: &Transcript,
        reading: &mut Reading,
        events: &mut Vec<Event>,
    ) -> Result<(), StoreError> {
        for event in events.drain(..) {
            match event {
                Event::NeedsWhole => {
                    reading.needs_whole = true;
                    return Ok(());
                }
                Event::Turn(turn) => self.keep(transcript, reading, &turn)?,
                Event::Abandoned(key) => self.drop_turn(transcript, reading, key)?,
            }
        }
        Ok(())
    }

    fn keep(
        &mut self,
        transcript: &Transcript,
        reading: &mut Reading,
        turn: &Turn,
    ) -> Result<(), StoreError> {
        let turn = kept(turn);
        if reading.is_copied(self.store, &turn)? || reading.is_forgotten {
            return Ok(());
        }
        let conversation = if let Some(known) = reading.conversation {
            known
        } else {
            let mut header = reading.reader.header().clone();
            if header.session.is_empty() {
                let name = transcript.path.file_name().unwrap_or_default();
                name.trim_end_matches(LINES).clone_into(&mut header.session);
            }
            let path = transcript.path.as_str();
            let Some(made) = self.store.put_conversation(transcript.agent, &header, path)? else {
                reading.is_forgotten = true;
                return Ok(());
            };
            reading.conversation = Some(made);
            made
        };
        if matches!(self.store.put_turn(conversation, &turn)?, Put::Added | Put::Changed) {
            self.done.chunks += 1;
        }
        Ok(())
    }

    fn drop_turn(
        &mut self,
        transcript: &Transcript,
        reading: &Reading,
        key: TurnKey,
    ) -> Result<(), StoreError> {
        let session = &reading.reader.header().session;
        let conversation = match reading.conversation {
            Some(known) => Some(known),
            None => self.store.known_conversation(transcript.agent, session)?,
        };
        if let Some(conversation) = conversation
            && self.store.remove_turn(conversation, key)?
        {
            self.done.chunks = self.done.chunks.saturating_sub(1);
        }
        Ok(())
    }

    /// Notes how far a file is read.
    fn note(
        &mut self,
        transcript: &Transcript,
        reading: &Reading,
        lines: &Lines,
        head: &[u8],
        is_done: bool,
    ) -> Result<(), StoreError> {
        let mut resume = reading.reader.resume(lines.next());
        resume.in_copy = reading.in_copy;
        let state = FileState {
            len: if is_done { transcript.len } else { resume.offset },
            modified: if is_done { transcript.modified } else { 0 },
            head: head_key(
                head.get(..head_len(if is_done { transcript.len } else { resume.offset }))
                    .unwrap_or(head),
            ),
            resume,
        };
        self.store.put_file(transcript.path.as_str(), &state)
    }

    /// Keeps what there is, so that another writer has its turn.
    fn renew(&mut self) -> Result<(), StoreError> {
        self.in_batch = 0;
        self.store.commit()?;
        self.store.begin()
    }

    fn pass(&mut self, len: u64) -> Result<(), StoreError> {
        self.passed += len;
        (self.progress)(Progress { done: self.passed, total: self.total });
        if self.in_batch >= MAX_BATCH { self.renew() } else { Ok(()) }
    }
}

/// A transcript while it is read.
struct Reading {
    reader: Box<dyn Reader>,
    conversation: Option<ConversationId>,
    is_forgotten: bool,
    /// What the origin of a copied head holds, next turn last.
    head: Option<Vec<(String, String)>>,
    in_copy: bool,
    needs_whole: bool,
}

impl Reading {
    /// Whether a turn stands in the head that was copied from another conversation. The
    /// longest common head is one.
    fn is_copied(&mut self, store: &SqliteStore, turn: &Turn) -> Result<bool, StoreError> {
        if !self.in_copy {
            return Ok(false);
        }
        let Some(origin) = self.reader.header().copied_from.clone() else {
            self.in_copy = false;
            return Ok(false);
        };
        if self.head.is_none() {
            let known = store.known_conversation(Agent::Codex, &origin)?;
            let turns = known.map(|known| store.turns(known)).transpose()?.unwrap_or_default();
            let turns = turns.into_iter().rev().map(|chunk| (chunk.question, chunk.answer));
            self.head = Some(turns.collect());
        }
        let next = self.head.as_mut().and_then(Vec::pop);
        let is_copied = next.is_some_and(|(question, answer)| {
            question == turn.question && answer == turn.answers.join("\n\n")
        });
        self.in_copy = is_copied;
        Ok(is_copied)
    }
}

/// A turn as it is kept: without secrets, and not without end.
fn kept(turn: &Turn) -> Turn {
    let question = redact(cut(&turn.question, MAX_TEXT)).trim().to_owned();
    let mut room = MAX_TEXT;
    let mut answers = Vec::with_capacity(turn.answers.len());
    // What was said last counts most.
    for answer in turn.answers.iter().rev() {
        if answer.len() > room {
            if answers.is_empty() {
                answers.push(redact(cut(answer, MAX_TEXT)).trim().to_owned());
            }
            break;
        }
        room -= answer.len();
        answers.push(redact(answer).trim().to_owned());
    }
    answers.reverse();
    Turn { question, answers, ..turn.clone() }
}

fn head_len(len: u64) -> usize {
    usize::try_from(len.min(HEAD_LEN)).unwrap_or(usize::MAX)
}

fn head_key(head: &[u8]) -> i64 {
    TurnKey::of(&[&String::from_utf8_lossy(head)]).0
}
