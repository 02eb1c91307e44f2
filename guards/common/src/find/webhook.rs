//! Addresses that are secrets themselves, since whoever knows one may post to it.

use std::ops::Range;

use super::bytes::{run, run_back, starts_word};

/// How such addresses begin after the scheme.
const ADDRESSES: &[&[u8]] = &[
    b"hooks.slack.com/services/",
    b"discord.com/api/webhooks/",
    b"discordapp.com/api/webhooks/",
];

/// Fewer bytes after that are no secret.
const LEAST: usize = 24;

/// The address, without its scheme.
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
