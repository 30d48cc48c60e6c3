//! Numbers with their units, days of the week, times of day.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

/// What a number measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Measure {
    /// In milliseconds.
    Duration,
    /// In bytes.
    Size,
    Money,
    Percent,
    Characters,
    Times,
    People,
    Pieces,
    Pixels,
    /// Minutes since midnight.
    Clock,
    /// Days of the week, Monday 0.
    Weekday,
    Version,
    /// A number without a unit.
    Plain,
}

impl Measure {
    /// Whether numbers of two measures can be compared: one without a unit can
    /// stand for a count.
    pub(super) fn meets(self, other: Self) -> bool {
        let is_count =
            |one| matches!(one, Self::Times | Self::Pieces | Self::People | Self::Characters);
        self == other
            || self == Self::Plain && is_count(other)
            || other == Self::Plain && is_count(self)
    }
}

/// The values of a statement, each measure's set in thousandths.
pub(super) type Values = BTreeMap<Measure, BTreeSet<i64>>;

static NUMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?P<clock>\b[0-2]?[0-9]:[0-5][0-9]\b)",
        r"|(?P<hour>[0-9]{1,2})時(?P<half>半)?(?:(?P<minute>[0-9]{1,2})分)?(?P<span>間)?",
        r"|(?:(?P<cur>[¥$€])\s?)?(?P<n>[0-9][0-9,]*(?:\.[0-9]+)*)(?:[\s-]?(?P<u>ミリ秒|秒|分間?|時間|日間?|営業日|週間?|か月|ヶ月|カ月|ヵ月|箇月|年間?|円|万円|ドル|%|パーセント|割|文字|回|度|人|名|件|個|本|台|枚|つ|種類|種|桁|行|次元|段階|世代|点|kバイト|バイト|(?:milliseconds?|msec|ms|seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h|days?|d|weeks?|months?|years?|kib|kb|mib|mb|gib|gb|tib|tb|bytes?|pixels?|px|pt|yen|jpy|usd|dollars?|eur|euros?|percent|characters?|chars?|letters?|times|retries|attempts|people|persons?|reviewers?|approvers?|approvals?|items?|entries|digits?|lines?|dimensions?|replicas?|nodes?|workers?|threads?|copies|generations?|ports?)(?-u:\b)))?",
    ))
    .ok()
});
static KANJI: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new("[一二三四五六七八九十百千]+(?:ミリ秒|秒|分|時間?|日|週|か月|ヶ月|カ月|年|回|度|人|名|件|個|本|台|枚|つ|種類|種|桁|行|割|文字|世代|段階|点|万円|千円|円|倍)").ok()
});
static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|ninety)\b").ok()
});
static ONE_UNIT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\b(?:a|an|per) (second|minute|hour|day|week|month|year)\b").ok());
static LIST_OF_DAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new("[月火水木金土日]曜日?|[月火水木金土日](?:[・、,/と&][月火水木金土日])+(?:曜)?|平日|週末|土日").ok()
});
static ENGLISH_DAYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"\b(?:(mon)|(tues?)|(wed(?:nes)?)|(thurs?)|(fri)|(satur|sat)|(sun))(?:days?)?\b|\b(weekdays?|working days?)\b|\b(weekends?)\b").ok()
});

/// Takes the values out of a folded text and gives back what is left of it.
pub(super) fn take(text: &str, values: &mut Values) -> String {
    let text = weekdays(text, values);
    let text = spelled(&text);
    let Some(pattern) = NUMBER.as_ref() else { return text };
    let mut rest = String::with_capacity(text.len());
    let mut from = 0;
    for found in pattern.captures_iter(&text) {
        let Some(whole) = found.get(0) else { continue };
        // What is glued to letters is a name: `m4`, `sha256`.
        let before = text.get(..whole.start()).and_then(|before| before.chars().next_back());
        let after = text.get(whole.end()..).and_then(|after| after.chars().next());
        let is_glued = before.is_some_and(|c| c.is_ascii_alphabetic() || c == '.')
            || after.is_some_and(|c| c.is_ascii_alphabetic());
        if is_glued {
            continue;
        }
        rest += text.get(from..whole.start()).unwrap_or_default();
        rest.push(' ');
        from = whole.end();
        if let Some((measure, value)) = read(&found) {
            values.entry(measure).or_default().insert(value);
        }
    }
    rest + text.get(from..).unwrap_or_default()
}

