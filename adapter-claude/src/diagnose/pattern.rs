use crate::rules::Globs;

/// What is odd about one pattern of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// It can match no file: why, and what to write.
    Never {
        /// Why it cannot.
        why: &'static str,
        /// What to do about it.
        help: &'static str,
    },
    /// It takes nothing away from what the patterns before it match: why, and what to write.
    TakesNothing {
        /// Why it does not.
        why: &'static str,
        /// What to write, or `None` when no other spelling would do.
        instead: Option<String>,
    },
    /// It matches in every folder of that name, not only in the one at the top.
    Floats,
}

/// Looks at the pattern at this place of a list, as it is written.
///
/// `is_file` says whether a path below the rule's folder is a file.
pub(super) fn oddity(
    list: &[String],
    at: usize,
    base: &str,
    is_file: impl Fn(&str) -> bool,
) -> Option<Oddity> {
    let written = list.get(at)?.as_str();
    let before = list.get(..at).unwrap_or_default();
    let after = list.get(at + 1..).unwrap_or_default();
    if let Some((why, help)) = never(written, base, is_file) {
        return Some(Oddity::Never { why, help });
    }
    if let Some(body) = written.strip_prefix('!') {
        return takes_nothing(before, body);
    }
    if after.iter().any(|later| later.strip_prefix('!') == Some(written)) {
        return Some(Oddity::Never {
            why: "the same pattern with `!` after it takes all of it away",
            help: "drop one of the two, or name fewer files behind the `!`",
        });
    }
    let cut = written.strip_suffix("/**")?;
    (!cut.is_empty() && !cut.contains('/') && cut != "**").then_some(Oddity::Floats)
}

/// Why a pattern matches no file whatever stands beside it, and what to write.
fn never(
    written: &str,
    base: &str,
    is_file: impl Fn(&str) -> bool,
) -> Option<(&'static str, &'static str)> {
    let body = written.strip_prefix('!').unwrap_or(written);
    let beside = "write the path from the rule's folder on: `src/**/*.ts`";
    if written.starts_with('#') {
        return Some(("a pattern that begins with `#` is a comment", "write `\\#` for a `#`"));
    }
    if body.starts_with("./") || body.starts_with("../") {
        return Some(("patterns begin at the rule's folder, without `./` or `../`", beside));
    }
    if body.starts_with("~/") {
        return Some(("`~` does not stand for the home directory here", beside));
    }
    if base.len() > 1 && body.starts_with(base) {
        return Some(("patterns are relative to the rule's folder, not absolute", beside));
    }
    if ["@(", "?(", "+(", "*(", "!("].iter().any(|open| body.contains(open)) {
        return Some(("groups like `@(a|b)` are not known", "write `{a,b}`"));
    }
    if divides_by_backslash(body) {
        return Some(("a `\\` does not divide folders", "write `/` between folders"));
    }
    let path = body.strip_suffix('/').unwrap_or(body);
    let path = path.strip_prefix('/').unwrap_or(path);
    if !path.is_empty() && path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Some(("a path has no empty, `.` or `..` part", beside));
    }
    if body.ends_with('/') && (is_file(path) || looks_like_file(path)) {
        return Some(("a `/` at its end makes it match folders only", "leave the `/` out"));
    }
    let cut = body.strip_suffix("/**").unwrap_or(body);
    let is_empty = !cut.is_empty() && Globs::new(&[cut.to_owned()]).is_empty();
    is_empty.then_some(("it names no file", beside))
}

/// Whether a backslash stands where a `/` is meant: between two names.
///
/// Behind a backslash some letters mean a class of characters when they stand alone.
fn divides_by_backslash(body: &str) -> bool {
    let mut parts = body.split('\\');
    let mut before = parts.next().unwrap_or_default();
    parts.any(|after| {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let follows = before.ends_with(|c: char| is_name(c) || c == '*');
        before = after;
        let mut letters = after.chars();
        let first = letters.next().filter(|c| is_name(*c));
        let is_class = first.is_some_and(|c| "dDwWsS".contains(c));
        follows && first.is_some() && (!is_class || letters.next().is_some_and(is_name))
    })
}

/// Whether the last part of a pattern without wildcards has an extension that text files have.
fn looks_like_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_plain = !path.contains(['*', '?', '[', '{', '\\']);
    is_plain
        && name.trim_start_matches('.').contains('.')
        && memory_core::AbsPath::new(format!("/{name}"))
            .is_ok_and(|path| crate::text::import::extension_is_allowed(&path))
}

