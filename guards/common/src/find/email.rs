//! E-mail addresses.

use std::ops::Range;

use super::bytes::{run, run_back};

/// The most bytes of a domain.
const LONGEST_DOMAIN: usize = 253;

/// Finds the address around an `@`.
pub fn find(text: &[u8], from: usize, at: usize) -> Option<Range<usize>> {
    let start = run_back(text, from, at, |byte| {
        byte.is_ascii_alphanumeric() || b"._%+-".contains(&byte)
    });
    let start = run(text, start, |byte| b".-".contains(&byte));
    let window = &text[..text.len().min(at + 1 + LONGEST_DOMAIN)];
    let end = run(window, at + 1, |byte| {
        byte.is_ascii_alphanumeric() || b".-".contains(&byte)
    });
    let end = run_back(text, at + 1, end, |byte| b".-".contains(&byte)).max(at + 1);
    (start < at && is_domain(&text[at + 1..end])).then_some(start..end)
}

fn is_domain(domain: &[u8]) -> bool {
    let mut labels = domain.rsplit(|&byte| byte == b'.');
    let top = labels.next().unwrap_or_default();
    let mut others = labels.peekable();
    top.len() >= 2
        && top.iter().all(u8::is_ascii_alphabetic)
        && others.peek().is_some()
        && others.all(|label| !label.is_empty())
}
