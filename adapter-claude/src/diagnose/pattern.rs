use crate::rule::Globs;

/// What is odd about one pattern of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// It can match no file, and why.
    Never(&'static str),
    /// It matches in every folder of that name, not only in the one at the top.
    Floats,
}

/// Looks at a pattern as it is written.
pub(super) fn oddity(written: &str, base: &str) -> Option<Oddity> {
    let body = written.strip_prefix('!').unwrap_or(written);
    let never = |why| Some(Oddity::Never(why));
    if written.starts_with('#') {
        return never("a pattern that begins with `#` is a comment");
    }
    if body.starts_with("./") || body.starts_with("../") {
        return never("patterns begin at the rule's folder, without `./` or `../`");
    }
    if body.starts_with("~/") {
        return never("`~` does not stand for the home directory here");
    }
    if base.len() > 1 && body.starts_with(base) {
        return never("patterns are relative to the rule's folder, not absolute");
    }
    if ["@(", "?(", "+(", "*(", "!("].iter().any(|open| body.contains(open)) {
        return never("groups like `@(a|b)` are not known; write `{a,b}`");
    }
    if body.contains("//") || body.contains("/./") || body.contains("/../") {
        return never("a path has no empty, `.` or `..` part");
    }
    let cut = body.strip_suffix("/**").unwrap_or(body);
    if !cut.is_empty() && Globs::new(&[cut.to_owned()]).is_empty() {
        return never("it names no file");
    }
    let floats = body.len() > cut.len() && !cut.is_empty() && !cut.contains('/') && cut != "**";
    floats.then_some(Oddity::Floats)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_that_match_nothing_are_found() {
        for pattern in
            ["#x", "./src/**", "../x", "~/x", "/w/p/src/**", "@(a|b)", "src//a", "a\\", "/"]
        {
            assert!(matches!(oddity(pattern, "/w/p"), Some(Oddity::Never(_))), "{pattern}");
        }
    }

    #[test]
    fn a_folder_with_two_stars_floats() {
        assert_eq!(oddity("src/**", "/w"), Some(Oddity::Floats));
        for pattern in ["/src/**", "src/**/*", "**/src/**", "a/b/**", "**", "src"] {
            assert_eq!(oddity(pattern, "/w"), None, "{pattern}");
        }
    }
}
