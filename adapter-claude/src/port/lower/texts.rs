//! Instruction files and rules.

use std::collections::HashSet;

use memory_core::doc::LineIndex;
use memory_core::fs::FileKind;
use memory_core::model::{Applies, Bundle, Reach, SourceFile};
use memory_core::port::{Loss, LossKind, Target};
use memory_core::{AbsPath, Severity};

use super::place::{Home, instruction_file, place};
use super::{Lowering, rules};
use crate::instructions::agents_md::Mode;
use crate::instructions::start::{OWN_FILES, chain};
use crate::port::ground::Ground;
use crate::text::frontmatter::{self, is_space};
use crate::text::{import, markdown};

/// One text of the source.
pub(super) struct Piece<'a> {
    pub(super) what: String,
    pub(super) text: &'a str,
    reach: &'a Reach,
    pub(super) applies: &'a Applies,
    pub(super) file: &'a SourceFile,
}

/// Places everything, in the order in which its client shows it.
pub(super) fn lower(lowering: &mut Lowering<'_>, bundle: &Bundle) {
    let ground = lowering.ground;
    let instructions = bundle.instructions.iter().map(|found| Piece {
        what: format!("instructions `{}`", ground.name(&found.file.path)),
        text: &found.text,
        reach: &found.reach,
        applies: &Applies::Always,
        file: &found.file,
    });
    let rules = bundle.rules.iter().map(|rule| Piece {
        what: format!("rule `{}`", ground.name(&rule.file.path)),
        text: &rule.text,
        reach: &rule.reach,
        applies: &rule.applies,
        file: &rule.file,
    });
    let pieces: Vec<Piece<'_>> = instructions.chain(rules).collect();
    let in_place = all_in_place(ground, &pieces);
    let mut names = rules::Names::default();
    let mut sections = HashSet::new();
    let mut blocks = Vec::new();
    for piece in &pieces {
        let place = place(ground, piece.reach, &piece.what, &piece.file.path);
        if let Applies::Paths(patterns) = piece.applies {
            rules::lower(lowering, piece, patterns, place, &mut names);
            continue;
        }
        if in_place && matches!(place.home, Home::Shared(_) | Home::Private(_)) {
            let file = piece.file.path.clone();
            stay(lowering, piece, &file, &file, place.losses);
            continue;
        }
        let mut file = instruction_file(ground, &place.home);
        let mut read = read_by(ground, &file, &piece.file.path);
        if let (None, Home::Private(folder)) = (&read, &place.home) {
            // What is private may be what the project's own file leads to.
            let shared = instruction_file(ground, &Home::Shared(folder.clone()));
            read = read_by(ground, &shared, &piece.file.path);
            if read.is_some() {
                file = shared;
            }
        }
        match read {
            Some(Reading::Link) => {
                stay(lowering, piece, &file, &piece.file.path, place.losses);
                continue;
            }
            Some(Reading::Import) => {
                let mut losses = place.losses;
                losses.extend(narrowed(ground, piece, &file));
                stay(lowering, piece, &piece.file.path, &piece.file.path, losses);
                continue;
            }
            None => {}
        }
        if let Home::Shared(folder) | Home::Private(folder) = &place.home {
            blocks.push(folder.clone());
        }
        if let Home::Private(_) = &place.home {
            let message = "its text is private: keep git from taking this file up";
            lowering.tell(
                "claude/private-file",
                Severity::Hint,
                &file,
                message,
                "add `CLAUDE.local.md` to `.gitignore`",
            );
        }
        let mut losses = place.losses;
        losses.extend(read_otherwise(ground, piece, &file));
        lowering.lowered.lose(losses, Some(&file));
        let preface =
            place.only_in.map(|folder| format!("Applies only to work in `{folder}`:\n\n"));
        let preface = preface.unwrap_or_default();
        let marked = preface.is_empty() && is_misread_at_top(piece.text);
        let mut name = ground.name(&piece.file.path);
        let base = name.clone();
        let mut number = 1;
        while !sections.insert((file.clone(), name.clone())) {
            number += 1;
            name = format!("{base} ({number})");
        }
        let text = piece.text.to_owned();
        lowering
            .lowered
            .put(vec![piece.file.clone()], Target::Section { file, name, preface, text, marked });
    }
    tell_blocked(lowering, &blocks, &pieces);
    tell_switched_off(lowering, &pieces);
}

