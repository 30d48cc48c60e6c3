//! Carrying between two toy clients, one of which hides lines.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use memory_core::fs::{Content, Fs, FsMut, MemFs};
use memory_core::model::{Bundle, Instruction, Reach, SourceFile};
use memory_core::plan::{Change, Journal, apply, undo};
use memory_core::port::{
    Changed, LossKind, LowerBundle, LowerOptions, Lowered, Placement, Port, PortPlace, PortRequest,
    ReadBundle, Target, View, port,
};
use memory_core::{AbsPath, Client, ClientId, Env, Error, LayerKind, Parsed, Scope, World};

/// Reads one file name everywhere, and does not show lines that begin with `%`.
struct Toy {
    client: ClientId,
    name: &'static str,
    file: &'static str,
    hides: bool,
    /// How many bytes of a file it shows.
    limit: usize,
}

const ALPHA: Toy =
    Toy { client: ClientId("alpha"), name: "Alpha", file: "ALPHA.md", hides: true, limit: 9999 };
const BETA: Toy =
    Toy { client: ClientId("beta"), name: "Beta", file: "BETA.md", hides: false, limit: 9999 };

impl Toy {
    fn shown(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let lines = text.split_inclusive('\n').filter(|line| !self.hides || !line.starts_with('%'));
        let text: String = lines.collect();
        text.chars().take(self.limit).collect()
    }

    fn folders(place: &PortPlace) -> [(AbsPath, Reach); 3] {
        let sub = place.project.join("sub");
        [
            (place.home.clone(), Reach::everywhere(Scope::User)),
            (place.project.clone(), Reach::below(Scope::Project, place.project.clone())),
            (sub.clone(), Reach::below(Scope::Project, sub)),
        ]
    }
}

impl Client for Toy {
    fn client(&self) -> ClientId {
        self.client
    }

    fn name(&self) -> &'static str {
        self.name
    }
}

impl ReadBundle for Toy {
    fn read_bundle(&self, world: World<'_>, place: &PortPlace) -> Result<Parsed<Bundle>, Error> {
        let mut bundle = Bundle::default();
        for (folder, reach) in Self::folders(place) {
            let path = folder.join(self.file);
            let Ok(bytes) = world.fs.read_up_to(&path, u64::MAX) else { continue };
            let text = self.shown(&bytes);
            let file = SourceFile { path, content: Content::file(bytes) };
            let kind = LayerKind::Instructions;
            bundle.instructions.push(Instruction { kind, text, reach, file, imported: None });
        }
        Ok(Parsed { value: bundle, diagnostics: Vec::new() })
    }

    fn may_hold_copy(&self, _: World<'_>, _: &PortPlace, path: &AbsPath) -> bool {
        path.file_name() == Some(self.file)
    }
}

impl LowerBundle for Toy {
    fn lower(
        &self,
        _: World<'_>,
        place: &PortPlace,
        bundle: &Bundle,
        _: &LowerOptions,
    ) -> Result<Lowered, Error> {
        let placement = |piece: &Instruction| {
            let folder = piece.reach.folder.clone().unwrap_or_else(|| place.home.clone());
            let to = Target::Section {
                file: folder.join(self.file),
                name: piece.file.path.file_name().unwrap().to_owned(),
                preface: String::new(),
                text: piece.text.clone(),
                marked: false,
            };
            Placement { from: vec![piece.file.clone()], to }
        };
        Ok(Lowered {
            roots: vec![place.home.clone()],
            placements: bundle.instructions.iter().map(placement).collect(),
            ..Lowered::default()
        })
    }

    fn view(&self, world: World<'_>, place: &PortPlace, _: &AbsPath) -> Result<View, Error> {
        let mut view = View::default();
        for (folder, _) in Self::folders(place) {
            let path = folder.join(self.file);
            if let Ok(bytes) = world.fs.read_up_to(&path, u64::MAX) {
                view.texts.push((path, self.shown(&bytes)));
            }
        }
        Ok(view)
    }

    fn keeps(&self, _: World<'_>, _: &PortPlace, path: &AbsPath) -> bool {
        path.file_name() == Some(self.file)
    }
}

fn path(text: &str) -> AbsPath {
    AbsPath::new(text).unwrap()
}

