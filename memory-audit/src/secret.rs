//! Secrets, by the forms that their makers gave them.

use std::ops::Range;

use crate::pattern::patterns;

patterns! {
    /// Forms that nothing else has.
    KNOWN = [
        r"\b(?-i:AKIA|ASIA|ABIA|ACCA)(?-i:[A-Z0-9]{16})\b",
        r"\b(?-i:gh[pousr]_[A-Za-z0-9]{30,})", r"\b(?-i:github_pat_[A-Za-z0-9_]{30,})", r"\b(?-i:glpat-[A-Za-z0-9_\-]{20,})",
        r"\b(?-i:xox[abeoprs]-[A-Za-z0-9\-]{10,})", r"\b(?-i:xapp-[0-9]-[A-Za-z0-9\-]{20,})", r"hooks\.slack\.com/services/[A-Za-z0-9/]{20,}",
        r"\b(?-i:sk-(?:ant|proj|svcacct|admin|or)-[A-Za-z0-9_\-]{16,})", r"\b(?-i:sk-[A-Za-z0-9]{32,})",
        r"\b(?-i:(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{16,})", r"\b(?-i:whsec_[A-Za-z0-9]{20,})",
        r"\b(?-i:AIza[A-Za-z0-9_\-]{35})", r"\b(?-i:GOCSPX-[A-Za-z0-9_\-]{20,})", r"\b(?-i:ya29\.[A-Za-z0-9_\-]{20,})",
        r"\b(?-i:npm_[A-Za-z0-9]{30,})", r"\b(?-i:pypi-[A-Za-z0-9_\-]{40,})", r"\b(?-i:dckr_pat_[A-Za-z0-9_\-]{20,})", r"\b(?-i:crates?_[A-Za-z0-9]{30,})", r"\b(?-i:cio[A-Za-z0-9]{32})\b",
        r"\b(?-i:hf_[A-Za-z0-9]{30,})", r"\b(?-i:r8_[A-Za-z0-9]{30,})", r"\b(?-i:gsk_[A-Za-z0-9]{30,})", r"\b(?-i:pplx-[A-Za-z0-9]{30,})", r"\b(?-i:xai-[A-Za-z0-9]{40,})",
        r"\b(?-i:SG\.[A-Za-z0-9_\-]{16,}\.[A-Za-z0-9_\-]{16,})", r"\b(?-i:key-[0-9a-f]{32})\b", r"\b(?-i:SK[0-9a-f]{32})\b",
        r"\b(?-i:dop_v1_[0-9a-f]{40,})", r"\b(?-i:shp(?:at|ca|pa|ss)_[0-9a-fA-F]{30,})", r"\b(?-i:sq0[a-z]{3}-[A-Za-z0-9_\-]{20,})", r"\b(?-i:EAAA[A-Za-z0-9_\-]{50,})",
        r"\b(?-i:lin_api_[A-Za-z0-9]{30,})", r"\b(?-i:secret_[A-Za-z0-9]{40,})", r"\b(?-i:ntn_[A-Za-z0-9]{40,})", r"\b(?-i:figd_[A-Za-z0-9_\-]{30,})", r"\b(?-i:PMAK-[0-9a-f]{20,}-[0-9a-f]{30,})", r"\b(?-i:sntrys_[A-Za-z0-9_=+/\-]{30,})", r"\b(?-i:hvs\.[A-Za-z0-9_\-]{20,})", r"\b(?-i:tskey-[a-z]+-[A-Za-z0-9\-]{10,})", r"\b(?-i:dp\.(?:pt|st|ct|sa)\.[A-Za-z0-9]{30,})", r"\b(?-i:glsa_[A-Za-z0-9]{30,}_[0-9a-f]{8})", r"\b(?-i:nfp_[A-Za-z0-9]{30,})", r"\b(?-i:sbp_[0-9a-f]{30,})", r"\b(?-i:rubygems_[0-9a-f]{40,})", r"\b(?-i:atlasv1\.[A-Za-z0-9_\-]{40,})", r"(?-i:[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_\-]{40,})", r"\b(?-i:ATATT3[A-Za-z0-9_\-=]{40,})", r"\b(?-i:NRAK-[A-Z0-9]{20,})", r"\b(?-i:AGE-SECRET-KEY-1[A-Z0-9]{50,})",
        r"\b(?-i:eyJ[A-Za-z0-9_\-]{10,}\.eyJ[A-Za-z0-9_\-]{10,}\.[A-Za-z0-9_\-]{10,})",
        r"\b[0-9]{8,10}:(?-i:AA[A-Za-z0-9_\-]{33})\b", r"\b(?-i:[MN][A-Za-z0-9_\-]{23}\.[A-Za-z0-9_\-]{6}\.[A-Za-z0-9_\-]{27,})\b",
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
        r"\b[a-z][a-z0-9+.\-]{1,20}://[^\s:/@]{1,64}:[^\s:/@*<>{}$\[\]]{6,}@[^\s/]+",
        r"(?-i:AccountKey=[A-Za-z0-9+/=]{40,})", r"\bBearer\s+(?-i:[A-Za-z0-9_\-.=]{32,})",
    ];
    /// A value under a name that says it is one; what it looks like decides.
    NAMED = [
        r#"\b(?:[a-z0-9]+[_-])*(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|client[_-]?secret)["']?\s*[:=]\s*["'`]?([A-Za-z0-9+/=_\-.!@#%^&]{16,})"#,
    ];
    /// A value that stands for one.
    PLACEHOLDER = [r"(?:x{4,}|\*{3,}|\.{3,}|<[^>]*>|\$\{?\w+|your[_-]|example|changeme|placeholder|dummy|redacted|process\.env|os\.environ|secrets\.|vault|1234567890|abcdef)"];
    BEGIN_KEY = [r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"];
    END_KEY = [r"-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"];
}

/// The secrets of a text, in bytes, from its beginning on. A private key is one
/// from its first line to its last.
///
/// Digests, commit ids and UUIDs are none.
pub fn secrets(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for at in KNOWN.find_all(text) {
        let end =
            text.get(at.start..).filter(|rest| rest.starts_with("-----BEGIN")).and_then(|rest| {
                let close = END_KEY.find(rest)?;
                Some(at.start + close.end)
            });
        let whole = at.start..end.unwrap_or(at.end);
        let said = text.get(whole.clone()).unwrap_or_default();
        if BEGIN_KEY.is_in(said) || !PLACEHOLDER.is_in(said) {
            found.push(whole);
        }
    }
    for at in NAMED.find_all(text) {
        let said = text.get(at.clone()).unwrap_or_default();
        let value = said.rsplit([':', '=', ' ', '"', '\'', '`']).find(|part| part.len() >= 16);
        if value.is_some_and(is_random) && !PLACEHOLDER.is_in(said) {
            found.push(at);
        }
    }
    found.sort_by_key(|at| at.start);
    found.dedup_by(|later, earlier| later.start < earlier.end);
    found
}

/// Whether a value mixes letters and digits as no word does.
fn is_random(value: &str) -> bool {
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let upper = value.chars().filter(char::is_ascii_uppercase).count();
    let lower = value.chars().filter(char::is_ascii_lowercase).count();
    digits >= 3 && lower + upper >= 6 && (upper >= 2 && lower >= 2 || digits >= 6)
}

/// The text with each secret shown by its first four characters only.
pub fn without_secrets(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut from = 0;
    for at in secrets(text) {
        shown += text.get(from..at.start).unwrap_or_default();
        shown.extend(text.get(at.clone()).unwrap_or_default().chars().take(4));
        shown.push('…');
        from = at.end;
    }
    shown + text.get(from..).unwrap_or_default()
}
