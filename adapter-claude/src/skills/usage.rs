//! How much each skill was used, which decides who keeps a description.

use std::collections::HashMap;
use std::time::{SystemTime, UNIX_EPOCH};

use memory_core::AbsPath;
use memory_core::fs::Fs;
use serde_json::Value;

use crate::text::{json, number};

/// The key of the client's notes.
const KEY: &str = "skillUsage";

/// The largest file of notes that is read, in bytes.
const MAX_LEN: u64 = 64 * 1024 * 1024;

/// After how many days a use counts half.
const HALF_LIFE: f64 = 7.0;

/// The least that a use counts, however long ago.
const FLOOR: f64 = 0.1;

/// What the uses of skills weigh, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Usage {
    weights: HashMap<String, f64>,
}

impl Usage {
    /// Reads the client's notes; without a time the latest use is taken to be now.
    pub(crate) fn read(fs: &dyn Fs, state: &AbsPath, now: Option<SystemTime>) -> Self {
        let notes = fs.read_up_to(state, MAX_LEN).ok();
        let notes = notes.and_then(|bytes| json::parse(&bytes).ok());
        let Some(Value::Object(skills)) = notes.as_ref().and_then(|notes| notes.get(KEY)) else {
            return Self::default();
        };
        let uses: Vec<(&String, f64, f64)> = skills
            .iter()
            .filter_map(|(name, used)| {
                Some((name, amount(used.get("usageCount")?)?, amount(used.get("lastUsedAt")?)?))
            })
            .collect();
        let latest = || uses.iter().map(|(_, _, last)| *last).fold(0.0, f64::max);
        let now = match now {
            Some(now) => {
                now.duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64() * 1000.0)
            }
            None => latest(),
        };
        let weight = |count: f64, last: f64| {
            let days = (now - last) / 86_400_000.0;
            count * 0.5_f64.powf(days / HALF_LIFE).max(FLOOR)
        };
        let weights =
            uses.iter().map(|(name, count, last)| ((*name).clone(), weight(*count, *last)));
        Self { weights: weights.collect() }
    }

    /// What the uses of a skill weigh; 0 for one that was never used.
    pub(crate) fn of(&self, name: &str) -> f64 {
        self.weights.get(name).copied().unwrap_or_default()
    }
}

/// A number, or a text that is one.
fn amount(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => number::number(text),
        other => other.as_f64(),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use memory_core::fs::MemFs;

    use super::*;

    #[test]
    fn a_use_counts_half_after_a_week_and_never_less_than_a_tenth() {
        let day = 86_400_000_u64;
        let notes = serde_json::json!({ KEY: {
            "now": { "usageCount": 4, "lastUsedAt": 100 * day },
            "week": { "usageCount": "4", "lastUsedAt": 93 * day },
            "ago": { "usageCount": 4, "lastUsedAt": 0 },
            "odd": { "usageCount": [4], "lastUsedAt": 0 },
        } });
        let fs = MemFs::from_files([("/s.json", notes.to_string())]);
        let state = AbsPath::new("/s.json").unwrap();
        for now in [None, Some(UNIX_EPOCH + Duration::from_millis(100 * day))] {
            let usage = Usage::read(&fs, &state, now);
            let weights = ["now", "week", "ago", "odd", "never"];
            let weights = weights.map(|name| format!("{:.2}", usage.of(name)));
            assert_eq!(weights, ["4.00", "2.00", "0.40", "0.00", "0.00"]);
        }
    }
}
