//! Tells when something changes in a memory folder, by asking again and again.
//!
//! `cargo run -p examples --example watch_store [FOLDER]`

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use adapter_claude::{Claude, Query, Store};
use memory_core::fs::{Fs, OsFs, Probes, Recorder};
use memory_core::{AbsPath, Env, World};

/// What a path that an answer depends on looks like from outside.
type Looks = BTreeMap<AbsPath, Option<(u64, Option<SystemTime>)>>;

fn main() -> Result<(), Box<dyn Error>> {
    let here = AbsPath::new(env::current_dir()?.to_string_lossy())?;
    let cwd = here.join(env::args().nth(1).unwrap_or_default());
    let home = env::var("HOME").ok().and_then(|home| AbsPath::new(home).ok());
    let env = Env { home, vars: env::vars().collect() };
    let query = Query::new(cwd);

    let (mut store, mut probes) = read(&env, &query)?;
    println!("watching {} ({} topics)", store.place.root, store.topics.len());
    let mut looks = look(&probes);
    loop {
        sleep(Duration::from_secs(1));
        // Nothing is read as long as no path that the answer depends on changed.
        if look(&probes) == looks {
            continue;
        }
        let before = store;
        (store, probes) = read(&env, &query)?;
        looks = look(&probes);
        tell(&before, &store);
    }
}

/// The memory folder, and the paths on which the answer depends.
fn read(env: &Env, query: &Query) -> Result<(Store, Probes), memory_core::Error> {
    let fs = Recorder::new(&OsFs);
    let parsed = Claude::default().store(World { fs: &fs, env }, query)?;
    for told in &parsed.diagnostics {
        println!("{}[{}] {}", told.severity.as_str(), told.code, told.message);
    }
    let probes = fs.probes();
    Ok((parsed.value, probes))
}

fn look(probes: &Probes) -> Looks {
    let paths = probes.read.iter().chain(&probes.missing);
    let look = |path: &AbsPath| OsFs.metadata(path).ok().map(|found| (found.len, found.modified));
    paths.map(|path| (path.clone(), look(path))).collect()
}

fn tell(before: &Store, now: &Store) {
    let known = |store: &Store| -> BTreeMap<_, _> {
        store.topics.iter().map(|topic| (topic.below.clone(), topic.clone())).collect()
    };
    let (old, new) = (known(before), known(now));
    for (below, topic) in &new {
        match old.get(below) {
            None => println!("new: {} — {}", topic.name(), topic.description().unwrap_or_default()),
            Some(old) if old != topic => println!("changed: {}", topic.name()),
            Some(_) => {}
        }
    }
    for below in old.keys().filter(|below| !new.contains_key(*below)) {
        println!("gone: {below}");
    }
    if before.index != now.index {
        println!("the index has {} entries", now.index.iter().flat_map(|it| it.entries()).count());
    }
}
