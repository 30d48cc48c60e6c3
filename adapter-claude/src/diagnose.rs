//! What is worth telling although nobody asked.

mod glued;
mod import;
mod pattern;
mod rule;
mod settle;
mod tree;
mod unreadable;

pub(crate) use settle::settle;

use memory_core::{AbsPath, Code, Diagnostic, LayerKind, Omission, Outcome, Severity};

use crate::context::Context;
use crate::instructions::load::{Documents, Item};

/// What is worth telling about what loads at start.
pub(crate) fn diagnose(
    context: &Context<'_>,
    documents: &Documents,
    items: &[Item],
) -> Vec<Diagnostic> {
    let mut told = Vec::new();
    import::diagnose(context, items, &mut told);
    glued::diagnose(context, documents, items, &mut told);
    rule::diagnose(context, documents, items, &mut told);
    unreadable::diagnose(context, &mut told);
    agents_md(items, &mut told);
    order(items, &mut told);
    told
}

/// One file keeps all AGENTS.md files from being read.
fn agents_md(items: &[Item], told: &mut Vec<Diagnostic>) {
    let blocked = items.iter().filter_map(|item| match &item.layer.outcome {
        Outcome::Omitted { reason: Omission::AgentsMdBlocked { by }, .. } => {
            Some((item.layer.provenance.path.as_ref()?, by))
        }
        _ => None,
    });
    for (path, by) in blocked {
        let message = format!("`{by}` keeps this AGENTS.md from being read");
        let told_one =
            Diagnostic::new(Code("claude/agents-md-blocked"), Severity::Warning, message);
        told.push(told_one.at(path).help(
            "import it with `@AGENTS.md`, or set `instructionFiles` to `claude-md-and-agents-md`",
        ));
    }
}

/// Rules of one folder load in the order in which the file system lists them.
fn order(items: &[Item], told: &mut Vec<Diagnostic>) {
    let rules: Vec<(&AbsPath, &AbsPath)> = items
        .iter()
        .filter(|item| item.layer.kind == LayerKind::Rule && item.is_loaded())
        .filter_map(|item| Some((&item.dir, item.layer.provenance.path.as_ref()?)))
        .collect();
    for group in rules.chunk_by(|(a, _), (b, _)| a == b) {
        let [(_, first), _, ..] = group else { continue };
        let count = group.len();
        let message = format!(
            "{count} rules load in the order in which the file system lists them, which may differ on another machine"
        );
        told.push(
            Diagnostic::new(Code("claude/rule-order"), Severity::Hint, message)
                .at(first)
                .help("do not let one rule depend on the order of another"),
        );
    }
}

/// What is told when the client would make a worktree first and start there.
pub(crate) fn worktree() -> Diagnostic {
    let message = "with `--worktree` the client makes a new folder below .claude/worktrees and starts there; this answer is for the folder as it is";
    Diagnostic::new(Code("claude/worktree-not-made"), Severity::Warning, message)
        .help("ask again from inside the worktree once it is there")
}

#[cfg(test)]
mod tests {
    use memory_core::fs::MemFs;
    use memory_core::{Env, World};

    use super::*;
    use crate::claude::{Claude, Query};
    use crate::resolution::Resolution;

    fn resolve(fs: &MemFs, cwd: &str) -> Resolution {
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let cwd = AbsPath::new(cwd).unwrap();
        let query = Query::new(cwd);
        Claude::default().resolve(World { fs, env: &env }, &query).unwrap()
    }

