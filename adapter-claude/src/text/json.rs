//! JSON as deep as it comes.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Levels that are kept: no setting lies deeper, and what does reads as `null`.
///
/// The reader itself refuses 128 levels, where the client has no such limit.
const MAX_DEPTH: usize = 64;

/// Reads one JSON value; what lies too deep is checked and left out, without recursion.
pub(crate) fn parse(bytes: &[u8]) -> Result<Value, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = Shallow { levels: MAX_DEPTH }.deserialize(&mut reader)?;
    reader.end()?;
    Ok(value)
}

/// Reads a value with at most this many levels below it.
#[derive(Clone, Copy)]
struct Shallow {
    levels: usize,
}

impl Shallow {
    fn below(self) -> Self {
        Self { levels: self.levels.saturating_sub(1) }
    }
}

impl<'de> DeserializeSeed<'de> for Shallow {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        if self.levels == 0 {
            return reader.deserialize_ignored_any(IgnoredAny).map(|_| Value::Null);
        }
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Shallow {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.below())? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key()? {
            map.insert(key, entries.next_value_seed(self.below())?);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shallow_reads_as_it_stands() {
        let text = r#"{"a": [1, -2, 2.5, "x\u00e9", null, true, {"b": {}}], "a2": 1e400}"#;
        assert!(parse(text.as_bytes()).is_err());
        let text = text.replace("1e400", "18446744073709551615");
        assert_eq!(parse(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(&text).unwrap());
    }

    #[test]
    fn depth_neither_hides_what_stands_beside_it_nor_overflows() {
        for depth in [63, 64, 65, 200, 1_000_000] {
            let deep = format!("{{\"x\": {}1{}, \"y\": 2}}", "[".repeat(depth), "]".repeat(depth));
            let value = parse(deep.as_bytes()).unwrap();
            assert_eq!(value.get("y"), Some(&Value::from(2)), "{depth}");
        }
        let open = "[".repeat(1_000_000);
        assert!(parse(open.as_bytes()).is_err());
        assert!(parse(format!("{}{{]{}", "[".repeat(100), "]".repeat(99)).as_bytes()).is_err());
        assert!(parse(b"{} x").is_err());
    }
}
