//! International bank account numbers.

use std::ops::Range;

use super::bytes::{ends_word, starts_word};

/// How many letters and digits a number has.
const LENGTHS: std::ops::RangeInclusive<usize> = 15..=34;

/// A number, alone or in groups: the longest one from here whose check digits are right.
pub fn find(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    let [a, b, c, d, ..] = text[at..] else {
        return None;
    };
    let begins = a.is_ascii_uppercase()
        && b.is_ascii_uppercase()
        && c.is_ascii_digit()
        && d.is_ascii_digit();
    if !begins || !starts_word(text, at) {
        return None;
    }
    let mut number = Vec::with_capacity(*LENGTHS.end());
    let mut found = None;
    let mut end = at;
    while let Some(&byte) = text.get(end) {
        if byte.is_ascii_uppercase() || byte.is_ascii_digit() {
            number.push(byte);
            if LENGTHS.contains(&number.len()) && ends_word(text, end + 1) && checks(&number) {
                found = Some(at..end + 1);
            }
        } else if byte != b' ' {
            break;
        }
        if number.len() == *LENGTHS.end() || text[..=end].ends_with(b"  ") {
            break;
        }
        end += 1;
    }
    found
}

/// The check of ISO 13616: the first four go to the end, letters become numbers from 10, and the
/// whole leaves 1 when divided by 97.
fn checks(number: &[u8]) -> bool {
    let rest = number[4..]
        .iter()
        .chain(&number[..4])
        .fold(0_u32, |rest, &byte| {
            if byte.is_ascii_digit() {
                (rest * 10 + u32::from(byte - b'0')) % 97
            } else {
                (rest * 100 + u32::from(byte - b'A') + 10) % 97
            }
        });
    rest == 1
}