    /// The codes told of a project at `/w` that holds these files, in order.
    fn codes(files: &[(&str, &str)]) -> Vec<&'static str> {
        let mut fs = MemFs::new();
        fs.dir("/w/.git");
        for (path, text) in files {
            fs.file(format!("/w/{path}"), text);
        }
        let told = resolve(&fs, "/w").chain.diagnostics;
        told.iter().map(|diagnostic| diagnostic.code.0).collect()
    }

    #[test]
    fn imports_that_load_nothing_are_told() {
        let files = [("CLAUDE.md", "see @a.md. and @none.md"), ("a.md", "A")];
        assert_eq!(codes(&files), ["claude/import-punctuation", "claude/import-missing"]);
        assert_eq!(codes(&[("CLAUDE.md", "@/etc/hosts")]), ["claude/import-missing"]);
        let glued = [("CLAUDE.md", "(@a.md) x@none.md"), ("a.md", "A")];
        assert_eq!(codes(&glued), ["claude/import-glued"]);
        let mut fs = MemFs::from_files([("/w/CLAUDE.md", "\n@../o.md"), ("/o.md", "O")]);
        let told = resolve(&fs, "/w").chain.diagnostics.remove(0);
        assert_eq!((told.code.0, told.line), ("claude/import-external", Some(2)));
        fs.file(
            "/h/.claude.json",
            r#"{"projects":{"/w":{"hasClaudeMdExternalIncludesApproved":true}}}"#,
        );
        assert_eq!(resolve(&fs, "/w").chain.diagnostics, []);
    }

    #[test]
    fn rules_that_apply_everywhere_by_accident_are_told() {
        for text in [
            "---\ndescription: a --- b\npaths: x\n---\n",
            "---\npaths:\n  - *.ts\n---\n",
            "---\r\npaths: *.ts\r\n---\r\n",
            "---\npaths: \"x\n---\n",
        ] {
            let told = codes(&[(".claude/rules/r.md", &format!("{text}R"))]);
            assert_eq!(told, ["claude/rule-became-global"], "{text:?}");
        }
        assert_eq!(codes(&[(".claude/rules/r.md", "---\ndescription: a --- b\n---\nR")]), [""; 0]);
    }

    #[test]
    fn patterns_that_do_not_do_what_they_seem_to_are_told() {
        let rule = |paths: &str| format!("---\npaths: \"{paths}\"\n---\nR");
        let told = |paths: &str| codes(&[(".claude/rules/r.md", &rule(paths)), ("src/a.ts", "")]);
        assert_eq!(told("./src/**"), ["claude/pattern-never-matches"]);
        assert_eq!(told("src/**"), ["claude/pattern-floats"]);
        assert_eq!(told("lib/*.py"), ["claude/rule-matches-nothing"]);
        assert_eq!(told("lib/*.py, SRC/*.py"), [""; 0]);
        assert_eq!(told("!src/**"), ["claude/pattern-takes-nothing"]);
        assert_eq!(told("**/*.ts, !src/**"), ["claude/pattern-takes-nothing"]);
        assert_eq!(told("**/*.ts, !**/*.ts"), ["claude/pattern-never-matches"]);
        assert_eq!(told("*.ts"), [""; 0]);
    }

    #[test]
    fn what_is_told_of_a_rule_names_the_line_of_its_paths_and_what_to_do() {
        for paths in ["./src/**", "lib/*.py", "!src/**", "src/**"] {
            let rule = format!("---\ndescription: d\npaths: \"{paths}\"\n---\nR");
            let files = [("/w/.claude/rules/r.md", rule.as_str()), ("/w/src/a.ts", "")];
            let told = resolve(&MemFs::from_files(files), "/w").chain.diagnostics.remove(0);
            assert_eq!((told.line, told.help.is_some()), (Some(3), true), "{told:?}");
        }
    }

    #[test]
    fn what_blocks_agents_md_and_what_orders_rules_is_told() {
        let files = [("AGENTS.md", "A"), ("CLAUDE.local.md", "L")];
        assert_eq!(codes(&files), ["claude/agents-md-blocked"]);
        let rules = [(".claude/rules/a.md", "A"), (".claude/rules/b.md", "B")];
        assert_eq!(codes(&rules), ["claude/rule-order"]);
    }

    #[test]
    fn an_agents_md_that_loads_by_another_way_is_not_left_out() {
        let files = [("/w/AGENTS.md", "A"), ("/w/CLAUDE.md", "@AGENTS.md\n")];
        let chain = resolve(&MemFs::from_files(files), "/w").chain;
        assert_eq!((chain.loaded().count(), chain.omitted().count()), (2, 0));
        assert_eq!(chain.diagnostics, []);
        let mut fs = MemFs::from_files([("/w/AGENTS.md", "A")]);
        fs.link("/w/CLAUDE.md", "AGENTS.md");
        let chain = resolve(&fs, "/w").chain;
        assert_eq!((chain.loaded().count(), chain.omitted().count()), (1, 0));
        assert_eq!(chain.diagnostics, []);
    }

    #[test]
    fn an_import_of_an_importer_is_a_cycle_and_a_second_import_is_not() {
        let files = [
            ("/w/CLAUDE.md", "@a.md @b.md"),
            ("/w/a.md", "@c.md"),
            ("/w/b.md", "@c.md"),
            ("/w/c.md", "@CLAUDE.md @c.md"),
        ];
        let chain = resolve(&MemFs::from_files(files), "/w").chain;
        let mut reasons: Vec<_> = chain.omitted().map(|(_, reason, _)| reason.code()).collect();
        reasons.sort_unstable();
        assert_eq!(reasons, ["duplicate", "import-cycle", "import-cycle"]);
    }

    #[test]
    fn rules_and_skills_that_cannot_be_read_are_told() {
        let mut fs = MemFs::from_files([
            ("/w/.claude/rules/shut/a.md", "A"),
            ("/w/.claude/skills/a/SKILL.md", "A"),
        ]);
        fs.mode("/w/.claude/rules/shut", 0).mode("/w/.claude/skills/a/SKILL.md", 0);
        fs.link("/w/.claude/rules/b.md", "nowhere").dir("/w/.claude/skills/b/SKILL.md");
        let told = resolve(&fs, "/w").chain.diagnostics;
        let mut told: Vec<_> = told.iter().map(|one| one.code.0).collect();
        told.sort_unstable();
        let skill = "claude/skill-unreadable";
        assert_eq!(told, ["claude/folder-unreadable", "claude/rule-link-broken", skill, skill]);
    }

    #[test]
    fn a_worktree_that_is_not_made_is_told() {
        let mut fs = MemFs::new();
        fs.dir("/w/.git");
        let env = Env::with_home(AbsPath::new("/h").unwrap());
        let query = Query::new(AbsPath::new("/w").unwrap())
            .with_args(vec!["--worktree".to_owned(), "foo".to_owned()]);
        let told = Claude::default().resolve(World { fs: &fs, env: &env }, &query).unwrap();
        assert_eq!(told.diagnostics[0].code.0, "claude/worktree-not-made");
    }

    #[test]
    fn odd_files_in_the_place_of_instructions_are_left_out() {
        let mut fs = MemFs::from_files([("/w/.claude/rules", "no folder")]);
        fs.special("/w/CLAUDE.md")
            .dir("/w/.claude/CLAUDE.md")
            .link("/w/CLAUDE.local.md", "nowhere");
        fs.link("/w/AGENTS.md", "AGENTS.md");
        let chain = resolve(&fs, "/w").chain;
        assert_eq!(chain.loaded().count(), 0);
        let reasons: Vec<_> = chain.omitted().map(|(_, reason, _)| reason.code()).collect();
        assert_eq!(reasons, ["not-a-file", "not-a-file", "broken-link", "unreadable"]);
    }
}
