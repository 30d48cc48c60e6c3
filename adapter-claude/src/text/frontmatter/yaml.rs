use std::collections::HashMap;

use granit_parser::{Event, Options, Parser, ScalarStyle, Tag};
use memory_core::model::{Fields, Value};

use super::number::number;

/// The text is no YAML for the client.
#[derive(Debug)]
pub(super) struct Invalid;

/// How many values may be made, copies of anchored ones included.
const MAX_VALUES: usize = 100_000;

/// How deep values may be nested.
const MAX_DEPTH: usize = 64;

/// The keys and values of a block; `Ok(None)` when it holds something else.
pub(super) fn fields(source: &str) -> Result<Option<Fields>, Invalid> {
    Ok(match document(source)? {
        Value::Map(fields) => Some(fields),
        _ => None,
    })
}

/// Whether a text is a list by itself.
pub(super) fn is_list(source: &str) -> bool {
    matches!(document(source), Ok(Value::List(_)))
}

/// The value of a source.
fn document(source: &str) -> Result<Value, Invalid> {
    if source.contains('\0') || source.split('\n').any(is_item_behind_blank_and_tab) {
        return Err(Invalid);
    }
    if source.contains(is_control) {
        // The client reads controls like letters; the parser does not.
        let mut masked = document(&source.replace(is_control, &MASK.to_string()))?;
        let mut controls = source.chars().filter(|c| is_control(*c));
        unmask(&mut masked, &mut controls);
        return Ok(masked);
    }
    let mut options = Options::default();
    options.strict_indentation = true;
    options.disallow_directives = true;
    options.bom_inside_document_as_content = true;
    options.flow_nesting_limit = MAX_DEPTH;
    options.block_nesting_limit = MAX_DEPTH;
    let mut builder = Builder::default();
    for event in Parser::new_from_str_with_options(source, options) {
        let (event, _) = event.map_err(|_| Invalid)?;
        builder.take(event)?;
    }
    Ok(builder.root.unwrap_or(Value::Null))
}

/// Stands for a control character while the parser reads.
const MASK: char = '\u{f8ff}';

fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')
}

/// Puts the control characters back, in order, into the texts of a value.
fn unmask(value: &mut Value, controls: &mut impl Iterator<Item = char>) {
    match value {
        Value::Text(text) => {
            *text = text
                .chars()
                .map(|c| if c == MASK { controls.next().unwrap_or(c) } else { c })
                .collect();
        }
        Value::List(items) => items.iter_mut().for_each(|item| unmask(item, controls)),
        Value::Map(fields) => {
            fields.0.iter_mut().for_each(|(_, value)| unmask(value, controls));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_item_behind_blank_and_tab(line: &str) -> bool {
    let rest = line.trim_start_matches([' ', '\t']);
    let indent = line.get(..line.len() - rest.len()).unwrap_or_default();
    rest.starts_with("- ") && indent.starts_with(' ') && indent.contains('\t')
}

/// Makes values of the parser's events.
#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    anchors: HashMap<usize, (Value, usize)>,
    root: Option<Value>,
    made: usize,
}

/// A collection whose end has not come yet.
struct Open {
    anchor: usize,
    size_before: usize,
    what: Collection,
}

enum Collection {
    List(Vec<Value>),
    Map { fields: Fields, key: Option<Value> },
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), Invalid> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                accept(tag.as_deref())?;
                let plain = style == ScalarStyle::Plain;
                let untyped = tag.as_ref().is_none_or(|tag| !tag.is_yaml_core_schema());
                let as_text = tag.is_some_and(|tag| tag.suffix() == "str");
                let value = match () {
                    () if plain && !as_text => plain_scalar(&text),
                    () if !untyped && !as_text => plain_scalar(&text),
                    () => Value::Text(text.into_owned()),
                };
                self.finish(value, anchor, 1)
            }
            Event::SequenceStart(_, anchor, tag) => {
                accept(tag.as_deref())?;
                self.open(anchor, Collection::List(Vec::new()))
            }
            Event::MappingStart(_, anchor, tag) => {
                accept(tag.as_deref())?;
                self.open(anchor, Collection::Map { fields: Fields::default(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(done) = self.open.pop() else { return Err(Invalid) };
                let value = match done.what {
                    Collection::List(items) => Value::List(items),
                    Collection::Map { fields, .. } => Value::Map(deduplicated(fields)),
                };
                let size = self.made - done.size_before;
                self.finish(value, done.anchor, size)
            }
            Event::Alias(id) => {
                // An alias inside its own anchor stands for a value that is not made yet.
                let (value, size) = self.anchors.get(&id).cloned().unwrap_or((Value::Null, 1));
                self.finish(value, 0, size)
            }
            Event::UnresolvedAlias(_) => Err(Invalid),
            _ => Ok(()),
        }
    }

    fn open(&mut self, anchor: usize, what: Collection) -> Result<(), Invalid> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Invalid);
        }
        self.open.push(Open { anchor, size_before: self.made, what });
        Ok(())
    }

    fn finish(&mut self, value: Value, anchor: usize, size: usize) -> Result<(), Invalid> {
        self.made += size;
        if self.made > MAX_VALUES {
            return Err(Invalid);
        }
        if anchor != 0 {
            self.anchors.insert(anchor, (value.clone(), size));
        }
        match self.open.last_mut().map(|open| &mut open.what) {
            // Several documents are a list, whatever they hold.
            None => {
                self.root = Some(match self.root.take() {
                    None => value,
                    Some(_) => Value::List(Vec::new()),
                });
            }
            Some(Collection::List(items)) => items.push(value),
            Some(Collection::Map { fields, key }) => match key.take() {
                None => *key = Some(value),
                Some(key) => put(fields, key, value),
            },
        }
        Ok(())
    }
}

/// The client knows only tags that begin like a word, so that `!**/a.ts` is none.
fn accept(tag: Option<&Tag>) -> Result<(), Invalid> {
    let Some(name) = tag.filter(|tag| tag.handle() == "!").map(Tag::suffix) else { return Ok(()) };
    let word = name.chars().next().is_none_or(|c| c.is_ascii_alphanumeric() || c == '-');
    if word && !name.contains(['"', '>', '|', '`', '%', '!']) { Ok(()) } else { Err(Invalid) }
}

/// Adds an entry; the key `<<` adds the entries of its value instead.
fn put(fields: &mut Fields, key: Value, value: Value) {
    let key = match key {
        Value::Text(text) | Value::Number(text) => text,
        Value::Bool(yes) => yes.to_string(),
        Value::Null => "null".to_owned(),
        Value::List(_) | Value::Map(_) => "[object Object]".to_owned(),
    };
    match value {
        Value::Map(merged) if key == "<<" => fields.0.extend(merged.0),
        value => fields.0.push((key, value)),
    }
}

/// Keeps the last value of each key, at the place of the first.
fn deduplicated(fields: Fields) -> Fields {
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut kept: Vec<(String, Value)> = Vec::with_capacity(fields.0.len());
    for (key, value) in fields.0 {
        if let Some(entry) = places.get(&key).and_then(|place| kept.get_mut(*place)) {
            entry.1 = value;
        } else {
            places.insert(key.clone(), kept.len());
            kept.push((key, value));
        }
    }
    Fields(kept)
}

/// What an unquoted text stands for.
pub(super) fn plain_scalar(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text).map_or_else(|| Value::Text(text.to_owned()), Value::Number),
    }
}