fn read(found: &regex::Captures<'_>) -> Option<(Measure, i64)> {
    let part = |name| found.name(name).map(|part| part.as_str());
    if let Some(clock) = part("clock") {
        let (hour, minute) = clock.split_once(':')?;
        return Some((
            Measure::Clock,
            hour.parse::<i64>().ok()? * 60 + minute.parse::<i64>().ok()?,
        ));
    }
    if let Some(hour) = part("hour") {
        let hour: i64 = hour.parse().ok()?;
        if part("span").is_some() {
            return Some((Measure::Duration, hour * 3_600_000));
        }
        let half = if part("half").is_some() { 30 } else { 0 };
        let minute: i64 = part("minute").and_then(|minute| minute.parse().ok()).unwrap_or(half);
        return Some((Measure::Clock, hour * 60 + minute));
    }
    let digits = part("n")?.replace(',', "");
    let unit = part("u").unwrap_or_default();
    if digits.matches('.').count() > 1 {
        let parts = digits.split('.').filter_map(|part| part.parse::<i64>().ok());
        return Some((
            Measure::Version,
            parts.fold(0, |all, part| all.saturating_mul(1000).saturating_add(part)),
        ));
    }
    let (whole, part_of_it) = digits.split_once('.').unwrap_or((&digits, ""));
    let thousandths: String = part_of_it.chars().chain("000".chars()).take(3).collect();
    let number =
        whole.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(thousandths.parse().ok()?)?;
    let (measure, factor) = unit_of(unit);
    let measure = if part("cur").is_some() { Measure::Money } else { measure };
    Some((measure, number.saturating_mul(factor)))
}

/// What a unit measures, and how many of the smallest it is.
fn unit_of(unit: &str) -> (Measure, i64) {
    const DAY: i64 = 86_400_000;
    let is = |starts: &[&str]| starts.iter().any(|start| unit.starts_with(start));
    match unit {
        "" => (Measure::Plain, 1),
        "ミリ秒" | "ms" | "msec" | "millisecond" | "milliseconds" => (Measure::Duration, 1),
        "s" | "秒" => (Measure::Duration, 1_000),
        "h" => (Measure::Duration, 3_600_000),
        "d" | "営業日" => (Measure::Duration, DAY),
        "人" | "名" => (Measure::People, 1),
        "回" | "度" | "times" => (Measure::Times, 1),
        "円" => (Measure::Money, 1),
        "万円" => (Measure::Money, 10_000),
        "割" => (Measure::Percent, 10),
        "%" => (Measure::Percent, 1),
        _ if is(&["sec"]) => (Measure::Duration, 1_000),
        _ if is(&["min", "分"]) => (Measure::Duration, 60_000),
        _ if is(&["hr", "hour", "時間"]) => (Measure::Duration, 3_600_000),
        _ if is(&["day", "日"]) => (Measure::Duration, DAY),
        _ if is(&["week", "週"]) => (Measure::Duration, 7 * DAY),
        _ if is(&["month", "か月", "ヶ月", "カ月", "ヵ月", "箇月"]) => {
            (Measure::Duration, 30 * DAY)
        }
        _ if is(&["year", "年"]) => (Measure::Duration, 365 * DAY),
        _ if is(&["yen", "jpy", "ドル", "usd", "dollar", "eur"]) => (Measure::Money, 1),
        _ if is(&["percent", "パーセント"]) => (Measure::Percent, 1),
        _ if is(&["char", "letter", "文字"]) => (Measure::Characters, 1),
        _ if is(&["retr", "attempt"]) => (Measure::Times, 1),
        _ if is(&["people", "person", "reviewer", "approv"]) => (Measure::People, 1),
        _ if is(&["px", "pixel", "pt"]) => (Measure::Pixels, 1),
        _ if is(&["kb", "kib", "kバイト"]) => (Measure::Size, 1 << 10),
        _ if is(&["mb", "mib"]) => (Measure::Size, 1 << 20),
        _ if is(&["gb", "gib"]) => (Measure::Size, 1 << 30),
        _ if is(&["tb", "tib"]) => (Measure::Size, 1 << 40),
        _ if is(&["byte", "バイト"]) => (Measure::Size, 1),
        _ => (Measure::Pieces, 1),
    }
}

/// Days of the week, as numbers; the text without them.
fn weekdays(text: &str, values: &mut Values) -> String {
    let mut days = BTreeSet::new();
    let mut rest = text.to_owned();
    if let Some(pattern) = LIST_OF_DAYS.as_ref() {
        let taken = pattern.replace_all(&rest, |found: &regex::Captures<'_>| {
            let said = found.get(0).map_or("", |all| all.as_str());
            match said {
                "平日" => days.extend(0..5),
                "週末" | "土日" => days.extend(5..7),
                // The first sign of `日曜日` is a day, the last is not.
                _ => days.extend(
                    said.trim_end_matches("曜日").trim_end_matches('曜').chars().filter_map(|c| {
                        let at = "月火水木金土日".chars().position(|day| day == c)?;
                        i64::try_from(at).ok()
                    }),
                ),
            }
            " "
        });
        rest = taken.into_owned();
    }
    if let Some(pattern) = ENGLISH_DAYS.as_ref() {
        let taken = pattern.replace_all(&rest, |found: &regex::Captures<'_>| {
            for day in 1..=7_usize {
                if found.get(day).is_some() {
                    days.extend(i64::try_from(day - 1));
                }
            }
            if found.get(8).is_some() {
                days.extend(0..5);
            }
            if found.get(9).is_some() {
                days.extend(5..7);
            }
            " "
        });
        rest = taken.into_owned();
    }
    if !days.is_empty() {
        values.entry(Measure::Weekday).or_default().extend(days);
    }
    rest
}