fn planned(fs: &MemFs, from: &Toy, to: &Toy) -> Port {
    let env = Env::with_home(path("/h"));
    let place = PortPlace { project: path("/p"), home: path("/h") };
    let world = World { fs, env: &env };
    port(world, from, to, &PortRequest::new(place)).unwrap()
}

fn carry(fs: &MemFs, from: &Toy, to: &Toy) -> Port {
    let done = planned(fs, from, to);
    apply(fs, &done.plan, &Journal::new(path("/state"))).unwrap();
    let again = planned(fs, from, to);
    assert_eq!(again.plan.changes(), [], "the second run changes nothing");
    done
}

fn text(fs: &MemFs, file: &str) -> String {
    String::from_utf8(fs.read_up_to(&path(file), u64::MAX).unwrap()).unwrap()
}

fn world() -> MemFs {
    MemFs::from_files([
        ("/h/ALPHA.md", "Answer in Japanese.\n"),
        ("/p/ALPHA.md", "%owner: a\r\n# Title\r\n%note\r\nRun the tests."),
        ("/p/sub/ALPHA.md", "Use pnpm.\n"),
    ])
}

#[test]
fn what_is_shown_is_carried_and_comes_back_byte_for_byte() {
    let mut fs = world();
    let done = carry(&fs, &ALPHA, &BETA);
    assert_eq!(done.losses.losses, []);
    assert_eq!(text(&fs, "/p/BETA.md"), "# Title\r\nRun the tests.");
    assert_eq!(text(&fs, "/p/sub/BETA.md"), text(&fs, "/p/sub/ALPHA.md"));
    assert_eq!(done.carried[&path("/p/ALPHA.md")], [path("/p/BETA.md")].into());
    let before = text(&fs, "/p/ALPHA.md");
    for file in ["/h/ALPHA.md", "/p/ALPHA.md", "/p/sub/ALPHA.md"] {
        fs.remove(file);
    }
    let back = carry(&fs, &BETA, &ALPHA);
    assert_eq!((back.losses.losses.len(), back.conflicts.len()), (0, 0));
    assert_eq!(text(&fs, "/p/ALPHA.md"), before);
    assert_eq!(text(&fs, "/h/ALPHA.md"), "Answer in Japanese.\n");
    assert_eq!(planned(&fs, &ALPHA, &BETA).plan.changes(), []);
}

/// Reads the file of the other toy, but only where none of its own is, and
/// shows it without byte order mark and with plain line ends.
struct Guest;

impl Client for Guest {
    fn client(&self) -> ClientId {
        ALPHA.client
    }

    fn name(&self) -> &'static str {
        ALPHA.name
    }
}

impl LowerBundle for Guest {
    fn lower(
        &self,
        world: World<'_>,
        place: &PortPlace,
        bundle: &Bundle,
        options: &LowerOptions,
    ) -> Result<Lowered, Error> {
        let has_own = Toy::folders(place)
            .iter()
            .any(|(folder, _)| world.fs.metadata(&folder.join(ALPHA.file)).is_ok());
        let mut lowered = ALPHA.lower(world, place, bundle, options)?;
        for placement in lowered.placements.iter_mut().filter(|_| !has_own) {
            placement.to = Target::InPlace;
        }
        Ok(lowered)
    }

    fn view(&self, world: World<'_>, place: &PortPlace, folder: &AbsPath) -> Result<View, Error> {
        let own = ALPHA.view(world, place, folder)?;
        if !own.texts.is_empty() {
            return Ok(own);
        }
        let mut guest = BETA.view(world, place, folder)?;
        for (_, text) in &mut guest.texts {
            *text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n").replace('\r', "\n");
        }
        Ok(guest)
    }

    fn keeps(&self, world: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
        ALPHA.keeps(world, place, path)
    }
}

#[test]
fn what_comes_back_is_there_when_the_target_decides() {
    let mut fs = world();
    fs.file("/p/sub/BETA.md", "Mine.\n");
    carry(&fs, &ALPHA, &BETA);
    for file in ["/h/ALPHA.md", "/p/ALPHA.md", "/p/sub/ALPHA.md"] {
        fs.remove(file);
    }
    let env = Env::with_home(path("/h"));
    let place = PortPlace { project: path("/p"), home: path("/h") };
    let asked = PortRequest::new(place);
    let back = port(World { fs: &fs, env: &env }, &BETA, &Guest, &asked).unwrap();
    assert_eq!(back.losses.losses, []);
    apply(&fs, &back.plan, &Journal::new(path("/state"))).unwrap();
    let sub = text(&fs, "/p/sub/ALPHA.md");
    assert!(sub.starts_with("Use pnpm.\n") && sub.contains("Mine.\n"), "{sub}");
    let again = port(World { fs: &fs, env: &env }, &BETA, &Guest, &asked).unwrap();
    assert_eq!(again.plan.changes(), []);
}

