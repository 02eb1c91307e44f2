//! PEM blocks of private keys: `-----BEGIN … PRIVATE KEY-----`.

use std::ops::Range;

use super::bytes::{next, run};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const RULE: &[u8] = b"-----";

/// Finds a block, to its end or the end of the text: half a key is a secret too.
pub fn find(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    if !text[at..].starts_with(BEGIN) {
        return None;
    }
    let label = at + BEGIN.len();
    let label_end = run(text, label, |byte| {
        byte.is_ascii_uppercase() || byte == b' ' || byte.is_ascii_digit()
    });
    next(&text[..label_end], label, b"PRIVATE KEY")?;
    let end = next(text, label_end, END)
        .and_then(|end| next(text, end + END.len(), RULE))
        .map_or(text.len(), |rule| rule + RULE.len());
    Some(at..end)
}
