//! Addresses of webhooks, which are secrets: everyone who knows one may post to it.

use std::ops::Range;

use super::bytes::{run, run_back, starts_word};

/// The beginnings of such addresses, after the scheme.
const ADDRESSES: &[&[u8]] = &[
    b"hooks.slack.com/services/",
    b"discord.com/api/webhooks/",
    b"discordapp.com/api/webhooks/",
];

/// The fewest bytes that follow in a secret address.
const LEAST: usize = 24;

/// Finds the address, without its scheme.
pub fn find(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    let address = ADDRESSES
        .iter()
        .find(|address| text[at..].starts_with(address))?;
    let path = at + address.len();
    let end = run(text, path, |byte| {
        byte.is_ascii_alphanumeric() || b"-_/.".contains(&byte)
    });
    let end = run_back(text, path, end, |byte| byte == b'.');
    (starts_word(text, at) && end - path >= LEAST).then_some(at..end)
}
