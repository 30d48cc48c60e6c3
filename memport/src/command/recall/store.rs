//! Where the store is, and what a command may do with it.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use memory_core::{AbsPath, Env};
use memory_recall::{Age, Filter, Homes, Search, SqliteStore, StoreError, Time, parse_time};

use crate::args::{ClientName, FilterArgs, HomesArgs, Part, StoreArgs};
use crate::failure::Failure;
use crate::output::{self, Notice};
use crate::place::{Start, portable_path};

/// The name of a store in its directory.
const NAME: &str = "recall.sqlite";

/// The variables by which a client says in which conversation a command runs.
const RUNNING: [&str; 2] = ["CLAUDE_CODE_SESSION_ID", "CODEX_THREAD_ID"];

/// A place for a store.
pub(super) struct StorePlace {
    pub(super) path: PathBuf,
    /// Where else it may be when this one cannot be written: only where nobody named one.
    fallback: Option<PathBuf>,
}

impl StorePlace {
    /// Where the store is that this command line means.
    pub(super) fn of(args: &StoreArgs, start: &Start) -> Result<Self, Failure> {
        if let Some(named) = &args.store {
            let text = portable_path(named);
            if text.starts_with("postgres://") || text.starts_with("postgresql://") {
                return Err(Failure::usage(
                    "a store on a server is not part of this release",
                    "name a file with `--store`",
                ));
            }
            let path = start.cwd.join(text).to_path_buf();
            return Ok(Self { path, fallback: None });
        }
        let Some(data) = data_directory(&start.env) else {
            return Err(Failure::impossible(
                "nobody says where the store of past conversations is",
                "set HOME, pass `--home DIR`, or name a store with `--store`",
            ));
        };
        let fallback = std::env::temp_dir().join(format!("memport-{}", user()));
        Ok(Self {
            path: data.join("memport").to_path_buf().join(NAME),
            fallback: Some(fallback.join(NAME)),
        })
    }

    /// This very file.
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path, fallback: None }
    }

    /// Opens the store to write, and makes it where there is none.
    pub(super) fn open(&self) -> Result<(SqliteStore, PathBuf), Failure> {
        match open(&self.path) {
            Err(error @ StoreError::NotWritable { .. }) => {
                let Some(fallback) = &self.fallback else { return Err(failure(&error)) };
                let store = open(fallback).map_err(|_| failure(&error))?;
                let message = error.to_string();
                let hint = format!("`{}` is used instead until that is mended", fallback.display());
                output::note(&Notice { message, hint }, true);
                Ok((store, fallback.clone()))
            }
            Err(error) => Err(failure(&error)),
            Ok(store) => Ok((store, self.path.clone())),
        }
    }

    /// Opens the store to read; `None` when nothing was ever taken in.
    pub(super) fn open_to_read(&self) -> Result<Option<SqliteStore>, Failure> {
        let found = SqliteStore::open_to_read(&self.path).map_err(|error| failure(&error))?;
        match (&found, &self.fallback) {
            (None, Some(fallback)) if is_own(fallback) => {
                SqliteStore::open_to_read(fallback).map_err(|error| failure(&error))
            }
            _ => Ok(found),
        }
    }

    /// The path as text.
    pub(super) fn shown(path: &Path) -> String {
        portable_path(path)
    }
}

/// What a failure of a store is for whoever gave the command.
pub(super) fn failure(error: &StoreError) -> Failure {
    Failure::impossible(error.to_string(), error.remedy())
}

/// Opens a store that only its owner can read.
fn open(path: &Path) -> Result<SqliteStore, StoreError> {
    let not_writable = |error: &io::Error| {
        let path = path.display().to_string();
        match error.kind() {
            io::ErrorKind::StorageFull => StoreError::Full { path },
            _ => StoreError::NotWritable { path, message: error.to_string() },
        }
    };
    if let Some(directory) = path.parent() {
        private_directory(directory).map_err(|error| not_writable(&error))?;
    }
    private_file(path).map_err(|error| not_writable(&error))?;
    SqliteStore::open(path)
}