#[test]
fn a_text_in_place_is_shown_whatever_its_byte_order_mark_and_line_ends() {
    let env = Env::with_home(path("/h"));
    let place = PortPlace { project: path("/p"), home: path("/h") };
    for text in ["\u{feff}one\ntwo\n", "one\rtwo\r\nthree\n\rfour", "\u{feff}", "\r"] {
        let fs = MemFs::from_files([("/p/BETA.md", text)]);
        let asked = PortRequest::new(place.clone());
        let done = port(World { fs: &fs, env: &env }, &BETA, &Guest, &asked).unwrap();
        assert_eq!(done.losses.losses, [], "{text:?}");
    }
}

#[test]
fn hand_written_text_stays_and_gets_a_part_beside_it() {
    let mut fs = world();
    fs.file("/p/BETA.md", "Mine.");
    carry(&fs, &ALPHA, &BETA);
    let joined = text(&fs, "/p/BETA.md");
    assert!(joined.starts_with("Mine.\n\n<!-- memport:begin ALPHA.md glued -->\n# Title\r\n"));
    // The way back tells whose text is whose.
    fs.remove("/p/ALPHA.md");
    carry(&fs, &BETA, &ALPHA);
    let original = "%owner: a\r\n# Title\r\n%note\r\nRun the tests.";
    assert_eq!(
        text(&fs, "/p/ALPHA.md"),
        format!(
            "{original}\r\n\r\n<!-- memport:begin BETA.md glued -->\r\nMine.\r\n\
             <!-- memport:end BETA.md -->\r\n"
        )
    );
    assert_eq!(planned(&fs, &ALPHA, &BETA).plan.changes(), []);
    assert_eq!(text(&fs, "/p/BETA.md"), joined);
}

/// A file's bytes without the lines that are marks.
fn without_marks(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with("<!-- memport:")).collect()
}

#[test]
fn marks_that_were_taken_away_are_put_back_around_their_text() {
    let mut fs = world();
    fs.file("/p/BETA.md", "Mine.\n").file("/p/sub/BETA.md", "Run the tests.\nOwn.\n");
    carry(&fs, &ALPHA, &BETA);
    let joined = text(&fs, "/p/BETA.md");
    fs.file("/p/BETA.md", without_marks(&joined).trim_end());
    let again = carry(&fs, &ALPHA, &BETA);
    assert_eq!(text(&fs, "/p/BETA.md"), joined);
    let told: Vec<_> = again.diagnostics.iter().map(|told| told.code.0).collect();
    assert_eq!((told, again.sides.len()), (vec!["port/marks-gone"], 0));
    // An edited text is not known any more: it is the person's.
    fs.file("/p/BETA.md", without_marks(&joined).replace("tests", "lints"));
    let edited = carry(&fs, &ALPHA, &BETA);
    assert_eq!((edited.diagnostics.len(), edited.sides[0].changed), (0, Changed::CopyGone));
    assert!(text(&fs, "/p/BETA.md").starts_with("Mine.\n\n# Title\r\nRun the lints.\n\n<!--"));
}

#[test]
fn a_text_without_its_marks_is_not_carried_back_as_the_other_clients_own() {
    let mut fs = world();
    fs.file("/p/BETA.md", "Mine.\n");
    carry(&fs, &ALPHA, &BETA);
    fs.file("/p/BETA.md", without_marks(&text(&fs, "/p/BETA.md")));
    let back = carry(&fs, &BETA, &ALPHA);
    assert_eq!(back.sides, []);
    let original = text(&fs, "/p/ALPHA.md");
    assert_eq!(original.matches("Run the tests.").count(), 1, "{original}");
    assert!(original.contains("Mine."), "{original}");
    carry(&fs, &ALPHA, &BETA);
    let copy = text(&fs, "/p/BETA.md");
    assert_eq!((copy.matches("Run the tests.").count(), copy.matches("Mine.").count()), (1, 1));
}

