//! The tables of a store, and how an older one becomes a newer one.

use rusqlite::{Connection, Transaction, TransactionBehavior};

/// The form that this release writes.
pub(super) const VERSION: i64 = 1;

/// What tells a store apart from other databases: `mprt`.
const APPLICATION: i64 = 0x6d70_7274;

/// What each step adds to the form before it.
const STEPS: [&str; 1] = ["
create table conversation (
    id integer primary key,
    agent integer not null,
    session text not null,
    project text not null,
    path text not null,
    begun integer,
    unique (agent, session)
);
create index conversation_project on conversation (project);
create table chunk (
    id integer primary key,
    key integer not null unique,
    conversation integer not null references conversation (id),
    time integer,
    line integer not null,
    question text not null,
    answer text not null
);
create index chunk_conversation on chunk (conversation);
create table posting (id integer primary key, data blob not null);
create table fact (block integer primary key, data blob not null);
create table total (
    id integer primary key check (id = 0),
    chunks integer not null,
    terms integer not null,
    bytes integer not null,
    next integer not null
);
insert into total values (0, 0, 0, 0, 1);
create table file (
    path text primary key,
    len integer not null,
    modified integer not null,
    head integer not null,
    resume text not null
) without rowid;
create table forgotten (key integer primary key);
create table forgotten_project (project text primary key, time integer not null) without rowid;
create table given (chunk integer primary key, times integer not null, last integer not null);
"];

/// What a database is.
pub(super) enum Form {
    Ready,
    Older,
    Newer(i64),
    Foreign,
}

pub(super) fn form(connection: &Connection) -> rusqlite::Result<Form> {
    let number = |name: &str| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let version = number("user_version")?;
    let application = number("application_id")?;
    if application != APPLICATION {
        let tables: i64 =
            connection.query_row("select count(*) from sqlite_schema", (), |row| row.get(0))?;
        return Ok(if tables == 0 && version == 0 { Form::Older } else { Form::Foreign });
    }
    Ok(match version {
        VERSION => Form::Ready,
        newer if newer > VERSION => Form::Newer(newer),
        _ => Form::Older,
    })
}

/// Brings a store to this release's form; nothing is left half done.
pub(super) fn migrate(connection: &mut Connection) -> rusqlite::Result<()> {
    let step = Transaction::new(connection, TransactionBehavior::Immediate)?;
    let version: i64 = step.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let done = usize::try_from(version).unwrap_or(0);
    for sql in STEPS.iter().skip(done) {
        step.execute_batch(sql)?;
    }
    step.pragma_update(None, "application_id", APPLICATION)?;
    step.pragma_update(None, "user_version", VERSION)?;
    step.commit()
}
