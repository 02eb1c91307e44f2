//! Phone numbers.

use std::ops::Range;

use super::bytes::{ends_word, starts_word};

/// The possible numbers of digits, without a leading `+` or 0.
const DIGITS: std::ops::RangeInclusive<usize> = 8..=15;

/// The fewest digits of usual numbers. Numbers of small countries and places may have fewer.
const USUAL_INTERNATIONAL: usize = 10;
const USUAL_NATIONAL: usize = 8;

/// Words that come before a national number, at most so many bytes before it.
const WORDS: &[&[u8]] = &[
    b"tel",
    b"phone",
    b"call",
    b"mobile",
    b"fax",
    b"ring",
    b"cell",
    b"handy",
    b"whatsapp",
    b"sms",
];
const BEFORE: usize = 24;

/// Finds a number after `+`, a North American number, or a national one after a word for telephones.
pub fn find(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    if !starts_word(text, at) {
        return None;
    }
    match text[at] {
        b'+' => number(text, at, USUAL_INTERNATIONAL),
        b'0' => national(text, at),
        _ => north_american(text, at),
    }
}

/// Finds the longest number from `at`. Too many digits are more than one number: the first number then ends with the
/// first group of digits that makes it as long as usual.
fn number(text: &[u8], at: usize, usual: usize) -> Option<Range<usize>> {
    if !text.get(at + 1).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut digits = 0;
    let mut spaces = 0;
    let mut ends = Vec::new();
    let mut has_more = false;
    for (place, &byte) in text.iter().enumerate().skip(at + 1) {
        match byte {
            b'0'..=b'9' if digits == *DIGITS.end() => {
                has_more = true;
                break;
            }
            b'0'..=b'9' => {
                digits += 1;
                spaces = 0;
                if DIGITS.contains(&digits) && ends_group(text, place + 1) {
                    ends.push((digits, place + 1));
                }
            }
            b' ' | b'-' | b'.' | b'/' | b'(' | b')' if spaces < 2 => spaces += 1,
            _ => break,
        }
    }
    let end = match has_more {
        true => ends.iter().find(|(digits, _)| *digits >= usual),
        false => ends.last(),
    };
    end.map(|&(_, end)| at..end)
}

/// Returns whether the digits end at `end`, and no sign joins them to more digits.
fn ends_group(text: &[u8], end: usize) -> bool {
    let is_joined = matches!(text.get(end), Some(b'-' | b'.'))
        && text.get(end + 1).is_some_and(u8::is_ascii_digit);
    ends_word(text, end) && !is_joined
}

/// Finds a number that begins with 0 and has a word for telephones before it.
fn national(text: &[u8], at: usize) -> Option<Range<usize>> {
    let before = text[at.saturating_sub(BEFORE)..at].to_ascii_lowercase();
    let has_word = WORDS
        .iter()
        .any(|word| before.windows(word.len()).any(|bytes| bytes == *word));
    has_word.then(|| number(text, at, USUAL_NATIONAL))?
}

/// Finds `(212) 555-0123`, `212-555-0123` or `212.555.0123`; area and exchange begin with 2 to 9.
fn north_american(text: &[u8], at: usize) -> Option<Range<usize>> {
    let forms: [&[u8]; 4] = [
        b"(N##) N##-####",
        b"(N##)N##-####",
        b"N##-N##-####",
        b"N##.N##.####",
    ];
    let form = forms.into_iter().find(|form| has_form(text, at, form))?;
    let end = at + form.len();
    ends_word(text, end).then_some(at..end)
}

fn has_form(text: &[u8], at: usize, form: &[u8]) -> bool {
    text.len() - at >= form.len()
        && form
            .iter()
            .zip(&text[at..])
            .all(|(wanted, byte)| match wanted {
                b'N' => (b'2'..=b'9').contains(byte),
                b'#' => byte.is_ascii_digit(),
                _ => wanted == byte,
            })
}