/// What keeps a pattern behind `!` from taking anything away.
fn takes_nothing(before: &[String], body: &str) -> Option<Oddity> {
    let positive: Vec<&str> =
        before.iter().map(String::as_str).filter(|one| !one.starts_with('!')).collect();
    if positive.is_empty() {
        return Some(Oddity::TakesNothing {
            why: "it takes files away from the patterns before it, and there is none",
            instead: None,
        });
    }
    let folder = body.strip_suffix("/**")?;
    let name = folder.trim_start_matches("**/").trim_start_matches('/');
    if name.is_empty() || name.contains(['*', '?', '[', '{', '\\']) {
        return None;
    }
    let samples = samples(&positive, name);
    let globs = |last: Option<String>| {
        let list = before.iter().map(|one| one.strip_suffix("/**").unwrap_or(one).to_owned());
        Globs::new(&list.chain(last).collect::<Vec<_>>())
    };
    let whole = globs(None);
    let takes = |pattern: String| {
        let less = globs(Some(pattern));
        samples.iter().any(|path| whole.matches(path) && !less.matches(path))
    };
    if takes(format!("!{folder}")) {
        return None;
    }
    let instead = Some(format!("!{body}/*")).filter(|instead| takes(instead.clone()));
    let why = "it names the folder, and the patterns before it match the files in it one by one";
    instead.is_some().then_some(Oddity::TakesNothing { why, instead })
}

/// Paths of files in a folder that the patterns may match.
fn samples(positive: &[&str], folder: &str) -> Vec<String> {
    let plain =
        |pattern: &str| pattern.trim_start_matches('/').replace("**/", "").replace('*', "x");
    let mut folders = vec![folder.to_owned()];
    folders.extend(positive.iter().map(|one| plain(one.strip_suffix("/**").unwrap_or(one))));
    let mut names = vec!["x".to_owned()];
    names.extend(positive.iter().filter_map(|one| one.rsplit('/').next()).map(plain));
    let below =
        |folder: &String| names.iter().map(|name| format!("{folder}/{name}")).collect::<Vec<_>>();
    folders.iter().flat_map(below).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(list: &[&str], at: usize, base: &str) -> Option<Oddity> {
        let list: Vec<String> = list.iter().map(|one| (*one).to_owned()).collect();
        oddity(&list, at, base, |path| path == "Makefile")
    }

    #[test]
    fn patterns_that_match_nothing_are_found() {
        for pattern in [
            "#x",
            "./src/**",
            "../x",
            "~/x",
            "/w/p/src/**",
            "@(a|b)",
            "src//a",
            "a\\",
            "/",
            ".",
            "src/..",
            "src\\a.ts",
            "src\\docs",
            "src/a.ts/",
            "Makefile/",
        ] {
            assert!(matches!(of(&[pattern], 0, "/w/p"), Some(Oddity::Never { .. })), "{pattern}");
        }
        for pattern in ["src/", "v1.2/", "\\#x", "v\\d.ts", "a\\ b", "[a].ts", "src/.env"] {
            assert_eq!(of(&[pattern], 0, "/w/p"), None, "{pattern}");
        }
    }

    #[test]
    fn a_folder_with_two_stars_floats() {
        assert_eq!(of(&["src/**"], 0, "/w"), Some(Oddity::Floats));
        for pattern in ["/src/**", "src/**/*", "**/src/**", "a/b/**", "**", "src"] {
            assert_eq!(of(&[pattern], 0, "/w"), None, "{pattern}");
        }
    }

    #[test]
    fn a_pattern_that_is_taken_away_again_never_matches() {
        let never = of(&["**/*.ts", "!**/*.ts"], 0, "/w");
        assert!(matches!(never, Some(Oddity::Never { .. })));
        assert_eq!(of(&["!**/*.ts", "**/*.ts"], 1, "/w"), None);
    }

    #[test]
    fn a_negation_that_takes_nothing_away_is_found() {
        let takes = |list: &[&str]| match of(list, list.len() - 1, "/w") {
            Some(Oddity::TakesNothing { instead, .. }) => Some(instead.unwrap_or_default()),
            _ => None,
        };
        assert_eq!(takes(&["!src/**"]).as_deref(), Some(""));
        assert_eq!(takes(&["!lib", "!src"]).as_deref(), Some(""));
        assert_eq!(takes(&["**/*.ts", "!src/**"]).as_deref(), Some("!src/**/*"));
        assert_eq!(takes(&["*.ts", "!/src/**"]).as_deref(), Some("!/src/**/*"));
        for list in [
            ["**/*.ts", "!src/**/*"],
            ["src", "!src/**"],
            ["/src/*", "!/src/gen/**"],
            ["lib/src", "!src/**"],
            ["*.ts", "!*.test.ts"],
        ] {
            assert_eq!(takes(&list), None, "{list:?}");
        }
    }
}
