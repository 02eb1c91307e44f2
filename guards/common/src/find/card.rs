//! Credit card numbers.

use std::ops::Range;

use super::bytes::{ends_word, starts_word};

/// The most digits of a number.
const MOST: usize = 19;

/// Finds the longest number from `at` that a network issues and whose check digit is right.
pub fn find(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    if !starts_word(text, at) || text[..at].ends_with(b".") {
        return None;
    }
    let mut digits = Vec::with_capacity(MOST);
    let mut found = None;
    let mut end = at;
    while let Some(&byte) = text.get(end) {
        if byte.is_ascii_digit() && digits.len() < MOST {
            digits.push(byte - b'0');
            if ends_word(text, end + 1) && is_issued(&digits) && checks(&digits) {
                found = Some(at..end + 1);
            }
        } else if !is_space(byte) || text.get(end + 1).is_none_or(|byte| !byte.is_ascii_digit()) {
            break;
        }
        end += 1;
    }
    found
}

fn is_space(byte: u8) -> bool {
    byte == b' ' || byte == b'-'
}

/// Returns whether a network has numbers of this length with these first digits.
fn is_issued(digits: &[u8]) -> bool {
    let [a, b, c, d, ..] = *digits else {
        return false;
    };
    let first_two = a * 10 + b;
    let first_four = u16::from(first_two) * 100 + u16::from(c * 10 + d);
    match digits.len() {
        13 | 19 => a == 4,
        14 => matches!(first_two, 36 | 38) || matches!(first_four, 3000..=3059),
        15 => matches!(first_two, 34 | 37),
        16 => {
            matches!(first_two, 40..=49 | 51..=55 | 65)
                || matches!(first_four, 2221..=2720 | 3528..=3589 | 6011 | 6440..=6499)
        }
        _ => false,
    }
}

/// Returns whether the check digit is right, by Luhn's algorithm.
fn checks(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| match u32::from(digit) {
            digit if place % 2 == 0 => digit,
            digit if digit > 4 => 2 * digit - 9,
            digit => 2 * digit,
        })
        .sum();
    sum.is_multiple_of(10)
}