#[test]
fn text_that_is_there_already_is_not_written_twice() {
    let mut fs = world();
    fs.file("/p/sub/BETA.md", "# Sub\nUse pnpm.\n");
    carry(&fs, &ALPHA, &BETA);
    assert_eq!(text(&fs, "/p/sub/BETA.md"), "# Sub\nUse pnpm.\n");
}

#[test]
fn changes_of_either_side_are_carried_and_those_of_both_are_a_conflict() {
    let mut fs = world();
    carry(&fs, &ALPHA, &BETA);
    fs.file("/p/ALPHA.md", "%owner: a\r\n# Title\r\n%note\r\nRun them twice.");
    let done = carry(&fs, &ALPHA, &BETA);
    assert_eq!(done.sides[0].changed, Changed::Origin);
    assert_eq!(text(&fs, "/p/BETA.md"), "# Title\r\nRun them twice.");

    fs.file("/p/BETA.md", "# Title\r\nBe kind.\r\nRun them twice.");
    let there = planned(&fs, &ALPHA, &BETA);
    assert_eq!((there.plan.changes().len(), there.sides[0].changed), (0, Changed::Copy));
    assert_eq!(there.losses.losses, []);
    let back = carry(&fs, &BETA, &ALPHA);
    assert_eq!(back.sides[0].changed, Changed::Copy);
    assert_eq!(
        text(&fs, "/p/ALPHA.md"),
        "%owner: a\r\n# Title\r\nBe kind.\r\n%note\r\nRun them twice."
    );

    fs.file("/p/BETA.md", "theirs").file("/p/ALPHA.md", "ours");
    for (from, to) in [(&ALPHA, &BETA), (&BETA, &ALPHA)] {
        let both = planned(&fs, from, to);
        assert_eq!(both.plan.changes(), []);
        assert_eq!(both.conflicts.len(), 1);
        assert_eq!(both.sides[0].changed, Changed::Both);
        assert_eq!(both.losses.losses[0].how, LossKind::Dropped);
    }
}

#[test]
fn both_versions_of_a_part_are_told() {
    let mut fs = world();
    fs.file("/p/BETA.md", "Mine.\n");
    carry(&fs, &ALPHA, &BETA);
    let edited = text(&fs, "/p/BETA.md").replace("tests", "lints");
    fs.file("/p/BETA.md", edited).file("/p/ALPHA.md", "Run them twice.");
    let both = planned(&fs, &ALPHA, &BETA);
    let [conflict] = both.conflicts.as_slice() else { panic!("{:?}", both.conflicts) };
    assert_eq!(conflict.section.as_deref(), Some("ALPHA.md"));
    assert_eq!(conflict.wanted, b"Run them twice.\n");
    assert_eq!(conflict.found.as_deref(), Some(&b"# Title\r\nRun the lints.\n"[..]));
    let message = &both.losses.losses[0].message;
    assert!(message.starts_with("it is not carried to Beta: `/p/BETA.md` stays"), "{message}");
}

#[test]
fn what_the_target_cuts_is_a_loss_with_its_line() {
    let fs = world();
    let short = Toy { limit: 12, ..BETA };
    let done = planned(&fs, &ALPHA, &short);
    let lines: Vec<_> = done
        .losses
        .losses
        .iter()
        .map(|loss| (loss.path.as_str(), loss.line, loss.how.as_str()))
        .collect();
    assert_eq!(lines, [("/h/ALPHA.md", Some(1), "dropped"), ("/p/ALPHA.md", Some(4), "truncated")]);
}

#[test]
fn a_port_is_undone_byte_for_byte() {
    let mut fs = world();
    fs.file("/p/BETA.md", "Mine.");
    let journal = Journal::new(path("/state"));
    let done = planned(&fs, &ALPHA, &BETA);
    let run = apply(&fs, &done.plan, &journal).unwrap().run;
    undo(&fs, &journal, run).unwrap();
    assert_eq!(text(&fs, "/p/BETA.md"), "Mine.");
    for gone in ["/p/sub/BETA.md", "/h/BETA.md", "/p/.memport", "/h/.memport"] {
        assert!(fs.metadata(&path(gone)).is_err(), "{gone}");
    }
}

#[test]
fn links_and_folders_in_the_way_are_conflicts() {
    let mut fs = world();
    fs.file("/outside/BETA.md", "x").link("/p/BETA.md", "/outside/BETA.md");
    fs.dir("/p/sub/BETA.md");
    let done = planned(&fs, &ALPHA, &BETA);
    assert_eq!(done.conflicts.len(), 2);
    assert!(done.plan.changes().iter().all(|change| !change.path().as_str().contains("/p/BETA")));
    assert_eq!(done.losses.losses.len(), 2);
}

