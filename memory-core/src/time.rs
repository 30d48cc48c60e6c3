//! Moments in UTC on the calendar, without a clock.

use std::time::{SystemTime, UNIX_EPOCH};

const DAY: i64 = 86_400;

/// A moment in UTC on the proleptic Gregorian calendar, to the millisecond.
///
/// How a client writes it is that client's business; its parts are here.
///
/// ```
/// use memory_core::time::UtcTime;
///
/// let moment = UtcTime::from_unix(1_796_006_098);
/// assert_eq!((moment.date(), moment.clock()), ("2026-11-30".into(), "02:34:58".into()));
/// assert_eq!(moment.rfc3339(), "2026-11-30T02:34:58Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UtcTime {
    /// Seconds since the start of 1970; before it, negative.
    unix: i64,
    /// 0 to 999.
    millisecond: u16,
}

impl UtcTime {
    /// The moment this many seconds after the start of 1970.
    pub fn from_unix(seconds: i64) -> Self {
        Self { unix: seconds, millisecond: 0 }
    }

    /// The moment of a date and a time of day: hour, minute, second. `None` when
    /// a number lies outside its range; a 31st of February is the 2nd or 3rd of March.
    pub fn from_parts(
        [year, month, day]: [i64; 3],
        [hour, minute, second]: [i64; 3],
    ) -> Option<Self> {
        let is_moment = (-9_999..=9_999).contains(&year)
            && (1..=12).contains(&month)
            && (1..=31).contains(&day)
            && (0..24).contains(&hour)
            && (0..60).contains(&minute)
            && (0..60).contains(&second);
        if !is_moment {
            return None;
        }
        // `days_from_civil`, the other way round.
        let shifted = if month <= 2 { year - 1 } else { year };
        let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
        Some(Self::from_unix(days * DAY + hour * 3_600 + minute * 60 + second))
    }

    /// Seconds since the start of 1970; before it, negative.
    pub fn unix(self) -> i64 {
        self.unix
    }

    /// The date, `2026-11-30`; a year of more than four digits has its sign before it.
    pub fn date(self) -> String {
        // Howard Hinnant's `civil_from_days`: years begin in March, so that the
        // leap day is the last of its year.
        let days = self.unix.div_euclid(DAY) + 719_468;
        let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        let day = of_year - (153 * march_month + 2) / 5 + 1;
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        let sign = if year > 9_999 { "+" } else { "" };
        format!("{sign}{year:04}-{month:02}-{day:02}")
    }

    /// The time of day, `02:34:58`.
    pub fn clock(self) -> String {
        let of_day = self.unix.rem_euclid(DAY);
        format!("{:02}:{:02}:{:02}", of_day / 3_600, of_day / 60 % 60, of_day % 60)
    }

    /// Milliseconds of the second, 0 to 999.
    pub fn millisecond(self) -> u16 {
        self.millisecond
    }

    /// Date and time of day to the second, `2026-11-30T02:34:58Z`.
    pub fn rfc3339(self) -> String {
        format!("{}T{}Z", self.date(), self.clock())
    }
}

impl From<SystemTime> for UtcTime {
    fn from(time: SystemTime) -> Self {
        let (seconds, nanos) = match time.duration_since(UNIX_EPOCH) {
            Ok(after) => (signed(after.as_secs()), after.subsec_nanos()),
            Err(before) => match (before.duration().as_secs(), before.duration().subsec_nanos()) {
                (seconds, 0) => (-signed(seconds), 0),
                (seconds, nanos) => (-signed(seconds) - 1, 1_000_000_000 - nanos),
            },
        };
        let millisecond = u16::try_from(nanos / 1_000_000).unwrap_or_default();
        Self { unix: seconds, millisecond }
    }
}

fn signed(seconds: u64) -> i64 {
    i64::try_from(seconds).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, want) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_827_696, "2000-02-29T12:34:56Z"),
            (1_767_225_599, "2025-12-31T23:59:59Z"),
            (1_795_905_240, "2026-11-28T22:34:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (253_402_300_800, "+10000-01-01T00:00:00Z"),
        ] {
            assert_eq!(UtcTime::from_unix(seconds).rfc3339(), want);
        }
    }

    #[test]
    fn a_moment_is_made_of_its_parts() {
        for unix in [0, 951_782_399, 951_782_400, -1, 1_795_905_240, -62_135_596_800] {
            let moment = UtcTime::from_unix(unix);
            let numbers = |text: String, sign: char| -> [i64; 3] {
                let parts: Vec<i64> = text.split(sign).map(|part| part.parse().unwrap()).collect();
                parts.try_into().unwrap()
            };
            let parts = (numbers(moment.date(), '-'), numbers(moment.clock(), ':'));
            assert_eq!(UtcTime::from_parts(parts.0, parts.1), Some(moment));
        }
        assert_eq!(UtcTime::from_parts([2026, 13, 1], [0, 0, 0]), None);
        assert_eq!(UtcTime::from_parts([2026, 1, 1], [24, 0, 0]), None);
    }

    #[test]
    fn a_part_of_a_second_before_1970_belongs_to_the_second_before() {
        let before = UtcTime::from(UNIX_EPOCH - Duration::from_millis(300));
        assert_eq!(
            (before.rfc3339().as_str(), before.millisecond()),
            ("1969-12-31T23:59:59Z", 700)
        );
        let after = UtcTime::from(UNIX_EPOCH + Duration::from_millis(1_300));
        assert_eq!((after.unix(), after.millisecond()), (1, 300));
    }
}
