//! One page for people: what each client loads, what is cut, what is wrong.

use memory_core::World;
use memory_core::fs::OsFs;

use crate::args::ReportArgs;
use crate::check::{Config, Root, explained, look};
use crate::client::Clients;
use crate::failure::Failure;
use crate::output::Answer;
use crate::place::{Process, Start, portable_path};
use crate::text;

/// Writes the page.
pub(crate) fn report(args: &ReportArgs, process: Process) -> Result<Answer, Failure> {
    let clients = Clients::chosen(args.agent, &args.release)?;
    let start = Start::at(&args.place, process, &OsFs)?;
    let world = World { fs: &OsFs, env: &start.env };
    let agents = explained(world, &clients, &start.cwd)?;
    let root =
        memory_git::Repository::around(&start.cwd, &OsFs).ok().map(|found| found.root().clone());
    let root = Root { folder: root.unwrap_or_else(|| start.cwd.clone()) };
    let config = Config::read(&OsFs, &root.folder, None)?;
    let mut looked = look(&OsFs, &start.env, &clients, std::slice::from_ref(&start.cwd), &config)?;
    config.settle(&mut looked.findings, &root);
    looked
        .findings
        .sort_by_cached_key(|finding| (std::cmp::Reverse(finding.severity), finding.key(&root)));
    let findings: Vec<_> =
        looked.findings.iter().map(|finding| finding.to_document(&root)).collect();
    let page = text::html(&agents, &findings, looked.counts);
    let path = start.cwd.join(portable_path(&args.html));
    std::fs::write(path.to_path_buf(), page).map_err(|error| {
        Failure::impossible(
            format!("cannot write `{path}`: {error}"),
            "name a file in a folder that is there",
        )
    })?;
    Ok(Answer::text(format!("The page is in {}\n", text::visible(&path.to_string()))))
}
