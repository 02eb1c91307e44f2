//! Decoding escapes.

use std::iter::Peekable;
use std::str::Chars;

/// The notation of octal numbers.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Zeros {
    /// `\0` and up to three digits, in `echo -e` and `%b` of `printf`.
    Before,
    /// Up to three digits, in `$'…'` and the format of `printf`.
    None,
}

/// Decodes escapes as `$'…'` does. An unknown escape becomes its letter.
pub(crate) fn ansi_c(text: &str) -> String {
    decoded(text, Zeros::None, |letter| Some(letter.to_string())).unwrap_or_default()
}

/// Decodes escapes as `echo -e` and `printf` do. Returns `None` if an escape is unknown.
pub(crate) fn escaped(text: &str, zeros: Zeros) -> Option<String> {
    decoded(text, zeros, |_| None)
}

fn decoded(text: &str, zeros: Zeros, other: impl Fn(char) -> Option<String>) -> Option<String> {
    let mut said = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        if letter != '\\' {
            said.push(letter);
            continue;
        }
        let Some(escape) = rest.next() else {
            said.push('\\');
            break;
        };
        let code = match escape {
            'x' => number(&mut rest, 16, 2, 0),
            'u' => number(&mut rest, 16, 4, 0),
            'U' => number(&mut rest, 16, 8, 0),
            '0' if zeros == Zeros::Before => number(&mut rest, 8, 3, 0),
            digit @ '0'..='7' => number(&mut rest, 8, 2, digit.to_digit(8).unwrap_or(0)),
            'a' => 7,
            'b' => 8,
            'e' | 'E' => 27,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'v' => 11,
            same @ ('\\' | '\'' | '"' | '?') => u32::from(same),
            letter => {
                said.push_str(&other(letter)?);
                continue;
            }
        };
        said.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    Some(said)
}

/// Reads at most `most` digits of a number. `read` is the value of the digits before them.
fn number(rest: &mut Peekable<Chars<'_>>, radix: u32, most: usize, read: u32) -> u32 {
    let mut code = read;
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|digit| digit.to_digit(radix)) else {
            break;
        };
        code = code.wrapping_mul(radix).wrapping_add(digit);
        rest.next();
    }
    code
}

#[cfg(test)]
mod tests {
    use super::{Zeros, ansi_c, escaped};

    #[test]
    fn escapes_are_letters() {
        assert_eq!(ansi_c(r"\x72\155 -rf"), "rm -rf");
        assert_eq!(ansi_c(r"a\tb\\"), "a\tb\\");
        assert_eq!(ansi_c(r"\Uffffffff"), "\u{fffd}");
    }

    #[test]
    fn echo_writes_a_zero_before_base_8() {
        assert_eq!(escaped(r"\0162m", Zeros::Before).as_deref(), Some("rm"));
        assert_eq!(escaped(r"\162m", Zeros::None).as_deref(), Some("rm"));
        assert_eq!(escaped(r"\c", Zeros::None), None);
    }
}