/// How often, in one word: `月に一度` is `毎月`, `once a week` is `weekly`.
fn frequencies(text: &str) -> String {
    static JAPANESE: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            "([日週月年])(?:に)?[一1](?:度|回)?(?:だけ|ずつ)?|([日週月年])に(?:一|1)(?:度|回)",
        )
        .ok()
    });
    static ENGLISH: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"\b(?:once|one time|1 time) (?:a|an|per|every) (day|week|month|year|quarter)\b")
            .ok()
    });
    let mut text = text.to_owned();
    if let Some(pattern) = JAPANESE.as_ref() {
        text = pattern
            .replace_all(&text, |found: &regex::Captures<'_>| {
                let said = found.get(0).map_or("", |all| all.as_str());
                // `週一` is how often, `一日` and `月11日` are days.
                let unit = found.get(1).or_else(|| found.get(2)).map_or("", |unit| unit.as_str());
                if said.chars().count() == 2 && unit == "日" {
                    said.to_owned()
                } else {
                    format!("毎{unit}")
                }
            })
            .into_owned();
    }
    if let Some(pattern) = ENGLISH.as_ref() {
        text = pattern.replace_all(&text, "every $1").into_owned();
    }
    text
}

/// The text with its numbers in digits: `三回`, `two weeks`, `a week`, `twice`, `半年`.
fn spelled(text: &str) -> String {
    let mut text = frequencies(text)
        .replace("半年", "6か月")
        .replace("半日", "12時間")
        .replace("正午", "12:00")
        .replace("twice", "2 times")
        .replace("once", "1 times");
    for (word, clock) in [("at noon", "at 12:00"), ("at midnight", "at 0:00")] {
        text = text.replace(word, clock);
    }
    if let Some(pattern) = KANJI.as_ref() {
        text = pattern
            .replace_all(&text, |found: &regex::Captures<'_>| {
                let said = found.get(0).map_or("", |all| all.as_str());
                let end =
                    said.find(|c| !"一二三四五六七八九十百千".contains(c)).unwrap_or(said.len());
                let (number, unit) = said.split_at(end);
                format!("{}{unit}", kanji_number(number))
            })
            .into_owned();
    }
    if let Some(pattern) = WORDS.as_ref() {
        text = pattern
            .replace_all(&text, |found: &regex::Captures<'_>| {
                match found.get(0).map_or("", |all| all.as_str()) {
                    "one" => "1",
                    "two" => "2",
                    "three" => "3",
                    "four" => "4",
                    "five" => "5",
                    "six" => "6",
                    "seven" => "7",
                    "eight" => "8",
                    "nine" => "9",
                    "ten" => "10",
                    "twelve" => "12",
                    "fifteen" => "15",
                    "twenty" => "20",
                    "thirty" => "30",
                    "sixty" => "60",
                    _ => "90",
                }
            })
            .into_owned();
    }
    if let Some(pattern) = ONE_UNIT.as_ref() {
        text = pattern.replace_all(&text, "1 $1").into_owned();
    }
    text
}

fn kanji_number(text: &str) -> i64 {
    let (mut all, mut digit) = (0, 0);
    for c in text.chars() {
        let place = match c {
            '十' => 10,
            '百' => 100,
            '千' => 1000,
            _ => {
                digit = "一二三四五六七八九"
                    .chars()
                    .position(|one| one == c)
                    .map_or(0, |at| i64::try_from(at).unwrap_or(0) + 1);
                continue;
            }
        };
        all += if digit == 0 { place } else { digit * place };
        digit = 0;
    }
    all + digit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Values {
        let mut values = Values::new();
        take(&super::super::meaning::folded(text), &mut values);
        values
    }

    #[test]
    fn units_are_one_measure() {
        for (a, b) in [
            ("8 s", "8000 ms"),
            ("１２か月は", "360日"),
            ("三回", "3 times"),
            ("火曜と木曜だけ", "火・木に限る"),
            ("Tuesdays and Thursdays", "火曜日と木曜日"),
            ("9時半", "09:30"),
            ("一週間", "7 days"),
            ("a week", "7日間"),
            ("only 13-digit codes", "13桁だけ"),
            ("3000ms以内", "3秒以内"),
            ("1 MiB", "1024 KiB"),
        ] {
            assert_eq!(values(a), values(b), "{a} / {b}");
        }
        assert_ne!(values("30日"), values("1年"));
    }
}
