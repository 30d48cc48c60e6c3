//! Memory folders that more than one project has: the client names a folder by
//! the project's path with most characters turned into dashes.

use std::collections::BTreeSet;

use memory_core::fs::Fs;
use memory_core::{AbsPath, Code, Diagnostic, Error, Severity, World};

use super::place::with_context;
use super::projects::Home;
use crate::claude::{Claude, Query};
use crate::context::Context;
use crate::memory::{self, slug};

const SHARED: Code = Code("claude/memory-folder-shared");

impl Claude {
    /// Tells that the memory folder of a start is that of another project too,
    /// as its transcripts and the client's notes say.
    ///
    /// Errors when the start folder is not there or the home directory is not known.
    pub fn shared_memory(
        &self,
        world: World<'_>,
        query: &Query,
    ) -> Result<Option<Diagnostic>, Error> {
        with_context(self, world, query, tell)
    }
}

/// Tells whose the memory folder of a start is beside its own project's.
pub(crate) fn tell(context: &Context<'_>) -> Option<Diagnostic> {
    let fs = context.unrecorded;
    let home = Home::of_start(context.layout);
    let dir = in_use(context, &home)?;
    let name = dir.file_name()?;
    let own = context.layout.main_root();
    let noted = home.noted(fs);
    let (there, gone) = others(fs, &home, name, own, noted);
    if !there.is_empty() {
        let message = format!(
            "sessions in {} keep their memory in this folder too: each project is told what the \
             other one remembers",
            named(&there)
        );
        return Some(Diagnostic::new(SHARED, Severity::Warning, message).at(&dir).help(WAY_OUT));
    }
    let first = gone.first()?;
    let message = format!(
        "this folder also holds what was kept for {}, which is not there any more; sessions here \
         are told it",
        named(&gone)
    );
    let help = format!(
        "if `{first}` is what this project was called before, all is well; otherwise {WAY_OUT}"
    );
    Some(Diagnostic::new(SHARED, Severity::Hint, message).at(&dir).help(help))
}

const WAY_OUT: &str = "give this project a folder of its own: set `autoMemoryDirectory` in its \
                       `.claude/settings.local.json`, or rename the project's folder";

/// The client's folder for the project of a start, where its memory lies in it.
pub(super) fn in_use(context: &Context<'_>, home: &Home) -> Option<AbsPath> {
    let dir = memory::place(context).parent()?;
    (dir.parent()? == home.projects).then_some(dir)
}

/// The other projects that have the folder called `name`: those that are there,
/// and those that are gone.
pub(super) fn others(
    fs: &dyn Fs,
    home: &Home,
    name: &str,
    own: &AbsPath,
    noted: impl IntoIterator<Item = AbsPath>,
) -> (Vec<AbsPath>, Vec<AbsPath>) {
    // A session that went into another folder leaves paths of other names too.
    let fits = |path: &AbsPath| slug(&path.to_string()) == name && path != own;
    let claims = noted.into_iter().chain(home.transcribed(fs, name)).filter(fits);
    let claims: BTreeSet<AbsPath> = claims.collect();
    let is_own = |path: &AbsPath| fs.canonicalize(path).is_ok_and(|real| real == *own);
    claims.into_iter().filter(|path| !is_own(path)).partition(|path| fs.metadata(path).is_ok())
}

pub(super) fn named(paths: &[AbsPath]) -> String {
    let names: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
    names.join(" and ")
}

#[cfg(test)]
mod tests {
    use memory_core::Env;
    use memory_core::fs::MemFs;

    use super::*;

    fn told(fs: &MemFs, cwd: &str) -> Option<Diagnostic> {
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let query = Query::new(AbsPath::new(cwd).unwrap());
        Claude::default().shared_memory(World { fs, env: &env }, &query).unwrap()
    }

    fn world(sessions: &[&str]) -> MemFs {
        let session = |cwd: &&str| {
            let name = cwd.replace('/', "_");
            let line = format!("{{\"type\":\"user\",\"cwd\":\"{cwd}\"}}\n");
            (format!("/h/.claude/projects/-h-src---/{name}.jsonl"), line)
        };
        let mut fs = MemFs::from_files(sessions.iter().map(session));
        fs.file("/h/src/売上/.git/HEAD", "").file("/h/src/在庫/.git/HEAD", "");
        fs
    }

    #[test]
    fn two_projects_of_one_folder_are_told_in_each_of_them() {
        let fs = world(&["/h/src/在庫", "/h/src/売上", "/h/src/売上/web"]);
        for (cwd, other) in [("/h/src/売上", "`/h/src/在庫`"), ("/h/src/在庫", "`/h/src/売上`")]
        {
            let told = told(&fs, cwd).unwrap();
            assert!(told.message.contains(other) && !told.message.contains(cwd), "{told:?}");
            assert_eq!(told.severity, Severity::Warning);
        }
    }

    #[test]
    fn a_project_that_is_gone_is_a_hint_and_none_is_no_word() {
        let fs = world(&["/h/src/加工"]);
        let told_here = told(&fs, "/h/src/売上").unwrap();
        assert_eq!(told_here.severity, Severity::Hint);
        assert!(told_here.message.contains("`/h/src/加工`, which is not there"), "{told_here:?}");
        assert_eq!(told(&world(&["/h/src/売上", "/h/src/売上/web"]), "/h/src/売上"), None);
        assert_eq!(told(&world(&[]), "/h/src/売上"), None);
    }

    #[test]
    fn notes_on_another_project_count_and_a_link_to_this_one_does_not() {
        let mut fs = world(&[]);
        fs.file("/h/.claude.json", "{\"projects\":{\"/h/src/在庫\":{}}}");
        assert!(told(&fs, "/h/src/売上").is_some());
        let mut fs = world(&["/h/src/別名"]);
        fs.link("/h/src/別名", "売上");
        assert_eq!(told(&fs, "/h/src/売上"), None);
    }
}
