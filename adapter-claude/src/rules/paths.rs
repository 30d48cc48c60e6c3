use memory_core::model::{Fields, Value};

use super::Globs;

/// How many patterns one rule may have once its braces are expanded.
const MAX_PATTERNS: usize = 4096;

/// How long all patterns of one rule may be together, in bytes.
const MAX_BYTES: usize = 256 * 1024;

/// To which files a rule, or a skill, applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// To all: it loads at start.
    Always,
    /// To files that these patterns match.
    Files(Patterns),
}

/// The patterns of one rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Patterns {
    /// The patterns as the client uses them, in order.
    pub(crate) list: Vec<String>,
    /// The patterns as they are written.
    pub(crate) written: Vec<String>,
}

impl Scope {
    /// Reads the `paths` of a frontmatter.
    pub(crate) fn of(fields: Option<&Fields>) -> Self {
        let Some(value) = fields.and_then(|fields| fields.get("paths")) else {
            return Self::Always;
        };
        let mut written = Vec::new();
        collect(value, &mut written);
        let mut list: Vec<String> = Vec::new();
        for pattern in &written {
            expand(pattern, &mut list);
        }
        for pattern in &mut list {
            if let Some(folder) = pattern.strip_suffix("/**") {
                *pattern = folder.to_owned();
            }
        }
        list.retain(|pattern| !pattern.is_empty());
        if list.iter().all(|pattern| pattern == "**") {
            return Self::Always;
        }
        Self::Files(Patterns { list, written })
    }
}

impl Patterns {
    /// The patterns, ready for matching.
    pub(crate) fn globs(&self) -> Globs {
        Globs::new(&self.list)
    }
}

/// Every text in a value, split at commas that stand outside braces.
fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Text(text) => split(text, into),
        Value::List(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Map(_) => {}
    }
}

fn split(text: &str, into: &mut Vec<String>) {
    let mut depth = 0_i64;
    let mut part = String::new();
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if c == ',' && depth == 0 {
            push_trimmed(&std::mem::take(&mut part), into);
        } else {
            part.push(c);
        }
    }
    push_trimmed(&part, into);
}

fn push_trimmed(part: &str, into: &mut Vec<String>) {
    let part = part.trim_matches(crate::text::frontmatter::is_space);
    if !part.is_empty() {
        into.push(part.to_owned());
    }
}

/// Writes out the braces: textually, from the first `{` to the first `}` after it.
fn expand(pattern: &str, into: &mut Vec<String>) {
    let mut open = vec![pattern.to_owned()];
    let mut bytes = 0;
    while let Some(pattern) = open.pop() {
        let parts = pattern.split_once('{').and_then(|(before, rest)| {
            let (inside, after) = rest.split_once('}')?;
            (!inside.is_empty()).then_some((before, inside, after))
        });
        match parts {
            Some((before, inside, after))
                if into.len() + open.len() < MAX_PATTERNS && bytes < MAX_BYTES =>
            {
                bytes += before.len() + after.len() + inside.len();
                // Last first: the list is worked off from its end.
                let made = inside.rsplit(',').map(|item| format!("{before}{}{after}", item.trim()));
                open.extend(made);
            }
            _ => into.push(pattern),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(paths: &str) -> Vec<String> {
        let (fields, _) = crate::text::frontmatter::read(&format!("paths: {paths}"));
        match Scope::of(fields.as_ref()) {
            Scope::Always => Vec::new(),
            Scope::Files(patterns) => patterns.list,
        }
    }

    #[test]
    fn values_are_flattened_split_and_expanded() {
        assert_eq!(list("\"src/**, *.{ts,tsx}\""), ["src", "*.ts", "*.tsx"]);
        assert_eq!(list("[\"a, b\", [\"c\"], 5, null]"), ["a", "b", "c"]);
        assert_eq!(list("\"{t}{}\""), ["t{}"]);
        assert_eq!(list("\"src/{a,{b,2}}.ts\""), ["src/a}.ts", "src/b.ts", "src/2}.ts"]);
    }

    #[test]
    fn patterns_that_say_nothing_make_a_rule_unconditional() {
        for paths in ["**", "\"**/**\"", "/**", "\"\"", "[]", "[\"\"]", "5", "true", "{a: b}"] {
            assert_eq!(list(paths), [""; 0], "{paths}");
        }
        for paths in ["\"*\"", "\"**/*\"", "\"***\"", "[\"**\", \"src/**\"]"] {
            assert!(!list(paths).is_empty(), "{paths}");
        }
    }

    #[test]
    fn exploding_braces_are_bounded() {
        let bomb = "{a,b,c,d}".repeat(30);
        assert!(list(&format!("\"{bomb}\"")).len() <= MAX_PATTERNS + 4);
        assert!(list(&format!("\"{{{}}}\"", "a,".repeat(50_000))).len() <= 50_001);
    }
}
