//! Detecting addresses that exfiltrate data.

use guards_common::decoded::base64_texts;
use guards_common::entropy::{bits_per_byte, is_random};
use guards_common::find::{Finder, Kind, secrets};
use percent_encoding::percent_decode_str;
use url::Url;

/// The longest label of a subdomain, path segment and value that addresses ordinarily have.
const LONG_LABEL: usize = 32;
const LONG_SEGMENT: usize = 72;
const LONG_VALUE: usize = 100;
/// The shortest value that is searched for encoded text.
const ENCODED: usize = 24;

/// Names of values that are random by purpose, such as signatures, sign-in codes and versions.
const SIGNED: &[&str] = &[
    "signature",
    "sig",
    "hmac",
    "policy",
    "key-pair-id",
    "state",
    "nonce",
    "code_challenge",
    "code",
    "session_state",
    "awsaccesskeyid",
    "etag",
    "h",
    "hash",
    "integrity",
    "sha",
    "ref",
    "cursor",
    "page_token",
    "pagetoken",
    "next",
    "continuation",
    "v",
    "ver",
    "version",
];

/// Names of values that often hold exfiltrated data.
const TAKEN: &[&str] = &[
    "data",
    "payload",
    "exfil",
    "leak",
    "secret",
    "secrets",
    "dump",
    "loot",
    "stolen",
    "content",
    "conversation",
    "history",
    "prompt",
    "context",
    "memory",
];

/// Returns whether the path, the query, the fragment or the host's name carries data.
pub fn is_carried(url: &Url) -> bool {
    in_host(url.host_str().unwrap_or_default()) || in_query(url) || in_path(url) || has_secret(url)
}

fn in_host(host: &str) -> bool {
    let labels: Vec<&str> = host.split('.').collect();
    let below = labels.len().saturating_sub(2);
    let total: usize = labels.iter().take(below).map(|label| label.len()).sum();
    let is_odd = |label: &&str| {
        label.len() > LONG_LABEL && !label.contains('-') && !label.starts_with("xn--")
    };
    let is_encoded =
        |label: &&str| label.len() > LONG_LABEL && (bits_per_byte(label) > 3.6 || is_hex(label));
    labels
        .iter()
        .take(below)
        .any(|label| is_odd(label) || is_encoded(label))
        || total > 100
}

fn in_query(url: &Url) -> bool {
    url.query_pairs().any(|(name, value)| {
        let name = name.to_ascii_lowercase();
        let is_signed = SIGNED.contains(&name.as_str())
            || name.starts_with("x-amz-")
            || name.starts_with("x-goog-")
            || name.starts_with("utm_");
        let is_taken = TAKEN.contains(&name.as_str()) && value.len() >= 16;
        !is_signed && (is_taken || is_data(&value, LONG_VALUE))
    }) || url
        .query()
        .is_some_and(|query| !query.contains('=') && is_data(query, LONG_SEGMENT))
        || url.fragment().is_some_and(is_encoded)
}

fn in_path(url: &Url) -> bool {
    let segments = url.path_segments().into_iter().flatten();
    segments.into_iter().any(|segment| {
        let said = percent_decode_str(segment).decode_utf8_lossy();
        let has_words = said.contains(['-', '_']) && !is_random(&said.replace(['-', '_'], ""));
        is_encoded(&said)
            || (said.len() > LONG_SEGMENT && !has_words && !is_hash(&said) && !said.contains('.'))
    })
}

fn has_secret(url: &Url) -> bool {
    let known = [
        "aws-key",
        "github-token",
        "api-key",
        "jwt",
        "private-key",
        "webhook",
    ];
    let kinds = secrets()
        .into_iter()
        .filter(|kind: &&'static Kind| known.contains(&kind.name));
    let said = percent_decode_str(url.as_str()).decode_utf8_lossy();
    let is_signed = url
        .query_pairs()
        .any(|(name, _)| name.to_ascii_lowercase().starts_with("x-amz-"));
    let found = Finder::new(kinds).find(&said);
    let host = url.host_str().unwrap_or_default();
    found.iter().any(|(kind, _)| {
        *kind != "webhook" && !(is_signed && *kind == "aws-key") && !host.is_empty()
    })
}

/// Returns whether a value is longer than `longest`, or has encoded text.
fn is_data(value: &str, longest: usize) -> bool {
    let is_long = value.len() > longest && !value.starts_with("http");
    is_long || is_encoded(value)
}

/// Returns whether the value is text in base64 or hexadecimal digits, or looks random.
fn is_encoded(value: &str) -> bool {
    if value.len() < ENCODED || is_hash(value) || is_uuid(value) {
        return false;
    }
    let has_text = base64_texts(value).iter().any(|(_, said)| is_written(said));
    has_text
        || hex_text(value).is_some_and(|said| is_written(&said))
        || (value.len() > 40 && is_random(value))
}

/// Returns whether a decoded text is one that people or programs write.
fn is_written(text: &str) -> bool {
    let ordinary = text
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || " @.,:;/=_-{}\"'\n".contains(*letter))
        .count();
    text.len() >= 12 && ordinary * 10 >= text.chars().count() * 9
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_hash(text: &str) -> bool {
    is_hex(text)
        && matches!(text.len(), 32 | 40 | 56 | 64 | 128)
        && hex_text(text).is_none_or(|said| !is_written(&said))
}

fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.matches('-').count() == 4
        && text
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}

fn hex_text(text: &str) -> Option<String> {
    if !is_hex(text) || !text.len().is_multiple_of(2) {
        return None;
    }
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| {
            digit
                .to_digit(16)
                .and_then(|digit| u8::try_from(digit).ok())
        })
        .collect();
    let bytes = digits?
        .chunks(2)
        .map(|pair| pair.iter().fold(0, |byte, digit| byte * 16 + digit))
        .collect();
    String::from_utf8(bytes).ok()
}
