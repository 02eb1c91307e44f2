//! National identity numbers, by their form and their check digits.

use std::ops::Range;

use super::bytes::{ends_word, run, starts_word};

/// The length of the longest number, which is China's.
const LONGEST: usize = 18;

/// Finds a number of one of the forms.
pub fn find(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    if !starts_word(text, at) {
        return None;
    }
    let window = &text[..text.len().min(at + LONGEST + 1)];
    let end = run(window, at, |byte| {
        byte.is_ascii_alphanumeric() || b".-".contains(&byte)
    });
    let word = text[at..end].strip_suffix(b".").unwrap_or(&text[at..end]);
    let end = at + word.len();
    let checks = match word.len() {
        9 => spain(word) || britain(word),
        11 => sweden(word),
        14 => brazil(word),
        15 => france(word),
        16 => italy(word),
        18 => china(word),
        _ => false,
    };
    (checks && ends_word(text, end)).then_some(at..end)
}

fn digits(word: &[u8]) -> Option<Vec<u32>> {
    let digit = |byte: &u8| byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
    word.iter().map(digit).collect()
}

fn number(word: &[u8]) -> Option<u64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Checks a DNI or NIE: eight digits and a check letter. A first X, Y or Z counts as 0, 1 or 2.
fn spain(word: &[u8]) -> bool {
    const LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
    let mut plain = word[..8].to_vec();
    if let Some(first) = b"XYZ".iter().position(|letter| *letter == plain[0]) {
        plain[0] = b"012"[first];
    }
    digits(&plain)
        .and_then(|_| number(&plain))
        .is_some_and(|number| LETTERS[(number % 23) as usize] == word[8])
}

/// Checks a national insurance number: it has few prefixes, A to D last, and no check digit.
fn britain(word: &[u8]) -> bool {
    let is_first = |byte: u8| byte.is_ascii_uppercase() && !b"DFIQUV".contains(&byte);
    let given_out = ![b"BG", b"GB", b"KN", b"NK", b"NT", b"TN", b"ZZ"]
        .iter()
        .any(|prefix| word.starts_with(*prefix));
    is_first(word[0])
        && is_first(word[1])
        && word[1] != b'O'
        && given_out
        && digits(&word[2..8]).is_some()
        && (b'A'..=b'D').contains(&word[8])
}

/// Checks a personal identity number, `YYMMDD-NNNC`, by Luhn's algorithm.
fn sweden(word: &[u8]) -> bool {
    if word[6] != b'-' {
        return false;
    }
    let Some(digits) = digits(&[&word[..6], &word[7..]].concat()) else {
        return false;
    };
    let sum: u32 = digits
        .iter()
        .enumerate()
        .map(|(place, digit)| match place % 2 {
            0 if *digit > 4 => 2 * digit - 9,
            0 => 2 * digit,
            _ => *digit,
        })
        .sum();
    is_date(digits[2] * 10 + digits[3], digits[4] * 10 + digits[5]) && sum.is_multiple_of(10)
}

fn is_date(month: u32, day: u32) -> bool {
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// Checks a CPF, `NNN.NNN.NNN-CC`.
fn brazil(word: &[u8]) -> bool {
    if word[3] != b'.' || word[7] != b'.' || word[11] != b'-' {
        return false;
    }
    let plain: Vec<u8> = word.iter().copied().filter(u8::is_ascii_digit).collect();
    let Some(digits) = digits(&plain).filter(|digits| digits.len() == 11) else {
        return false;
    };
    let check = |count: usize| {
        let weights = (2..=count as u32 + 1).rev();
        let sum: u32 = digits
            .iter()
            .zip(weights)
            .map(|(digit, weight)| digit * weight)
            .sum();
        sum * 10 % 11 % 10
    };
    digits.iter().any(|digit| *digit != digits[0])
        && digits[9] == check(9)
        && digits[10] == check(10)
}

/// Checks a NIR: thirteen digits, and 97 minus their remainder modulo 97.
fn france(word: &[u8]) -> bool {
    let (Some(person), Some(check)) = (number(&word[..13]), number(&word[13..])) else {
        return false;
    };
    let months = number(&word[3..5]).is_some_and(|month| (1..=12).contains(&month));
    matches!(word[0], b'1' | b'2') && months && check == 97 - person % 97
}

/// Checks a codice fiscale: letters, digits and a check letter.
fn italy(word: &[u8]) -> bool {
    const ODD: [u32; 26] = [
        1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24,
        23,
    ];
    const LETTERS: &[usize] = &[0, 1, 2, 3, 4, 5, 8, 11, 15];
    let has_form = word
        .iter()
        .enumerate()
        .all(|(place, byte)| match LETTERS.contains(&place) {
            true => byte.is_ascii_uppercase(),
            false => byte.is_ascii_digit(),
        });
    if !has_form {
        return false;
    }
    let value = |byte: u8| match byte {
        b'0'..=b'9' => byte - b'0',
        _ => byte - b'A',
    };
    let sum: u32 = word[..15]
        .iter()
        .enumerate()
        .map(|(place, byte)| match place % 2 {
            0 => ODD[usize::from(value(*byte))],
            _ => u32::from(value(*byte)),
        })
        .sum();
    u32::from(word[15] - b'A') == sum % 26
}

/// Checks a resident identity number: a date within it, and a check character modulo 11.
fn china(word: &[u8]) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let Some(digits) = digits(&word[..17]) else {
        return false;
    };
    let sum: u32 = digits
        .iter()
        .zip(WEIGHTS)
        .map(|(digit, weight)| digit * weight)
        .sum();
    is_date(digits[10] * 10 + digits[11], digits[12] * 10 + digits[13])
        && b"10X98765432"[(sum % 11) as usize] == word[17].to_ascii_uppercase()
}
