//! Names that differ from each other by a number.

use std::collections::HashMap;

/// A name, then the same name with 2, 3, … behind it: `a`, `a-2`, `a-3`.
///
/// ```
/// use memory_core::store::numbered;
///
/// let names: Vec<_> = numbered("a", "-").take(3).collect();
/// assert_eq!(names, ["a", "a-2", "a-3"]);
/// ```
pub fn numbered(name: &str, separator: &str) -> impl Iterator<Item = String> {
    std::iter::once(name.to_owned())
        .chain((2_u64..).map(move |number| format!("{name}{separator}{number}")))
}

/// Names that were given out; no two are the same.
///
/// ```
/// use memory_core::store::UniqueNames;
///
/// let mut ids = UniqueNames::new("~");
/// assert_eq!([ids.give("a"), ids.give("a"), ids.give("A")], ["a", "a~2", "A"]);
/// ```
#[derive(Clone, Debug)]
pub struct UniqueNames {
    separator: &'static str,
    ignores_case: bool,
    /// Each with the last number that was put behind it.
    given: HashMap<String, u64>,
}

impl UniqueNames {
    /// No name is given yet; this stands between a name and its number.
    pub fn new(separator: &'static str) -> Self {
        Self { separator, ignores_case: false, given: HashMap::new() }
    }

    /// Names that differ only in upper and lower case count as the same.
    #[must_use]
    pub fn ignoring_case(mut self) -> Self {
        self.ignores_case = true;
        self
    }

    /// The name itself, or with the first free number behind it.
    pub fn give(&mut self, name: &str) -> String {
        let Some(mut number) = self.given.get(&self.key(name)).copied() else {
            self.given.insert(self.key(name), 1);
            return name.to_owned();
        };
        loop {
            number += 1;
            let numbered = format!("{name}{}{number}", self.separator);
            let key = self.key(&numbered);
            if !self.given.contains_key(&key) {
                self.given.insert(self.key(name), number);
                self.given.insert(key, 1);
                return numbered;
            }
        }
    }

    fn key(&self, name: &str) -> String {
        if self.ignores_case { name.to_lowercase() } else { name.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_given_once() {
        let mut names = UniqueNames::new("~");
        let given = ["a", "a~2", "a", "a", "a~2"].map(|name| names.give(name));
        assert_eq!(given, ["a", "a~2", "a~3", "a~4", "a~2~2"]);
        let mut names = UniqueNames::new("-").ignoring_case();
        let given = ["a", "A", "a-2", "a"].map(|name| names.give(name));
        assert_eq!(given, ["a", "A-2", "a-2-2", "a-3"]);
    }
}
