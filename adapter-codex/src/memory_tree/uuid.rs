//! Ids of threads: UUIDs, and the time inside some of them.

/// Ticks of 100 ns between the start of the Gregorian calendar and 1970.
const GREGORIAN_TO_UNIX: u64 = 0x01B2_1DD2_1381_4000;

/// A UUID as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Uuid(u128);

impl Uuid {
    /// Reads one with or without hyphens, in braces, or as a URN.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let braced = text.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
        let text = braced.or_else(|| text.strip_prefix("urn:uuid:")).unwrap_or(text);
        let hyphens = [8, 13, 18, 23];
        let well_placed = match text.len() {
            32 => true,
            36 => hyphens.iter().all(|at| text.as_bytes().get(*at) == Some(&b'-')),
            _ => false,
        };
        let digits: String = if text.len() == 36 { text.replace('-', "") } else { text.to_owned() };
        let hexadecimal = digits.len() == 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = u128::from_str_radix(&digits, 16).ok();
        number.filter(|_| well_placed && hexadecimal).map(Self)
    }

    /// The lowest 32 bits.
    #[expect(clippy::cast_possible_truncation, reason = "the upper bits are cut off on purpose")]
    pub(super) fn low(self) -> u32 {
        self.0 as u32
    }

    /// The time inside, in seconds since 1970; `None` when the version has none.
    pub(super) fn seconds(self) -> Option<i64> {
        let bits = |from: u32, count: u32| {
            u64::try_from((self.0 >> (128 - from - count)) & ((1 << count) - 1)).unwrap_or_default()
        };
        let gregorian = |ticks: u64| ticks.wrapping_sub(GREGORIAN_TO_UNIX) / 10_000_000;
        let seconds = match bits(48, 4) {
            1 => gregorian((bits(52, 12) << 48) | (bits(32, 16) << 32) | bits(0, 32)),
            6 => gregorian((bits(0, 48) << 12) | bits(52, 12)),
            7 => bits(0, 48) / 1_000,
            _ => return None,
        };
        i64::try_from(seconds).ok()
    }

    /// The usual way to write it.
    pub(super) fn hyphenated(self) -> String {
        let digits = format!("{:032x}", self.0);
        let parts = [(0, 8), (8, 12), (12, 16), (16, 20), (20, 32)];
        parts.map(|(from, to)| digits.get(from..to).unwrap_or_default()).join("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_it_is_read() {
        let want = Uuid::parse("019a0000-0000-7000-8000-000000000001");
        for text in [
            "019A0000-0000-7000-8000-000000000001",
            "019a0000000070008000000000000001",
            "{019a0000-0000-7000-8000-000000000001}",
            "urn:uuid:019a0000-0000-7000-8000-000000000001",
        ] {
            assert_eq!(Uuid::parse(text), want, "{text}");
        }
        assert_eq!(want.unwrap().hyphenated(), "019a0000-0000-7000-8000-000000000001");
        for text in [
            "",
            "not-a-uuid",
            "019a00000000-7000-8000-0000-00000001",
            "+19a0000000070008000000000000001",
        ] {
            assert_eq!(Uuid::parse(text), None, "{text}");
        }
    }

    #[test]
    fn three_versions_hold_a_time() {
        let seconds = |text| Uuid::parse(text).unwrap().seconds();
        assert_eq!(seconds("01a19b53-e8d0-7abc-8000-1a2b3c4d5e6f"), Some(1_793_607_330));
        assert_eq!(seconds("c232ab00-9414-11ec-b3c8-9f6bdeced846"), Some(1_645_557_742));
        assert_eq!(seconds("1ec9414c-232a-6b00-b3c8-9f6bdeced846"), Some(1_645_557_742));
        assert_eq!(seconds("f47ac10b-58cc-4372-a567-0e02b2c3d479"), None);
    }
}
