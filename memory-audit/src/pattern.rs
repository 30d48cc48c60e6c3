//! Patterns that are compiled once.

use regex::Regex;

/// Any of several patterns, upper and lower case alike unless a pattern says
/// otherwise. A pattern that does not compile matches nothing; a test compiles all.
#[derive(Debug)]
pub(crate) struct AnyOf {
    pattern: Option<Regex>,
}

impl AnyOf {
    pub(crate) fn new(patterns: &[&str]) -> Self {
        let all: Vec<_> = patterns.iter().map(|pattern| format!("(?:{pattern})")).collect();
        Self { pattern: Regex::new(&format!("(?im){}", all.join("|"))).ok() }
    }

    #[cfg(test)]
    pub(crate) fn is_sound(&self) -> bool {
        self.pattern.is_some()
    }

    pub(crate) fn is_in(&self, text: &str) -> bool {
        self.pattern.as_ref().is_some_and(|pattern| pattern.is_match(text))
    }

    pub(crate) fn count_in(&self, text: &str) -> usize {
        self.pattern.as_ref().map_or(0, |pattern| pattern.find_iter(text).count())
    }

    /// The first match, in bytes of the text.
    pub(crate) fn find(&self, text: &str) -> Option<std::ops::Range<usize>> {
        self.pattern.as_ref()?.find(text).map(|found| found.range())
    }

    /// All matches, in bytes of the text.
    pub(crate) fn find_all(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        let all = self.pattern.iter().flat_map(|pattern| pattern.find_iter(text));
        all.map(|found| found.range()).collect()
    }

    /// The text with every match replaced.
    pub(crate) fn replace(&self, text: &str, with: &str) -> String {
        match &self.pattern {
            Some(pattern) => pattern.replace_all(text, with).into_owned(),
            None => text.to_owned(),
        }
    }
}

/// Patterns under a name, compiled when they are first needed.
macro_rules! patterns {
    ($($(#[$doc:meta])* $name:ident = [$($pattern:expr),+ $(,)?];)+) => {
        $($(#[$doc])* static $name: std::sync::LazyLock<$crate::pattern::AnyOf> =
            std::sync::LazyLock::new(|| $crate::pattern::AnyOf::new(&[$($pattern),+]));)+
        #[cfg(test)]
        #[test]
        fn every_pattern_compiles() {
            $(assert!($name.is_sound(), stringify!($name));)+
        }
    };
}
pub(crate) use patterns;
