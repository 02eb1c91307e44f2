//! JSON web tokens: `eyJ….eyJ….…`.

use std::ops::Range;

use super::bytes::{next, run, run_back};

/// The beginning of every encoded JSON object.
const OBJECT: &[u8] = b"eyJ";

/// Finds the token around the dot before its payload.
pub fn find(text: &[u8], from: usize, at: usize) -> Option<Range<usize>> {
    let payload = at + 1;
    if !text[payload..].starts_with(OBJECT) {
        return None;
    }
    let header = run_back(text, from, at, is_base64url);
    let start = next(&text[..at], header, OBJECT)?;
    let payload_end = run(text, payload, is_base64url);
    if text.get(payload_end) != Some(&b'.') {
        return None;
    }
    Some(start..run(text, payload_end + 1, is_base64url))
}

fn is_base64url(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}
