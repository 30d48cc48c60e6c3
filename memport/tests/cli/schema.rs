//! Whether a document is what its schema says.

use serde_json::Value;

/// Fails where a document is not what its schema says, or has a key that the
/// schema has no word for.
pub(crate) fn check(schema: &Value, document: &Value) {
    assert!(fits(schema, schema, document), "{document:#} does not fit {schema:#}");
}

fn fits(root: &Value, schema: &Value, value: &Value) -> bool {
    let Some(rules) = schema.as_object() else { return schema == &Value::Bool(true) };
    rules.iter().all(|(rule, wanted)| match rule.as_str() {
        "$ref" => {
            let pointer = wanted.as_str().unwrap().trim_start_matches('#');
            fits(root, root.pointer(pointer).unwrap(), value)
        }
        "anyOf" => wanted.as_array().unwrap().iter().any(|one| fits(root, one, value)),
        "oneOf" => {
            let fitting = wanted.as_array().unwrap().iter().filter(|one| fits(root, one, value));
            fitting.count() == 1
        }
        "type" => match wanted {
            Value::Array(types) => types.iter().any(|one| is_a(one.as_str().unwrap(), value)),
            one => is_a(one.as_str().unwrap(), value),
        },
        "const" => wanted == value,
        "required" => {
            wanted.as_array().unwrap().iter().all(|key| value.get(key.as_str().unwrap()).is_some())
        }
        "properties" => value
            .as_object()
            .unwrap()
            .iter()
            .all(|(key, value)| wanted.get(key).is_some_and(|schema| fits(root, schema, value))),
        "items" => value.as_array().is_none_or(|all| all.iter().all(|one| fits(root, wanted, one))),
        "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
        "maximum" => value.as_f64().is_none_or(|number| number <= wanted.as_f64().unwrap()),
        "enum" => wanted.as_array().unwrap().contains(value),
        "minItems" => {
            value.as_array().is_none_or(|all| all.len() as u64 >= wanted.as_u64().unwrap())
        }
        "uniqueItems" => value
            .as_array()
            .is_none_or(|all| (0..all.len()).all(|at| !all[..at].contains(&all[at]))),
        // Keys without a word in the schema are refused anyway.
        "additionalProperties"
        | "pattern"
        | "default"
        | "definitions"
        | "$id"
        | "$schema"
        | "$defs"
        | "title"
        | "description"
        | "format" => true,
        other => panic!("the schema has a rule that is not known here: {other}"),
    })
}

fn is_a(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("a type that is not known here: {other}"),
    }
}
