//! Keys with known prefixes.

use std::ops::Range;

use super::bytes::{ends_word, run, run_back, starts_word};

/// The prefixes of providers' keys, and the fewest bytes that follow.
const API_KEYS: &[(&[u8], usize)] = &[
    (b"sk-", 20),
    (b"sk_live_", 16),
    (b"sk_test_", 16),
    (b"rk_live_", 16),
    (b"rk_test_", 16),
    (b"xoxb-", 10),
    (b"xoxp-", 10),
    (b"xoxa-", 10),
    (b"xoxr-", 10),
    (b"xoxs-", 10),
    (b"AIza", 35),
    (b"glpat-", 20),
    (b"npm_", 36),
    (b"hf_", 30),
    (b"SG.", 40),
    (b"gsk_", 40),
    (b"dop_v1_", 40),
    (b"dckr_pat_", 20),
    (b"hvs.", 24),
    (b"lin_api_", 32),
    (b"nvapi-", 40),
    (b"pypi-", 40),
    (b"r8_", 30),
    (b"shpat_", 30),
    (b"tvly-", 20),
    (b"whsec_", 24),
    (b"xai-", 40),
    (b"xapp-", 20),
    (b"ATATT3", 60),
];

/// Finds an AWS access key id: a prefix of four letters and 16 letters and digits.
pub fn aws(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    let end = at + 20;
    let key = text.get(at..end)?;
    let prefixes = [b"AKIA", b"ASIA", b"ABIA", b"ACCA"];
    let is_key = prefixes.iter().any(|prefix| key.starts_with(*prefix))
        && key
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && starts_word(text, at)
        && ends_word(text, end);
    is_key.then_some(at..end)
}

/// Finds a GitHub token.
pub fn github(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    if !starts_word(text, at) {
        return None;
    }
    let (prefix, least) = match &text[at..] {
        [b'g', b'h', b'p' | b'o' | b'u' | b's' | b'r', b'_', ..] => (4, 36),
        rest if rest.starts_with(b"github_pat_") => (11, 22),
        _ => return None,
    };
    let key = at + prefix;
    let end = run(text, key, |byte| {
        byte.is_ascii_alphanumeric() || byte == b'_'
    });
    (end - key >= least).then_some(at..end)
}

/// Finds another provider's key. It has a digit, which names with the same prefix seldom have.
pub fn api_key(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    if !starts_word(text, at) {
        return None;
    }
    let (prefix, least) = API_KEYS
        .iter()
        .find(|(prefix, _)| text[at..].starts_with(prefix))?;
    let key = at + prefix.len();
    let end = run(text, key, is_key);
    let is_found = end - key >= *least && text[key..end].iter().any(u8::is_ascii_digit);
    is_found.then(|| at..before_dots(text, end))
}

fn is_key(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-_.".contains(&byte)
}

/// Returns the end without the dots that end a sentence.
fn before_dots(text: &[u8], end: usize) -> usize {
    run_back(text, 0, end, |byte| byte == b'.')
}
