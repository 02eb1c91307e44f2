//! Values that are assigned to names of secrets: `password = …`, `"api_key": "…"`, `the password is …`.

use std::ops::Range;

use super::bytes::{run, run_back};

/// The endings of such names, in lower case and without `_` and `-`.
const NAMES: &[&[u8]] = &[
    b"password",
    b"passwd",
    b"passphrase",
    b"secret",
    b"secretkey",
    b"secretaccesskey",
    b"accesskey",
    b"privatekey",
    b"apikey",
    b"token",
    b"pwd",
    b"accountkey",
    b"signingkey",
    b"encryptionkey",
    b"authkey",
];

/// Names with such endings that are not secret: their values say where a list continues.
const PLACES_IN_LISTS: &[&[u8]] = &[
    b"pagetoken",
    b"nexttoken",
    b"paginationtoken",
    b"continuationtoken",
    b"startingtoken",
    b"synctoken",
];

/// The most bytes from the start of a name to its sign.
const LONGEST_NAME: usize = 64;

/// The shortest value: fewer bytes are more often a placeholder.
const LEAST: usize = 8;

/// Finds the value, without the name. It has a letter and a digit, which code seldom has here.
pub fn find(text: &[u8], from: usize, at: usize) -> Option<Range<usize>> {
    let sign = match text[at] {
        b'i' if text[at..].starts_with(b"is ") && text[..at].ends_with(b" ") => 2,
        b'i' => return None,
        _ => 1,
    };
    let from = from.max(at.saturating_sub(LONGEST_NAME));
    let name_end = run_back(text, from, at, is_filler);
    let name = run_back(text, from, name_end, is_name);
    if !is_secret(&text[name..name_end]) {
        return None;
    }
    let start = run(text, at + sign, is_filler);
    let is_value = match sign {
        1 => value_after(text[start - 1]),
        // A value after `is` ends at a space.
        _ => |byte: u8| byte.is_ascii_graphic() && !b"\"'`".contains(&byte),
    };
    let end = run(text, start, is_value);
    let end = match sign {
        1 => end,
        _ => run_back(text, start, end, |byte| b".,;:!?)".contains(&byte)),
    };
    let value = &text[start..end];
    let is_found = value.len() >= LEAST
        && value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_alphabetic);
    is_found.then_some(start..end)
}

fn is_secret(name: &[u8]) -> bool {
    let plain: Vec<u8> = name
        .iter()
        .filter(|byte| byte.is_ascii_alphanumeric())
        .map(u8::to_ascii_lowercase)
        .collect();
    let ends_like = |names: &[&[u8]]| names.iter().any(|name| plain.ends_with(name));
    ends_like(NAMES) && !ends_like(PLACES_IN_LISTS)
}

/// Returns whether a byte may be between name, sign and value. JSON in JSON has backslashes.
fn is_filler(byte: u8) -> bool {
    b" \t\"'\\".contains(&byte)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// Returns the test for the bytes of a value: in quotes it accepts nearly all.
fn value_after(before: u8) -> fn(u8) -> bool {
    match before {
        b'"' | b'\'' => |byte| !b"\"'\\ \t\r\n".contains(&byte),
        _ => |byte| byte.is_ascii_alphanumeric() || b"-_.~+/=!@#$%^*".contains(&byte),
    }
}
