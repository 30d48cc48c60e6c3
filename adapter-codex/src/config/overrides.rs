//! `-c KEY=VALUE`, `--enable` and `--disable` as a layer.

use toml::{Table, Value};

use super::arguments::Arguments;
use super::refusal::Refusal;

/// The values that the command line sets.
///
/// All `-c` apply in order, then all `--enable`, then all `--disable`.
pub(super) fn values(args: &Arguments, known: &[&str]) -> Result<Table, Refusal> {
    let mut values = Table::new();
    for text in &args.overrides {
        let (key, value) = text
            .split_once('=')
            .ok_or_else(|| Refusal::Override(format!("Invalid override (missing '='): {text}")))?;
        let key = key.trim();
        if key.is_empty() {
            return Err(Refusal::Override(format!("Empty key in override: {text}")));
        }
        set(&mut values, key, parse(value.trim()));
    }
    for (features, on) in [(&args.enable, true), (&args.disable, false)] {
        for feature in features {
            if !known.contains(&feature.as_str()) {
                return Err(Refusal::Plain(format!("Unknown feature flag: {feature}")));
            }
            set(&mut values, &format!("features.{feature}"), Value::Boolean(on));
        }
    }
    Ok(values)
}

/// A TOML value, or the text itself when it is none.
fn parse(text: &str) -> Value {
    let parsed = format!("value = {text}").parse::<Table>();
    match parsed.ok().and_then(|mut table| table.remove("value")) {
        Some(value) => value,
        None => Value::String(text.trim_matches(['"', '\'']).to_owned()),
    }
}

/// Parts of a key that are told apart: no key that is known has as many, and a
/// table cannot be nested without end.
const MAX_PARTS: usize = 100;

/// Sets a value under a key with dots; quotes have no meaning in it.
fn set(table: &mut Table, key: &str, value: Value) {
    set_below(table, key, value, MAX_PARTS);
}

fn set_below(table: &mut Table, key: &str, value: Value, parts: usize) {
    match key.split_once('.').filter(|_| parts > 1) {
        None => {
            table.insert(key.to_owned(), value);
        }
        Some((first, rest)) => {
            let below = table.entry(first).or_insert_with(|| Value::Table(Table::new()));
            if !below.is_table() {
                *below = Value::Table(Table::new());
            }
            if let Value::Table(below) = below {
                set_below(below, rest, value, parts - 1);
            }
        }
    }
}
