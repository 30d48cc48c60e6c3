//! Who changed a piece, and what becomes of it.

use super::bases::Bases;
use super::merge::{has_marks, merge, side_by_side};
use super::text::{Value, normal};
use super::{PortPlace, Prefer, bases};
use crate::digest::Digest;
use crate::fs::Fs;
use crate::path::AbsPath;

/// What becomes of a piece on the side to which is ported.
#[derive(Debug)]
pub(super) enum Decision {
    /// Both sides are the same.
    Same,
    /// The side from which is ported changed it: it is taken, gone or not.
    Take,
    /// The other side changed it: it stays, gone or not.
    Stay,
    /// Both changed it: this is both together.
    Merged(String),
    /// Both changed it, and that of the other side counts from now on.
    Kept,
    /// Both changed it, and nobody knows what counts.
    Open(Open),
}

/// What both sides changed the same of.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) line: Option<u32>,
    pub(super) base: Option<String>,
    /// A file to settle it in, and what to put there.
    pub(super) settled_in: Option<(AbsPath, String)>,
}

impl Decision {
    /// Whether both sides agree on what the first one says from now on.
    pub(super) fn settles(&self) -> bool {
        !matches!(self, Self::Stay | Self::Open(_))
    }
}

/// Weighs two versions against what they were.
pub(super) struct Scales<'a> {
    pub(super) fs: &'a dyn Fs,
    pub(super) bases: &'a Bases<'a>,
    pub(super) prefer: Option<Prefer>,
    /// The folder for conflicts that are settled by hand.
    pub(super) conflicts: Option<AbsPath>,
}

impl<'a> Scales<'a> {
    pub(super) fn new(
        fs: &'a dyn Fs,
        bases: &'a Bases<'a>,
        place: &PortPlace,
        (prefer, state): (Option<Prefer>, Option<&AbsPath>),
    ) -> Self {
        let conflicts = state.map(|state| state.join(&format!("{}.conflicts", bases::id(place))));
        Self { fs, bases, prefer, conflicts }
    }

    /// What becomes of a piece of this name; `None` is a side where it is gone.
    ///
    /// Without keys it is not known what both were.
    pub(super) fn decide(
        &self,
        name: (&AbsPath, &AbsPath),
        keys: &[String],
        from: Option<&Value>,
        to: Option<&Value>,
    ) -> Decision {
        let is_base = |side: Option<&Value>| side.is_some_and(|it| keys.contains(&it.key));
        if from == to {
            return Decision::Same;
        }
        if is_base(to) {
            return Decision::Take;
        }
        if is_base(from) {
            return Decision::Stay;
        }
        let text = |side: Option<&'_ Value>| side.and_then(|it| it.text.clone());
        let known = keys.iter().find_map(|key| self.bases.text(key));
        let mut open = Open { line: None, base: known.clone(), settled_in: None };
        if let (Some(one), Some(other)) = (text(from), text(to)) {
            let marked = match known.as_ref().map(|base| merge(base, &one, &other)) {
                Some(Ok(merged)) => return Decision::Merged(merged),
                Some(Err(found)) => {
                    open.line = Some(found.line);
                    found.marked
                }
                None => side_by_side(&one, &other),
            };
            if let Some(file) = self.file(name) {
                let settled = self.fs.read_up_to(&file, crate::fs::MAX_READ).ok();
                let settled = settled.map(|bytes| normal(&String::from_utf8_lossy(&bytes)));
                // The versions of before are settled by what was written then.
                if let Some(settled) = settled.filter(|text| !has_marks(text)) {
                    return Decision::Merged(settled);
                }
                open.settled_in = Some((file, format!("{marked}\n")));
            }
        }
        match self.prefer {
            Some(Prefer::From) => Decision::Take,
            Some(Prefer::To) => Decision::Kept,
            None => Decision::Open(open),
        }
    }

    fn file(&self, (from, to): (&AbsPath, &AbsPath)) -> Option<AbsPath> {
        let digest = Digest::of(format!("{from}\n{to}").as_bytes()).to_string();
        let digits = digest.rsplit(':').next()?.get(..8)?;
        let name = to.file_name().unwrap_or("text");
        Some(self.conflicts.as_ref()?.join(&format!("{digits}-{name}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fs::MemFs;

    fn path(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    fn said(fs: &MemFs, prefer: Option<Prefer>, keys: &[&str], sides: [Option<&str>; 2]) -> String {
        let place = PortPlace { project: path("/p"), home: path("/h") };
        let state = path("/s");
        let bases = Bases::new(fs, &place, Some(&state));
        let scales = Scales::new(fs, &bases, &place, (prefer, Some(&state)));
        let keys: Vec<String> = keys.iter().map(|text| Value::of(text).key).collect();
        let [from, to] = sides.map(|side| side.map(Value::of));
        match scales.decide((&path("/p/a"), &path("/p/b.md")), &keys, from.as_ref(), to.as_ref()) {
            Decision::Same => "same".to_owned(),
            Decision::Take => "take".to_owned(),
            Decision::Stay => "stay".to_owned(),
            Decision::Kept => "kept".to_owned(),
            Decision::Merged(text) => format!("merged {text}"),
            Decision::Open(open) => format!("open {:?} {:?}", open.line, open.base),
        }
    }

    #[test]
    fn who_changed_it_is_seen_from_what_both_were() {
        let fs = MemFs::new();
        let said = |keys: &[&str], from, to| said(&fs, None, keys, [from, to]);
        assert_eq!(said(&["a"], Some("b"), Some("b\r\n")), "same");
        assert_eq!(said(&["a"], Some("b"), Some("a")), "take");
        assert_eq!(said(&["a"], None, Some("a\n")), "take");
        assert_eq!(said(&["a"], Some("a"), Some("b")), "stay");
        assert_eq!(said(&["a"], Some("a"), None), "stay");
        assert_eq!(said(&["a"], Some("b"), Some("c")), "open None None");
        assert_eq!(said(&["a"], None, Some("c")), "open None None");
        assert_eq!(said(&[], Some("b"), Some("c")), "open None None");
        // Two manifests were merged: each side may be as one of them says.
        assert_eq!(said(&["a", "c"], Some("b"), Some("c")), "take");
    }

    #[test]
    fn both_changes_stand_together_where_the_base_is_known() {
        let mut fs = MemFs::new();
        let place = PortPlace { project: path("/p"), home: path("/h") };
        let base = Value::of("a\nb\nc");
        let state = path("/s");
        let kept = Bases::new(&fs, &place, Some(&state));
        let (file, bytes) = kept.changed(&place, [base.clone()], &[&base.key]).unwrap();
        fs.file(file.as_str(), bytes);
        assert_eq!(
            said(&fs, None, &["a\nb\nc"], [Some("A\nb\nc"), Some("a\nb\nC")]),
            "merged A\nb\nC"
        );
        let both = [Some("A\nb\nc"), Some("x\nb\nc")];
        assert_eq!(said(&fs, None, &["a\nb\nc"], both), "open Some(1) Some(\"a\\nb\\nc\")");
        assert_eq!(said(&fs, Some(Prefer::From), &["a\nb\nc"], both), "take");
        assert_eq!(said(&fs, Some(Prefer::To), &["a\nb\nc"], both), "kept");
    }
}