fn private_directory(directory: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

fn private_file(path: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let found = fs::metadata(path);
    if found.as_ref().is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is no regular file"));
    }
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = file.metadata()?.permissions().mode();
        if mode & 0o077 != 0 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(())
}

/// Whether a file in a directory that everybody may write to is this user's.
fn is_own(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let own = |path: &Path| {
            fs::symlink_metadata(path).is_ok_and(|found| found.uid().to_string() == user())
        };
        own(path) && path.parent().is_some_and(own)
    }
    #[cfg(not(unix))]
    path.exists()
}

fn user() -> String {
    #[cfg(unix)]
    {
        rustix::process::getuid().as_raw().to_string()
    }
    #[cfg(not(unix))]
    "user".to_owned()
}

fn data_directory(env: &Env) -> Option<AbsPath> {
    let given = env.var("XDG_DATA_HOME").and_then(|dir| AbsPath::new(dir).ok());
    let usual =
        if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    given.or_else(|| env.home.as_ref().map(|home| home.join(usual)))
}

/// Where the clients keep their transcripts, as they find it themselves.
pub(super) fn homes(args: &HomesArgs, start: &Start) -> Homes {
    let home = |named: Option<&PathBuf>, variable: &str, usual: &str| {
        let named = named.map(|named| start.cwd.join(portable_path(named)));
        let said = || {
            let said = start.env.var(variable).filter(|said| !said.is_empty());
            said.map(|said| start.cwd.join(said))
        };
        let usual = || start.env.home.as_ref().map(|home| home.join(usual));
        named.or_else(said).or_else(usual)
    };
    Homes {
        claude: home(args.claude_home.as_ref(), "CLAUDE_CONFIG_DIR", ".claude"),
        codex: home(args.codex_home.as_ref(), "CODEX_HOME", ".codex"),
    }
}

/// The time that ages are counted from.
pub(super) fn now(args: &StoreArgs) -> Result<Time, Failure> {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let clock = i64::try_from(clock.as_millis()).unwrap_or(i64::MAX);
    time(args.now.as_deref(), clock).map(|said| said.unwrap_or(clock))
}

fn time(text: Option<&str>, now: Time) -> Result<Option<Time>, Failure> {
    let Some(text) = text else { return Ok(None) };
    match parse_time(text, now) {
        Some(time) => Ok(Some(time)),
        None => Err(Failure::usage(
            format!("`{text}` is no time"),
            "write a date such as `2026-11-30`, a time such as `2026-11-30T09:00:00Z`, or days \
             such as `30d`",
        )),
    }
}

/// A search with these settings.
pub(super) fn settings(args: &FilterArgs, now: Time, start: &Start) -> Result<Search, Failure> {
    let mut search = Search::at(now);
    search.fulltext = !args.without.contains(&Part::Fulltext);
    search.age = match args.half_life {
        _ if args.without.contains(&Part::Age) => Age::Off,
        Some(days) if days > 0.0 && days.is_finite() => Age::HalfLife(days),
        Some(days) => {
            return Err(Failure::usage(
                format!("a half-life of {days} days halves nothing"),
                "write a number of days above 0",
            ));
        }
        None => Age::Order,
    };
    let running = RUNNING.iter().filter_map(|name| start.env.var(name));
    let project = args.project.as_ref().map(|named| {
        // A path is meant where there is a sign of one.
        if named.contains('/') || named.starts_with('.') {
            start.cwd.join(named).to_string()
        } else {
            named.clone()
        }
    });
    search.filter = Filter {
        project,
        agent: args.agent.map(|agent| match agent {
            ClientName::Codex => memory_recall::Agent::Codex,
            ClientName::Claude => memory_recall::Agent::ClaudeCode,
        }),
        since: time(args.since.as_deref(), now)?,
        until: time(args.until.as_deref(), now)?,
        without_sessions: running.map(str::to_owned).collect(),
    };
    Ok(search)
}
