//! The contents that fixtures describe.

use memory_core::AbsPath;
use serde_json::Value;

use crate::{Problem, Result};

/// The bytes that a fixture describes: plain text, `text`, `b64`, `base64`,
/// `hex`, `repeat` (with `head` and `tail`) or `concat`.
pub(crate) fn bytes_of(spec: &Value) -> Result<Vec<u8>> {
    if let Some(text) = spec.as_str() {
        return Ok(text.as_bytes().to_vec());
    }
    let text = |key: &str| spec.get(key).and_then(Value::as_str);
    if let Some(text) = text("text") {
        return Ok(text.as_bytes().to_vec());
    }
    if let Some(text) = text("b64").or_else(|| text("base64")) {
        return base64(text);
    }
    if let Some(text) = text("hex") {
        return hex(text);
    }
    if let Some([what, times]) = spec.get("repeat").and_then(Value::as_array).map(Vec::as_slice) {
        let times = usize::try_from(times.as_u64().ok_or("`repeat` needs a count")?)?;
        let mut bytes = text("head").unwrap_or_default().as_bytes().to_vec();
        bytes.extend(bytes_of(what)?.repeat(times));
        bytes.extend(text("tail").unwrap_or_default().as_bytes());
        return Ok(bytes);
    }
    if let Some(pieces) = spec.get("concat").and_then(Value::as_array) {
        let pieces: Result<Vec<_>> = pieces.iter().map(bytes_of).collect();
        return Ok(pieces?.concat());
    }
    Err(unknown(spec))
}

/// An error that shows the part of the fixture that is not understood.
pub(crate) fn unknown(spec: &Value) -> Problem {
    let shown: String = spec.to_string().chars().take(200).collect();
    format!("this part of a fixture is not understood: {shown}").into()
}

/// A path that a fixture gives as text.
pub(crate) fn path(text: &str) -> Result<AbsPath> {
    Ok(AbsPath::from_bytes(text.as_bytes())?)
}

fn hex(text: &str) -> Result<Vec<u8>> {
    let digits: Option<Vec<u32>> = text.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.ok_or("`hex` holds a character that is no digit")?;
    let bytes = digits.chunks(2).map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit));
    Ok(bytes.map(u8::try_from).collect::<std::result::Result<_, _>>()?)
}

fn base64(text: &str) -> Result<Vec<u8>> {
    const DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0_u32, 0);
    for c in text.chars().filter(|c| *c != '=' && !c.is_whitespace()) {
        let digit = DIGITS.find(c).ok_or("`b64` holds a character that is no digit")?;
        held = (held << 6 | u32::try_from(digit)?) & 0xffff;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits & 0xff)?);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_way_to_write_bytes_is_read() {
        for (spec, want) in [
            (json!("a"), &b"a"[..]),
            (json!({"text": "b"}), b"b"),
            (json!({"b64": "/wD/"}), b"\xff\x00\xff"),
            (json!({"b64": "YQ=="}), b"a"),
            (json!({"hex": "ff0a"}), b"\xff\n"),
            (json!({"repeat": ["ab", 2]}), b"abab"),
            (json!({"repeat": ["x", 2], "head": "<", "tail": ">"}), b"<xx>"),
            (json!({"concat": ["a", {"repeat": [{"hex": "00"}, 2]}]}), b"a\0\0"),
        ] {
            assert_eq!(bytes_of(&spec).unwrap(), want, "{spec}");
        }
        assert!(bytes_of(&json!({"what": 1})).is_err());
    }
}
