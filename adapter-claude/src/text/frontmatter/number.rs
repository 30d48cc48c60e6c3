/// A number as the client prints it, or `None` when the plain scalar is no number.
pub(super) fn number(plain: &str) -> Option<String> {
    let radix = |digits: &str, radix| {
        let valid = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        valid.then(|| {
            digits.chars().fold(0.0, |sum, c| {
                sum * f64::from(radix) + f64::from(c.to_digit(radix).unwrap_or(0))
            })
        })
    };
    if let Some(value) = plain.strip_prefix("0x").and_then(|digits| radix(digits, 16)) {
        return Some(print(value));
    }
    if let Some(value) = plain.strip_prefix("0o").and_then(|digits| radix(digits, 8)) {
        return Some(print(value));
    }
    let unsigned = plain.strip_prefix(['+', '-']).unwrap_or(plain);
    match unsigned {
        ".inf" | ".Inf" | ".INF" => {
            return Some(if plain.starts_with('-') { "-Infinity" } else { "Infinity" }.to_owned());
        }
        ".nan" | ".NaN" | ".NAN" => return Some("NaN".to_owned()),
        _ => {}
    }
    is_decimal(unsigned).then(|| plain.parse().ok().map(print)).flatten()
}

/// `[0-9]+(\.[0-9]*)?` or `\.[0-9]+`, with an exponent or without.
fn is_decimal(text: &str) -> bool {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (text, None),
    };
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_ok = exponent.is_none_or(|exponent| {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        !exponent.is_empty() && digits(exponent)
    });
    digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty()) && exponent_ok
}

/// Prints a number as the client's language does.
fn print(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let size = value.abs();
    if size == 0.0 {
        return "0".to_owned();
    }
    if (1e-6..1e21).contains(&size) {
        return value.to_string();
    }
    let scientific = format!("{value:e}");
    match scientific.split_once('e') {
        Some((digits, exponent)) if !exponent.starts_with('-') => format!("{digits}e+{exponent}"),
        _ => scientific,
    }
}
