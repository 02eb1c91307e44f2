//! Bearer tokens.

use std::ops::Range;

use super::bytes::{run, starts_word};

const BEARER: &[u8] = b"bearer";

/// The shortest token: fewer bytes are a word of a sentence.
const LEAST: usize = 16;

/// Finds the token, without the word before it.
pub fn find(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    let word = text.get(at..at + BEARER.len())?;
    if !word.eq_ignore_ascii_case(BEARER) || !starts_word(text, at) {
        return None;
    }
    let space = at + BEARER.len();
    let start = run(text, space, |byte| byte == b' ' || byte == b'\t');
    let end = run(text, start, |byte| {
        byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte)
    });
    (start > space && end - start >= LEAST).then_some(start..end)
}
