//! Every recorded case, in memory and on a real disk.
//!
//! `MEMPORT_CASES=DIR` adds the cases of a folder of your own; it is told what
//! a case is by its golden, so any mix of recordings will do.

use std::path::Path;
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};
use tests::{Case, Result, WorldKind, cases};

fn main() -> Result<ExitCode> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    add(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cases")), &mut trials)?;
    if let Some(folder) = std::env::var_os("MEMPORT_CASES") {
        add(Path::new(&folder), &mut trials)?;
    }
    Ok(libtest_mimic::run(&arguments, trials).exit_code())
}

fn add(folder: &Path, trials: &mut Vec<Trial>) -> Result<()> {
    let git = Command::new("git").arg("--version").output().is_ok();
    for case in cases(folder)? {
        for &world in case.worlds() {
            trials.push(trial(case.clone(), world, git));
        }
    }
    Ok(())
}

fn trial(case: Case, world: WorldKind, git: bool) -> Trial {
    let name = format!("{}/{}", case.label(), world.as_str());
    let lacks_git = !git && case.runs_git();
    let run = move || case.run(world).map_err(|report| Failed::from(report.to_string()));
    let trial = Trial::test(name, run);
    if lacks_git { trial.with_kind("git is not installed").with_ignored_flag(true) } else { trial }
}
