//! Recorded names of memory folders: a table of project paths and folder names.

use std::fmt::Write as _;

use adapter_claude::{Claude, Query};
use memory_core::fs::MemFs;
use memory_core::{Env, World};

use crate::Result;
use crate::content::path;

const HOME: &str = "/mnt/home";

/// The rows of the table in which the library's folder is another one, or `None`.
pub(crate) fn compare(table: &str) -> Result<Option<String>> {
    let mut report = String::new();
    for row in table.lines().skip(1) {
        let (project, slug) = row.split_once('\t').ok_or("a row needs two columns")?;
        let mut fs = MemFs::new();
        fs.dir(project).dir(HOME);
        let env = Env::with_home(path(HOME)?);
        let query = Query::new(path(project)?).with_args(["-p", "hi"]);
        let memory = Claude::default().resolve(World { fs: &fs, env: &env }, &query)?.memory;
        let have = memory.root.map(|root| root.to_string()).unwrap_or_default();
        let want = format!("{HOME}/.claude/projects/{slug}/memory");
        if have != want {
            let _ = write!(report, "{project}\n  - {want}\n  + {have}\n");
        }
    }
    Ok(if report.is_empty() { None } else { Some(report) })
}
