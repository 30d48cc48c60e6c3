use memory_core::AbsPath;

use super::read::Body;

/// The text that the model gets of a skill: its body, filled in with the arguments.
pub(super) fn prompt(body: &Body, file: &AbsPath, arguments: &str) -> String {
    let filled = fill(&body.text, arguments, &body.arguments);
    let dir = file.parent().unwrap_or_else(AbsPath::root);
    filled.replace("${CLAUDE_SKILL_DIR}", dir.as_str())
}

/// Puts arguments in the place of `$0`, `$ARGUMENTS[0]`, `$ARGUMENTS` and of names;
/// where there is no such place they are added at the end.
///
/// What asks for an argument too many stays, save a name, which leaves nothing.
fn fill(text: &str, arguments: &str, names: &[String]) -> String {
    let words = words(arguments);
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    let mut found = false;
    while let Some((before, after)) = rest.split_once('$') {
        let (value, behind) = match place(after, arguments, &words, names) {
            Some((value, behind)) if !before.ends_with('\\') => (value, behind),
            Some(_) => {
                filled.push_str(before.strip_suffix('\\').unwrap_or(before));
                filled.push('$');
                rest = after;
                continue;
            }
            None => ("$", after),
        };
        found |= behind.len() < after.len();
        filled.push_str(before);
        filled.push_str(value);
        rest = behind;
    }
    filled.push_str(rest);
    if !found && !arguments.is_empty() {
        filled.push_str("\n\nARGUMENTS: ");
        filled.push_str(arguments);
    }
    filled
}

/// What stands for a place behind its `$`, and the text behind the place.
fn place<'t>(
    after: &'t str,
    arguments: &'t str,
    words: &'t [String],
    names: &[String],
) -> Option<(&'t str, &'t str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for (at, name) in names.iter().enumerate() {
        let behind = after.strip_prefix(name.as_str());
        if let Some(behind) =
            behind.filter(|behind| !behind.starts_with(|c| is_word(c) || c == '['))
        {
            return Some((words.get(at).map_or("", String::as_str), behind));
        }
    }
    let word = |number: &str| Some(words.get(number.parse::<usize>().ok()?)?.as_str());
    if let Some(behind) = after.strip_prefix("ARGUMENTS") {
        let numbered = behind.strip_prefix('[').and_then(|inside| inside.split_once(']'));
        let numbered = numbered.and_then(|(number, behind)| Some((word(number)?, behind)));
        return Some(numbered.unwrap_or((arguments, behind)));
    }
    let behind = after.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = after.strip_suffix(behind)?;
    Some((word(number)?, behind)).filter(|_| !behind.starts_with(is_word))
}

/// The words of a command line: quotes hold blanks together, a backslash takes the next as it is.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            ('\\', None | Some('"')) => word.get_or_insert_default().extend(chars.next()),
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str, arguments: &str) -> String {
        fill(text, arguments, &["one".to_owned(), "two".to_owned()])
    }

    #[test]
    fn arguments_stand_where_they_are_asked_for() {
        assert_eq!(filled("$0-$1 $ARGUMENTS[1] $ARGUMENTS.", "a 'b c'"), "a-b c b c a 'b c'.");
        assert_eq!(filled("$one/$two/$onetwo", "a"), "a//$onetwo");
        assert_eq!(filled("x $0a \\$0 ${1}", "a"), "x $0a $0 ${1}\n\nARGUMENTS: a");
    }

    #[test]
    fn arguments_without_a_place_stand_at_the_end() {
        assert_eq!(filled("body", "@a b"), "body\n\nARGUMENTS: @a b");
        assert_eq!(filled("body $ARGUMENTS $0 $5", ""), "body  $0 $5");
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(words(r#" a "b c"'d' \e '' "f"#), ["a", "b cd", "e", "", "f"]);
    }
}