#[test]
fn a_foreign_manifest_writes_only_what_the_client_keeps_in_the_project() {
    let manifest = |from: &str, file: &str| {
        format!(
            "schema = 1\n[[carried]]\nclient = \"alpha\"\ntarget = \"beta\"\nkind = \"instruction\"\n\
             from = \"{from}\"\ndigest = \"{}\"\nrecipe = [{{ text = \"evil\" }}]\n\
             [[carried.parts]]\nfile = \"{file}\"\ndigest = \"{}\"\n",
            memory_core::Digest::of(b"evil"),
            memory_core::Digest::of(b"hi\n"),
        )
    };
    for from in
        ["../ALPHA.md", "~/ALPHA.md", "/h/ALPHA.md", ".git/hooks/pre-commit", "a/../../ALPHA.md"]
    {
        let fs = MemFs::from_files([
            ("/p/BETA.md".to_owned(), "hi\n".to_owned()),
            ("/p/.memport/port.toml".to_owned(), manifest(from, "BETA.md")),
        ]);
        let done = planned(&fs, &BETA, &ALPHA);
        let written: Vec<_> = done.plan.changes().iter().map(Change::path).collect();
        assert_eq!(written, [&path("/p/.memport/port.toml"), &path("/p/ALPHA.md")], "{from}");
        assert!(
            matches!(&done.plan.changes()[1], Change::Create { bytes, .. } if **bytes == *b"hi\n")
        );
    }
    let fs = MemFs::from_files([("/p/.memport/port.toml", "schema = 2\n")]);
    let env = Env::with_home(path("/h"));
    let place = PortPlace { project: path("/p"), home: path("/h") };
    let asked = PortRequest::new(place);
    let answer = port(World { fs: &fs, env: &env }, &BETA, &ALPHA, &asked);
    assert!(matches!(answer, Err(Error::Manifest { .. })));
}

/// A manifest with one file and one copy of it.
fn noted(client: &str, target: &str, from: &str, was: &str, file: &str, copy: &str) -> String {
    format!(
        "schema = 1\n[[carried]]\nclient = \"{client}\"\ntarget = \"{target}\"\n\
         kind = \"instruction\"\nfrom = \"{from}\"\ndigest = \"{}\"\nmode = \"7777\"\n\
         [[carried.parts]]\nfile = \"{file}\"\ndigest = \"{}\"\n",
        memory_core::Digest::of(was.as_bytes()),
        memory_core::Digest::of(copy.as_bytes()),
    )
}

fn written(port: &Port) -> Vec<&str> {
    let paths = port.plan.changes().iter().map(|change| change.path().as_str());
    paths.filter(|path| !path.ends_with("port.toml")).collect()
}

#[test]
fn a_foreign_manifest_reaches_no_version_control_and_nothing_behind_a_link() {
    let hostile = |manifest: String| {
        let mut fs = MemFs::from_files([
            ("/p/.git/HEAD", "ref: refs/heads/main\n"),
            ("/p/.git/config", "[core]\n"),
            ("/p/.env", "TOKEN\n"),
            ("/p/evil.md", "[core]\nfsmonitor = evil\n"),
            ("/h/.ssh/key", "KEY\n"),
        ]);
        fs.file("/p/.memport/port.toml", manifest).link("/p/dir", "../h/.ssh");
        fs.link("/p/sub", ".git");
        fs
    };
    // What is there is not changed.
    for from in [".git/config", ".GIT/config", "sub/config"] {
        let fs = hostile(noted("alpha", "beta", from, "[core]\n", "evil.md", "[core]\n"));
        assert_eq!(written(&planned(&fs, &BETA, &ALPHA)), Vec::<&str>::new(), "{from}");
    }
    // What is private is not read.
    for file in ["dir/key", ".env", ".git/config"] {
        let fs = hostile(noted("alpha", "beta", "ALPHA.md", "old\n", file, "old\n"));
        assert_eq!(written(&planned(&fs, &BETA, &ALPHA)), Vec::<&str>::new(), "{file}");
    }
    // What is taken for a copy is not taken away.
    let head = "ref: refs/heads/main\n";
    let mut fs = hostile(noted("alpha", "beta", "ALPHA.md", "hi\n", ".git/HEAD", head));
    fs.file("/p/ALPHA.md", "hi\n");
    assert_eq!(written(&planned(&fs, &ALPHA, &BETA)), ["/p/BETA.md"]);
}

