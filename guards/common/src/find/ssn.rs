//! US social security numbers.

use std::ops::Range;

use super::bytes::{ends_word, starts_word};

/// Finds a number of the form `123-45-6789` whose parts are all in use.
pub fn find(text: &[u8], _: usize, at: usize) -> Option<Range<usize>> {
    let end = at + 11;
    let number = text.get(at..end)?;
    let has_form = number.iter().enumerate().all(|(place, byte)| match place {
        3 | 6 => *byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    let (area, group, serial) = (&number[..3], &number[4..6], &number[7..]);
    let is_given_out =
        area != b"000" && area != b"666" && area[0] != b'9' && group != b"00" && serial != b"0000";
    let stands_alone = starts_word(text, at)
        && !text[..at].ends_with(b"-")
        && ends_word(text, end)
        && text.get(end) != Some(&b'-');
    (has_form && is_given_out && stands_alone).then_some(at..end)
}
