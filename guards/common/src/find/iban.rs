//! International bank account numbers.

use std::ops::Range;

use super::bytes::{ends_word, starts_word};

/// The possible numbers of letters and digits.
const LENGTHS: std::ops::RangeInclusive<usize> = 15..=34;

/// Finds the longest number from `at` whose check digits are right, with or without spaces.
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

/// Returns whether the check digits of ISO 13616 are right: with the first four characters moved
/// to the end and letters as numbers from 10, the remainder modulo 97 is 1.
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