#[test]
fn a_manifest_makes_no_program_run_as_another_person() {
    let fs = MemFs::from_files([
        ("/p/BETA.md".to_owned(), "hi\n".to_owned()),
        (
            "/p/.memport/port.toml".to_owned(),
            noted("alpha", "beta", "ALPHA.md", "hi\n", "BETA.md", "hi\n"),
        ),
    ]);
    let done = planned(&fs, &BETA, &ALPHA);
    let made = done.plan.changes().iter().find(|change| change.path() == &path("/p/ALPHA.md"));
    assert!(matches!(made, Some(Change::Create { mode: Some(0o777), .. })), "{made:?}");
}

#[test]
fn marks_in_a_text_do_not_end_its_part() {
    let source = "<!-- memport:begin x -->\none\n<!-- memport:end ALPHA.md -->\ntwo\n";
    let fs = MemFs::from_files([("/p/ALPHA.md", source), ("/p/BETA.md", "Mine.\n")]);
    carry(&fs, &ALPHA, &BETA);
    assert_eq!(
        text(&fs, "/p/BETA.md"),
        "Mine.\n\n<!-- memport:begin ALPHA.md -->\none\ntwo\n<!-- memport:end ALPHA.md -->\n"
    );
    fs.remove_file(&path("/p/ALPHA.md")).unwrap();
    carry(&fs, &BETA, &ALPHA);
    assert!(text(&fs, "/p/ALPHA.md").starts_with(source));
}

/// An alpha that keeps all in one file of the project.
struct Away;

impl Client for Away {
    fn client(&self) -> ClientId {
        ALPHA.client
    }

    fn name(&self) -> &'static str {
        ALPHA.name
    }
}

impl ReadBundle for Away {
    fn read_bundle(&self, world: World<'_>, place: &PortPlace) -> Result<Parsed<Bundle>, Error> {
        ALPHA.read_bundle(world, place)
    }
}

impl LowerBundle for Away {
    fn lower(
        &self,
        world: World<'_>,
        place: &PortPlace,
        bundle: &Bundle,
        options: &LowerOptions,
    ) -> Result<Lowered, Error> {
        let mut lowered = ALPHA.lower(world, place, bundle, options)?;
        for placement in &mut lowered.placements {
            if let Target::Section { file, name, .. } = &mut placement.to {
                *file = place.project.join("ALPHA.md");
                *name = placement.from.first().unwrap().path.to_string();
            }
        }
        Ok(lowered)
    }

    fn view(&self, world: World<'_>, place: &PortPlace, folder: &AbsPath) -> Result<View, Error> {
        ALPHA.view(world, place, folder)
    }

    fn keeps(&self, _: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
        *path == place.project.join("ALPHA.md")
    }
}

#[test]
fn what_cannot_come_back_is_carried_once_however_often() {
    let fs = MemFs::from_files([
        ("/p/ALPHA.md", "Here.\n"),
        ("/p/sub/ALPHA.md", "Below.\n"),
        ("/p/sub/BETA.md", "Own.\n"),
    ]);
    let env = Env::with_home(path("/h"));
    let place = PortPlace { project: path("/p"), home: path("/h") };
    let run = |from: &dyn ReadBundle, to: &dyn LowerBundle| {
        let world = World { fs: &fs, env: &env };
        let done = port(world, from, to, &PortRequest::new(place.clone())).unwrap();
        apply(&fs, &done.plan, &Journal::new(path("/state"))).unwrap();
        done
    };
    run(&Away, &BETA);
    fs.remove_file(&path("/p/sub/ALPHA.md")).unwrap();
    run(&BETA, &Away);
    assert_eq!(text(&fs, "/p/ALPHA.md").matches("Below.").count(), 1);
    for _ in 0..2 {
        assert_eq!(run(&Away, &BETA).plan.changes(), []);
        assert_eq!(run(&BETA, &Away).plan.changes(), []);
    }
}

/// A beta that makes one text of two files.
struct Joined;

impl Client for Joined {
    fn client(&self) -> ClientId {
        BETA.client
    }

    fn name(&self) -> &'static str {
        BETA.name
    }
}

