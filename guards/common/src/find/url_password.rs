//! Passwords in addresses: `scheme://user:password@host`.

use std::ops::Range;

use super::bytes::run_back;

/// The most bytes from the end of the scheme to the `@`.
const LONGEST: usize = 256;

/// Finds the password before an `@`, without the rest of the address.
pub fn find(text: &[u8], from: usize, at: usize) -> Option<Range<usize>> {
    let from = from.max(at.saturating_sub(LONGEST));
    let start = run_back(text, from, at, |byte| {
        byte.is_ascii_graphic() && !b"/\"'<>@".contains(&byte)
    });
    let colon = start + text[start..at].iter().position(|&byte| byte == b':')?;
    let is_authority = text[..start].ends_with(b"://");
    let has_host = text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
    (is_authority && has_host && at > colon + 1).then_some(colon + 1..at)
}
