//! Dates of the proleptic Gregorian calendar in UTC, without a clock.

const DAY: i64 = 86_400;

/// A moment in UTC, to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Civil {
    year: i64,
    month: i64,
    day: i64,
    second_of_day: i64,
}

impl Civil {
    /// The moment this many seconds after the start of 1970.
    pub(crate) fn from_unix(seconds: i64) -> Self {
        // Howard Hinnant's `civil_from_days`: years begin in March, so that the
        // leap day is the last of its year.
        let days = seconds.div_euclid(DAY) + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * of_year + 2) / 153;
        let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
        Self {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month,
            day: of_year - (153 * march_month + 2) / 5 + 1,
            second_of_day: seconds.rem_euclid(DAY),
        }
    }

    /// As the client writes it into files: `2026-11-02T09:40:00+00:00`.
    pub(crate) fn rfc3339(self) -> String {
        let (date, [hour, minute, second]) = (self.date(), self.clock());
        format!("{date}T{hour:02}:{minute:02}:{second:02}+00:00")
    }

    /// As the client writes it into file names: `2026-11-02T09-40-00`.
    pub(crate) fn stamp(self) -> String {
        let (date, [hour, minute, second]) = (self.date(), self.clock());
        format!("{date}T{hour:02}-{minute:02}-{second:02}")
    }

    fn date(self) -> String {
        let sign = if self.year > 9_999 { "+" } else { "" };
        format!("{sign}{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    fn clock(self) -> [i64; 3] {
        let seconds = self.second_of_day;
        [seconds / 3_600, seconds / 60 % 60, seconds % 60]
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, want) in [
            (0, "1970-01-01T00:00:00+00:00"),
            (951_782_399, "2000-02-28T23:59:59+00:00"),
            (951_782_400, "2000-02-29T00:00:00+00:00"),
            (1_795_905_240, "2026-11-28T22:34:00+00:00"),
            (-1, "1969-12-31T23:59:59+00:00"),
            (253_402_300_800, "+10000-01-01T00:00:00+00:00"),
        ] {
            assert_eq!(Civil::from_unix(seconds).rfc3339(), want);
        }
    }

    #[test]
    fn a_stamp_is_a_shape() {
        assert_eq!(leading_stamp("2026-13-02T09-40-00-x.md"), Some("2026-13-02T09-40-00"));
        assert_eq!(leading_stamp("20261001T1153Z-x.md"), None);
        assert_eq!(leading_stamp("日本語の名前.md"), None);
    }
}
