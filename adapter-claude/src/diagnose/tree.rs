//! Whether there can be anything that a rule's patterns match.

use memory_core::AbsPath;
use memory_core::fs::Fs;

use crate::rules::fold;

/// Whether what a pattern begins with is there, below `base`; `None` where it
/// may match in any folder, so that only a walk through all of them could say.
///
/// Only the names that stand in the pattern are asked for, whatever the size of
/// the project.
pub(super) fn is_there(fs: &dyn Fs, base: &AbsPath, pattern: &str) -> Option<bool> {
    let pattern = pattern.trim_end_matches('/');
    // A single name matches in every folder.
    let body = match pattern.strip_prefix('/') {
        Some(body) => body,
        None if pattern.contains('/') => pattern,
        None => return None,
    };
    let is_plain = |name: &&str| !name.contains(['*', '?', '[', '\\']);
    let names: Vec<&str> = body.split('/').take_while(is_plain).collect();
    if names.is_empty() {
        return None;
    }
    let mut path = base.clone();
    for name in names {
        let next = path.join(name);
        path = match fs.symlink_metadata(&next) {
            Ok(_) => next,
            Err(error) if error.is_absence() => match in_another_case(fs, &path, name) {
                Some(next) => next,
                None => return Some(false),
            },
            Err(_) => return None,
        };
    }
    Some(true)
}

/// The entry of a folder that has this name in other letters: patterns do not
/// tell upper from lower case.
fn in_another_case(fs: &dyn Fs, dir: &AbsPath, name: &str) -> Option<AbsPath> {
    let folded = |name: &str| name.chars().map(fold).collect::<String>();
    let wanted = folded(name);
    let mut entries = fs.read_dir(dir).ok()?.filter_map(Result::ok);
    entries.find(|entry| folded(&entry.name) == wanted).map(|entry| dir.join(entry.name))
}

#[cfg(test)]
mod tests {
    use memory_core::fs::{MemFs, Recorder};

    use super::*;

    #[test]
    fn only_what_a_pattern_names_is_asked_for() {
        let mut fs = MemFs::from_files([("/r/Src/gen/a.ts", ""), ("/r/docs/x.md", "")]);
        for number in 0..500 {
            fs.file(format!("/r/docs/{number}/x.md"), "");
        }
        let base = AbsPath::new("/r").unwrap();
        for (pattern, want, calls) in [
            ("src/gen/*.ts", Some(true), 3),
            ("Src/gen", Some(true), 2),
            ("/docs", Some(true), 1),
            ("docs/no/**/x", Some(false), 3),
            ("lib/**", Some(false), 2),
            ("/docs/x.md/", Some(true), 2),
            ("docs", None, 0),
            ("**/x.md", None, 0),
            ("*.ts", None, 0),
        ] {
            let seen = Recorder::new(&fs);
            assert_eq!(is_there(&seen, &base, pattern), want, "{pattern}");
            assert_eq!(seen.calls(), calls, "{pattern}");
        }
    }
}