/// How the client reads the source's file already.
enum Reading {
    /// Its own file is a link that leads there.
    Link,
    /// Its own file imports it.
    Import,
}

/// How the client's own file reads the source's file, or `None` when it does not.
fn read_by(ground: &Ground<'_>, file: &AbsPath, source: &AbsPath) -> Option<Reading> {
    let context = ground.context;
    match ground.kind(file)? {
        FileKind::Symlink => ground.is_same(file, source).then_some(Reading::Link),
        FileKind::File => {
            if context.excludes.by(source).is_some() || context.excludes.by(file).is_some() {
                return None;
            }
            let document = ground.document(file)?;
            let document = document.as_ref().as_ref().ok()?;
            let base = context.world.fs.canonicalize(file).ok()?.parent()?;
            let leads = |path: &str| {
                let target = import::target(path, &base, &context.layout.home);
                import::extension_is_allowed(&target) && ground.is_same(&target, source)
            };
            let is_in = ground.is_in_project(source) || !file.starts_with(ground.project());
            let imports = document.imports.iter().any(|line| leads(&line.path));
            (imports && is_in).then_some(Reading::Import)
        }
        _ => None,
    }
}

/// What is narrower about a file that is imported: sessions below its folder are
/// not given it until that is approved.
fn narrowed(ground: &Ground<'_>, piece: &Piece<'_>, file: &AbsPath) -> Option<Loss> {
    if ground.context.external_approved || !file.starts_with(ground.project()) {
        return None;
    }
    let folder = file.parent()?;
    let why = format!(
        "`{file}` imports it already; sessions that are started in a folder below `{folder}` are given it only once such imports are approved"
    );
    Some(Loss::new(&piece.what, &piece.file.path, LossKind::ScopeNarrowed, why))
}

/// A text that the client reads where it is.
fn stay(
    lowering: &mut Lowering<'_>,
    piece: &Piece<'_>,
    read_as: &AbsPath,
    file: &AbsPath,
    mut losses: Vec<Loss>,
) {
    losses.extend(read_otherwise(lowering.ground, piece, read_as));
    lowering.lowered.lose(losses, Some(file));
    lowering.lowered.put(vec![piece.file.clone()], Target::InPlace);
}

/// Whether the client reads all files of the project that texts come from where
/// they are, and would go on doing so.
///
/// One file of its own in the chain turns that off for all.
fn all_in_place(ground: &Ground<'_>, pieces: &[Piece<'_>]) -> bool {
    let context = ground.context;
    let is_on = context.instructions_off().is_none() && context.settings.sources.project;
    if !is_on || !matches!(context.mode, Mode::Fallback | Mode::Both) {
        return false;
    }
    let project = ground.project();
    let falls_back = context.mode == Mode::Fallback;
    let in_project = pieces.iter().filter_map(|piece| {
        let folder = piece.reach.folder.as_ref().map(|folder| ground.real_name(folder));
        folder.filter(|folder| folder.starts_with(project)).map(|folder| (piece, folder))
    });
    let mut any = false;
    for (piece, folder) in in_project {
        if matches!(piece.applies, Applies::Paths(_)) {
            continue;
        }
        any = true;
        let path = &ground.real_name(&piece.file.path);
        let is_usual = *path == folder.join("AGENTS.md");
        if !is_usual && !Ground::is_shared(piece.reach.scope) {
            if falls_back {
                return false;
            }
            continue;
        }
        if !is_usual || !is_shown_whole(ground, path, piece.text) {
            return false;
        }
        let is_taken =
            |dir: &AbsPath| OWN_FILES.iter().any(|name| ground.kind(&dir.join(name)).is_some());
        let below = folder.from_top(project);
        if falls_back && below.iter().skip(1).any(is_taken) {
            return false;
        }
    }
    any && !(falls_back && has_own_text(ground))
}

/// Whether a file of the client's own in the chain of the project holds something.
fn has_own_text(ground: &Ground<'_>) -> bool {
    let mut files =
        chain(ground.project()).into_iter().flat_map(|dir| OWN_FILES.map(|name| dir.join(name)));
    files.any(|path| {
        ground.context.excludes.by(&path).is_none()
            && ground.document(&path).is_some_and(|document| {
                document.as_ref().as_ref().is_ok_and(|document| !document.is_blank())
            })
    })
}

