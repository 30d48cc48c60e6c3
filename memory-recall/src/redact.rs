//! Secrets are taken out before anything is stored.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// What stands in place of a secret.
pub const REDACTED: &str = "[redacted]";

/// Forms of secrets that are known by their shape. A group named `keep` stays.
const SHAPES: &str = concat!(
    // Blocks of keys.
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z)",
    // Keys of services, by what they begin with.
    r"|(?-u:\b)(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?-u:\b)",
    r"|(?-u:\b)gh[pousr]_[A-Za-z0-9]{20,}",
    r"|(?-u:\b)github_pat_[A-Za-z0-9_]{20,}",
    r"|(?-u:\b)glpat-[A-Za-z0-9_-]{16,}",
    r"|(?-u:\b)sk-[A-Za-z0-9_-]{16,}",
    r"|(?-u:\b)(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}",
    r"|(?-u:\b)whsec_[A-Za-z0-9+/=]{16,}",
    r"|(?-u:\b)xox[abeoprs]-[A-Za-z0-9-]{10,}",
    r"|(?-u:\b)xapp-[A-Za-z0-9-]{10,}",
    r"|(?-u:\b)AIza[A-Za-z0-9_-]{30,}",
    r"|(?-u:\b)ya29\.[A-Za-z0-9_-]{20,}",
    r"|(?-u:\b)npm_[A-Za-z0-9]{30,}",
    r"|(?-u:\b)pypi-[A-Za-z0-9_-]{30,}",
    r"|(?-u:\b)hf_[A-Za-z0-9]{30,}",
    r"|(?-u:\b)SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}",
    r"|(?-u:\b)dop_v1_[a-f0-9]{40,}",
    r"|(?-u:\b)AGE-SECRET-KEY-1[A-Z0-9]{20,}",
    r"|(?-u:\b)tskey-[A-Za-z0-9-]{16,}",
    // Tokens of three parts.
    r"|(?-u:\b)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    // The password of an address.
    r"|(?P<address>(?-u:\b)[a-zA-Z][a-zA-Z0-9+.-]*://[^\s:/@]{0,64}:)[^\s/@]{1,256}(?P<at>@)",
    // What is said to be one.
    r"|(?P<scheme>(?i:(?-u:\b)authorization:?[ \t]*(?:bearer|basic|token)[ \t]+|(?-u:\b)bearer[ \t]+))[A-Za-z0-9._~+/=-]{16,}",
    r#"|(?P<name>(?i:(?-u:\b)[a-z0-9_.-]*(?:password|passwd|passphrase|secret|api[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|private[_-]?key|client[_-]?secret))["']?[ \t]*(?:=|:)[ \t]*["']?)(?P<value>[^\s"'`,;]{8,200})"#,
    r"|(?P<japanese>(?:パスワード|暗証番号|秘密鍵|合言葉)[ \t　]*(?:=|:|：|は)[ \t　]*)[!-~]{8,}",
);

static SECRET: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(SHAPES).ok());

/// A text without the secrets that are known by their shape.
pub fn redact(text: &str) -> Cow<'_, str> {
    let Some(secret) = &*SECRET else { return Cow::Borrowed(text) };
    secret.replace_all(text, |found: &Captures<'_>| {
        let whole = found.get(0).map_or("", |whole| whole.as_str());
        if found.name("value").is_some_and(|value| !looks_secret(value.as_str())) {
            return whole.to_owned();
        }
        let part = |name| found.name(name).map_or("", |part| part.as_str());
        let before = ["address", "scheme", "name", "japanese"].map(part).concat();
        format!("{before}{REDACTED}{}", part("at"))
    })
}

/// Whether the value of a setting can be the secret itself, and not a word about it:
/// `password: required`, `api_key = os.environ[…]`, `secret: ${SECRET}`.
fn looks_secret(value: &str) -> bool {
    let is_reference = value.starts_with(['$', '<', '{', '(', '[', '%', '*'])
        || value.contains("://")
        || value.contains('(')
        || value.contains("env")
        || value.ends_with("...")
        || !value.is_ascii();
    let has_digit = value.contains(|char: char| char.is_ascii_digit());
    let has_letter = value.contains(|char: char| char.is_ascii_alphabetic());
    let has_sign = value.contains(|char: char| char.is_ascii_punctuation());
    let is_mixed = value.contains(|char: char| char.is_ascii_uppercase())
        && value.contains(|char: char| char.is_ascii_lowercase());
    !is_reference && has_letter && (has_digit || (has_sign && is_mixed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_are_read() {
        assert!(SECRET.is_some());
    }

    #[test]
    fn secrets_go_and_what_stands_around_them_stays() {
        for (text, rest) in [
            ("use AKIAIOSFODNN7EXAMPLE here", "use [redacted] here"),
            ("鍵はsk-ant-api03-abcdefghijklmnopです", "鍵は[redacted]です"),
            ("postgres://mio:hunter2@db/app", "postgres://mio:[redacted]@db/app"),
            ("password = \"Tr0ub4dor&3\"", "password = \"[redacted]\""),
            ("STRIPE_SECRET_KEY: x", "STRIPE_SECRET_KEY: x"),
            ("Authorization: Bearer abcdefghijklmnop.q", "Authorization: Bearer [redacted]"),
            ("パスワードは abc12345!", "パスワードは [redacted]"),
            ("-----BEGIN RSA PRIVATE KEY-----\nMII\n-----END RSA PRIVATE KEY-----.", "[redacted]."),
            ("ghp_abcdefghijklmnopqrst0123456789", "[redacted]"),
        ] {
            assert_eq!(redact(text), rest);
        }
    }

    #[test]
    fn words_about_secrets_stay() {
        for text in [
            "password: required",
            "the API key: see the vault",
            "api_key = os.environ[\"API_KEY\"]",
            "secret: ${SECRET_1}",
            "https://example.com:8080/path",
            "sk-learn is fine",
            "パスワードは12文字以上",
        ] {
            assert!(
                matches!(redact(text), Cow::Borrowed(_)) || redact(text) == text,
                "{}",
                redact(text)
            );
        }
    }
}