impl LowerBundle for Joined {
    fn lower(
        &self,
        world: World<'_>,
        place: &PortPlace,
        bundle: &Bundle,
        options: &LowerOptions,
    ) -> Result<Lowered, Error> {
        let mut lowered = BETA.lower(world, place, bundle, options)?;
        let rest = lowered.placements.split_off(1);
        let first = lowered.placements.first_mut().unwrap();
        for mut other in rest {
            first.from.append(&mut other.from);
            if let (Target::Section { text, .. }, Target::Section { text: more, .. }) =
                (&mut first.to, other.to)
            {
                text.push_str(&more);
            }
        }
        Ok(lowered)
    }

    fn view(&self, world: World<'_>, place: &PortPlace, folder: &AbsPath) -> Result<View, Error> {
        BETA.view(world, place, folder)
    }

    fn keeps(&self, world: World<'_>, place: &PortPlace, path: &AbsPath) -> bool {
        BETA.keeps(world, place, path)
    }
}

#[test]
fn all_files_of_one_text_come_back() {
    let fs = world();
    let before: Vec<_> = ["/h/ALPHA.md", "/p/ALPHA.md", "/p/sub/ALPHA.md"]
        .map(|file| (file, text(&fs, file)))
        .into();
    let env = Env::with_home(path("/h"));
    let place = PortPlace { project: path("/p"), home: path("/h") };
    let done =
        port(World { fs: &fs, env: &env }, &ALPHA, &Joined, &PortRequest::new(place)).unwrap();
    apply(&fs, &done.plan, &Journal::new(path("/state"))).unwrap();
    for (file, _) in &before {
        fs.remove_file(&path(file)).unwrap();
    }
    let back = carry(&fs, &BETA, &ALPHA);
    assert_eq!(back.conflicts, []);
    for (file, content) in &before {
        assert_eq!(text(&fs, file), *content, "{file}");
    }
}

#[test]
fn an_edit_of_one_text_of_several_files_comes_back_into_the_right_one() {
    let mut fs = world();
    let original = "%owner: a\r\n# Title\r\n%note\r\nRun the tests.\n";
    fs.file("/p/ALPHA.md", original);
    let env = Env::with_home(path("/h"));
    let place = PortPlace { project: path("/p"), home: path("/h") };
    let there = |fs: &MemFs| {
        let request = PortRequest::new(place.clone());
        let done = port(World { fs, env: &env }, &ALPHA, &Joined, &request).unwrap();
        apply(fs, &done.plan, &Journal::new(path("/state"))).unwrap();
        done
    };
    there(&fs);
    let joined = text(&fs, "/h/BETA.md");
    let edited = joined.replace("Japanese", "English").replace("pnpm", "npm");
    fs.file("/h/BETA.md", &edited);
    let back = carry(&fs, &BETA, &ALPHA);
    assert_eq!(back.conflicts, []);
    assert_eq!(text(&fs, "/h/ALPHA.md"), "Answer in English.\n");
    assert_eq!(text(&fs, "/p/ALPHA.md"), original);
    assert_eq!(text(&fs, "/p/sub/ALPHA.md"), "Use npm.\n");
    assert_eq!(there(&fs).plan.changes(), []);
    for file in ["/h/ALPHA.md", "/p/ALPHA.md", "/p/sub/ALPHA.md"] {
        fs.remove(file);
    }
    carry(&fs, &BETA, &ALPHA);
    assert_eq!(text(&fs, "/p/sub/ALPHA.md"), "Use npm.\n");
    // What was changed on both sides meanwhile is nobody's to choose.
    fs.file("/p/sub/ALPHA.md", "Use yarn.\n").file("/h/BETA.md", edited.replace("npm", "bun"));
    assert_eq!(planned(&fs, &BETA, &ALPHA).conflicts.len(), 1);
    assert_eq!(text(&fs, "/p/sub/ALPHA.md"), "Use yarn.\n");
}

#[test]
fn a_cut_among_lines_that_are_all_the_same_is_a_loss() {
    let fs = MemFs::from_files([("/p/ALPHA.md", "again\n".repeat(9))]);
    let short = Toy { limit: 30, ..BETA };
    let done = planned(&fs, &ALPHA, &short);
    let hows: Vec<_> = done.losses.losses.iter().map(|loss| loss.how.as_str()).collect();
    assert_eq!(hows, ["truncated"]);
}