/// Whether the client shows a file as this text.
fn is_shown_whole(ground: &Ground<'_>, path: &AbsPath, text: &str) -> bool {
    ground.context.excludes.by(path).is_none()
        && ground.document(path).is_some_and(|document| {
            document.as_ref().as_ref().is_ok_and(|document| {
                document.text.trim_matches(is_space) == text.trim_matches(is_space)
            })
        })
}

/// Whether a text at the top of a file is taken for something else there.
fn is_misread_at_top(text: &str) -> bool {
    text.starts_with('\u{feff}') || frontmatter::split(text.trim_start()).is_some()
}

/// What the client makes of a text beside showing it: comments are not shown, and
/// files that it names are loaded too. `file` is where the text will stand.
pub(super) fn read_otherwise(ground: &Ground<'_>, piece: &Piece<'_>, file: &AbsPath) -> Vec<Loss> {
    let context = ground.context;
    let text = piece.text;
    let scan = markdown::scan(text);
    let source = piece.file.content.bytes().unwrap_or_default();
    let source = String::from_utf8_lossy(source);
    // The text need not begin where its file does.
    let first = LineIndex::new(source.as_bytes()).line(source.find(text.trim()).unwrap_or(0));
    let skipped = text.len() - text.trim_start().len();
    let lines = LineIndex::new(text.as_bytes());
    let line = |at: usize| first + lines.line(at.max(skipped)) - lines.line(skipped);
    let mut losses = Vec::new();
    for block in &scan.comments {
        let why = "comments that are blocks of their own are not shown to the model; make it a line of text to have it shown";
        let loss = Loss::new(
            format!("comment in {}", piece.what),
            &piece.file.path,
            LossKind::Dropped,
            why,
        );
        losses.push(loss.on_line(line(block.range.start)).kept_in(file));
    }
    let base = context.world.fs.canonicalize(file).ok().and_then(|real| real.parent());
    let Some(base) = base.or_else(|| file.parent()) else { return losses };
    let is_of_person = file.starts_with(&context.layout.config);
    for mention in &scan.mentions {
        let target = import::target(&mention.path, &base, &context.layout.home);
        let is_near = || is_of_person || context.external_approved || ground.is_in_project(&target);
        if import::extension_is_allowed(&target)
            && ground.is_file(&target)
            && is_near()
            && !ground.is_same(&target, &piece.file.path)
        {
            let why = format!(
                "`{target}` is loaded along with it, as `@{}` names it; put that name into backticks to prevent it",
                mention.path
            );
            let loss = Loss::new(&piece.what, &piece.file.path, LossKind::ScopeWidened, why);
            losses.push(loss.on_line(line(mention.at)));
        }
    }
    losses
}

/// Tells which files the client stops reading because it gets files of its own.
fn tell_blocked(lowering: &mut Lowering<'_>, folders: &[AbsPath], pieces: &[Piece<'_>]) {
    let ground = lowering.ground;
    if ground.context.mode != Mode::Fallback || folders.is_empty() || has_own_text(ground) {
        return;
    }
    let carried: HashSet<&AbsPath> = pieces.iter().map(|piece| &piece.file.path).collect();
    let mut agents: Vec<AbsPath> = folders
        .iter()
        .flat_map(|folder| folder.from_top(ground.project()))
        .map(|dir| dir.join("AGENTS.md"))
        .filter(|path| !carried.contains(path) && ground.is_file(path))
        .collect();
    agents.sort();
    agents.dedup();
    for path in agents {
        let message = "the client read this file up to now; it stops once the project has a file of the client's own";
        let help = "import it there: write `@AGENTS.md` into the CLAUDE.md beside it";
        lowering.tell("claude/agents-md-blocked", Severity::Warning, &path, message, help);
    }
}

fn tell_switched_off(lowering: &mut Lowering<'_>, pieces: &[Piece<'_>]) {
    let Some(setting) = lowering.ground.context.instructions_off().filter(|_| !pieces.is_empty())
    else {
        return;
    };
    let path = lowering.ground.context.layout.config.clone();
    let message =
        format!("{setting} turns all instruction files off, so none of what is carried is read");
    lowering.tell("claude/instructions-off", Severity::Warning, &path, message, "unset it");
}
