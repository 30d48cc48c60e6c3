use serde_json::{Map, Value};

/// What the client accepts as the value of a key.
#[derive(Clone, Copy)]
enum Kind {
    Text,
    Switch,
    Number,
    Object,
    Texts,
    Overrides,
    Plugins,
}

/// The keys that are checked: those that decide what is loaded, and a few that
/// stand in many files.
const KEYS: &[(&str, Kind)] = &[
    ("autoMemoryDirectory", Kind::Text),
    ("autoMemoryEnabled", Kind::Switch),
    ("claudeMd", Kind::Text),
    ("claudeMdExcludes", Kind::Texts),
    ("cleanupPeriodDays", Kind::Number),
    ("enabledPlugins", Kind::Plugins),
    ("env", Kind::Object),
    ("model", Kind::Text),
    ("outputStyle", Kind::Text),
    ("permissions", Kind::Object),
    ("pluginConfigs", Kind::Object),
    ("skillOverrides", Kind::Overrides),
];

/// What `skillOverrides` may say of a skill.
const OVERRIDES: &[&str] = &["on", "name-only", "user-invocable-only", "off"];

/// The keys whose values the client does not accept.
pub(super) fn refused(values: &Map<String, Value>) -> Vec<&'static str> {
    let refused = KEYS
        .iter()
        .filter(|(key, kind)| values.get(*key).is_some_and(|value| !kind.accepts(value)));
    refused.map(|(key, _)| *key).collect()
}

impl Kind {
    fn accepts(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Switch => value.is_boolean(),
            Self::Number => value.is_number(),
            Self::Object => value.is_object(),
            Self::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            Self::Plugins => value.as_object().is_some_and(|plugins| {
                plugins.values().all(|says| says.is_boolean() || Self::Texts.accepts(says))
            }),
            Self::Overrides => value.as_object().is_some_and(|skills| {
                skills
                    .values()
                    .all(|says| says.as_str().is_some_and(|says| OVERRIDES.contains(&says)))
            }),
        }
    }
}
