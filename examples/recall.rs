//! Takes past conversations into a store of its own, and asks it.
//!
//! `cargo run -p examples --example recall -- "what did we decide about retries"`

use std::error::Error;

use memory_core::fs::OsFs;
use memory_core::{AbsPath, Env};
use memory_recall::{Homes, Search, SqliteStore, find_transcripts, ingest};

fn main() -> Result<(), Box<dyn Error>> {
    let question = std::env::args().nth(1).unwrap_or_else(|| "retries".to_owned());
    let home = Env::current().home.ok_or("set HOME")?;
    let homes = Homes { claude: Some(home.join(".claude")), codex: Some(home.join(".codex")) };

    let directory = tempfile::tempdir()?;
    let mut store = SqliteStore::open(&directory.path().join("recall.sqlite"))?;
    let done = ingest(&OsFs, &mut store, &find_transcripts(&OsFs, &homes), &mut |_| {})?;
    println!("{} questions of {} transcripts", done.chunks, done.files);

    let now = jiff::Timestamp::now().as_millisecond();
    let mut search = Search::at(now);
    search.count = 3;
    search.filter.project = std::env::current_dir()
        .ok()
        .and_then(|here| AbsPath::try_from(here).ok())
        .map(|here| here.to_string());
    for hit in search.run(&store, &question)? {
        // A hit renders as a quotation, and can become no instruction.
        println!("{hit}");
    }
    Ok(())
}
