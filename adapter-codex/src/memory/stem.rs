//! Names of rollout summaries.

use memory_core::time::UtcTime;
use uuid::Uuid;

/// Digits of the short hash, lowest first.
const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Digits in the short hash.
const HASH_LEN: usize = 4;
/// Characters of a slug at most.
const SLUG_LEN: usize = 60;

/// A moment as the client writes it into file names: `2026-11-02T09-40-00`.
pub(crate) fn stamp(unix: i64) -> String {
    let moment = UtcTime::from_unix(unix);
    format!("{}T{}", moment.date(), moment.clock().replace(':', "-"))
}

/// A moment as the client writes it into files: `2026-11-02T09:40:00+00:00`.
pub(crate) fn rfc3339(unix: i64) -> String {
    let moment = UtcTime::from_unix(unix);
    format!("{}T{}+00:00", moment.date(), moment.clock())
}

/// The first 19 bytes of a name when they are a stamp: `2026-11-02T09-40-00`.
///
/// Only the shape counts, as for the client: a month 13 is accepted.
pub(crate) fn leading_stamp(name: &str) -> Option<&str> {
    let pattern = "0000-00-00T00-00-00";
    let stamp = name.get(..pattern.len())?;
    let fits = |(byte, wanted): (u8, u8)| match wanted {
        b'0' => byte.is_ascii_digit(),
        _ => byte == wanted,
    };
    stamp.bytes().zip(pattern.bytes()).all(fits).then_some(stamp)
}

/// The four characters by which a thread's summary is told from others of the
/// same second.
pub(crate) fn short_hash(thread_id: &str) -> String {
    let seed = match Uuid::try_parse(thread_id) {
        Ok(uuid) => lowest_bits(uuid),
        Err(_) => thread_id
            .bytes()
            .fold(0_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(byte))),
    };
    let mut rest = seed as usize % DIGITS.len().pow(4);
    let mut hash = [b'0'; HASH_LEN];
    for digit in hash.iter_mut().rev() {
        *digit = DIGITS.get(rest % DIGITS.len()).copied().unwrap_or(b'0');
        rest /= DIGITS.len();
    }
    hash.map(char::from).iter().collect()
}

#[expect(clippy::cast_possible_truncation, reason = "the upper bits are cut off on purpose")]
fn lowest_bits(uuid: Uuid) -> u32 {
    uuid.as_u128() as u32
}

/// The time inside, in seconds since 1970; `None` when the version has none.
fn seconds(uuid: Uuid) -> Option<i64> {
    i64::try_from(uuid.get_timestamp()?.to_unix().0).ok()
}

fn clean_slug(slug: &str) -> String {
    let cleaned = slug
        .chars()
        .take(SLUG_LEN)
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    let cleaned: String = cleaned.collect();
    cleaned.trim_end_matches('_').to_owned()
}

/// The parts of a rollout summary's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutStem {
    /// When the thread began, as in the name.
    pub stamp: String,
    /// The short hash of the thread's id.
    pub hash: String,
    /// The slug; `None` when there is none.
    pub slug: Option<String>,
}

impl RolloutStem {
    /// The name that the client gives to a thread's rollout summary, without `.md`.
    ///
    /// Made of the time inside the thread's id (`updated_at`, in seconds since
    /// 1970, for an id without one), a hash of the id, and the slug as far as it
    /// is ASCII: a slug of Japanese alone leaves no trace.
    ///
    /// ```
    /// let id = "01a1c066-e438-7abc-a222-333344445555";
    /// let stem = adapter_codex::RolloutStem::file_stem(id, 0, Some("CSV 取り込み"));
    /// assert_eq!(stem, "2026-11-09T13-02-11-vGo5-csv");
    /// ```
    pub fn file_stem(thread_id: &str, updated_at: i64, slug: Option<&str>) -> String {
        let time = Uuid::try_parse(thread_id).ok().and_then(seconds).unwrap_or(updated_at);
        let stamp = stamp(time);
        let hash = short_hash(thread_id);
        match slug.map(clean_slug).filter(|slug| !slug.is_empty()) {
            Some(slug) => format!("{stamp}-{hash}-{slug}"),
            None => format!("{stamp}-{hash}"),
        }
    }

    /// Reads a file name without `.md`; `None` when the client would not give it.
    pub fn parse(stem: &str) -> Option<Self> {
        let stamp = leading_stamp(stem)?;
        let rest = stem.get(stamp.len()..)?.strip_prefix('-')?;
        let (hash, slug) = match rest.split_once('-') {
            Some((hash, slug)) => (hash, Some(slug.to_owned())),
            None => (rest, None),
        };
        let is_hash =
            hash.len() == HASH_LEN && hash.bytes().all(|byte| byte.is_ascii_alphanumeric());
        is_hash.then(|| Self { stamp: stamp.to_owned(), hash: hash.to_owned(), slug })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_cleaned_character_by_character() {
        let a59 = "a".repeat(59);
        for (slug, want) in [
            ("日本語だけ", ""),
            ("___lead/and..trail___", "___lead_and__trail"),
            (&format!("{a59}-tail"), a59.as_str()),
            (
                "Fix CSV: 文字コード/Encoding & a very long slug that goes past sixty characters",
                "fix_csv________encoding___a_very_long_slug_that_goes_past_si",
            ),
        ] {
            assert_eq!(clean_slug(slug), want);
        }
    }

    #[test]
    fn moments_are_written_as_the_client_does() {
        assert_eq!(stamp(1_795_905_240), "2026-11-28T22-34-00");
        assert_eq!(rfc3339(1_795_905_240), "2026-11-28T22:34:00+00:00");
        assert_eq!(rfc3339(253_402_300_800), "+10000-01-01T00:00:00+00:00");
    }

    #[test]
    fn a_stamp_is_a_shape() {
        assert_eq!(leading_stamp("2026-13-02T09-40-00-x.md"), Some("2026-13-02T09-40-00"));
        assert_eq!(leading_stamp("20261001T1153Z-x.md"), None);
        assert_eq!(leading_stamp("日本語の名前.md"), None);
    }

    #[test]
    fn an_id_that_is_no_uuid_has_a_stem_too() {
        assert_eq!(RolloutStem::file_stem("ab", 0, None), "1970-01-01T00-00-00-00O5");
    }

    #[test]
    fn a_stem_has_parts() {
        let stem = RolloutStem::parse("2026-11-09T13-02-11-vGo5-csv_import").unwrap();
        assert_eq!((stem.hash.as_str(), stem.slug.as_deref()), ("vGo5", Some("csv_import")));
        assert_eq!(RolloutStem::parse("00042_database_migration"), None);
        assert_eq!(RolloutStem::parse("2026-11-09T13-02-11-vGo5").unwrap().slug, None);
    }
}
