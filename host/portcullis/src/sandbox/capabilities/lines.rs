//! Splits bytes into lines.

use crate::contract::text::{LONGEST_SHOWN, shown};
use crate::model::secrets::Secrets;

/// The longest character in UTF-8, in bytes.
const LONGEST_CHAR: usize = 4;

/// The unfinished line of a stream. A line longer than the limit for shown text is cut into
/// several, never within a character or a secret.
#[derive(Default)]
pub(super) struct Lines(Vec<u8>);

impl Lines {
    /// Returns whether no line has begun.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the lines that end in these bytes. Empty ones are left out.
    pub(super) fn push(&mut self, bytes: &[u8], secrets: &Secrets) -> Vec<String> {
        // With this many bytes, no secret that begins before the cut is incomplete.
        let most = LONGEST_SHOWN + LONGEST_CHAR + secrets.longest();
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.0.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                lines.extend(self.end(secrets));
            }
            while self.0.len() > most {
                lines.push(self.cut(secrets));
            }
        }
        lines
    }

    /// Returns the unfinished line, in pieces; none if it is empty.
    pub(super) fn end(&mut self, secrets: &Secrets) -> Vec<String> {
        self.0.truncate(self.0.trim_ascii_end().len());
        let mut pieces = Vec::new();
        while !self.0.is_empty() {
            pieces.push(self.cut(secrets));
        }
        pieces
    }

    fn cut(&mut self, secrets: &Secrets) -> String {
        let at = secrets.cut(&self.0, shown_whole(&self.0));
        let rest = self.0.split_off(at);
        let piece = std::mem::replace(&mut self.0, rest);
        String::from_utf8_lossy(&piece).into_owned()
    }
}

/// Returns the length of the first characters that can be shown together. It includes at least one.
fn shown_whole(bytes: &[u8]) -> usize {
    let (mut at, mut length) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        let invalid = (!chunk.invalid().is_empty())
            .then_some((char::REPLACEMENT_CHARACTER, chunk.invalid().len()));
        let valid = chunk.valid().chars().map(|c| (c, c.len_utf8()));
        for (c, taken) in valid.chain(invalid) {
            length += shown(c).len();
            if length > LONGEST_SHOWN {
                return at;
            }
            at += taken;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::text::sanitize_for_terminal;

    #[test]
    fn a_line_may_come_in_pieces() {
        let (mut lines, none) = (Lines::default(), Secrets::default());
        assert!(lines.push(b"on", &none).is_empty());
        assert_eq!(lines.push(b"e\n\r\n\ntwo\nth", &none), ["one", "two"]);
        assert_eq!(lines.end(&none), ["th"]);
        assert!(lines.end(&none).is_empty());
    }

    #[test]
    fn the_pieces_of_a_long_line_are_shown_whole() {
        for (c, whole) in [
            ("x", 2_000),
            ("\u{e9}", 1_000),
            ("\u{20ac}", 666),
            ("\u{1b}", 333),
        ] {
            let text = "-".to_owned() + &c.repeat(3 * whole);
            let (mut lines, none) = (Lines::default(), Secrets::default());
            // A write may end within a character.
            let mut pieces = Vec::new();
            for bytes in text.as_bytes().chunks(7) {
                pieces.extend(lines.push(bytes, &none));
            }
            pieces.extend(lines.end(&none));
            assert_eq!(pieces.concat(), text);
            assert!(pieces.len() <= 4, "{} pieces", pieces.len());
            for piece in pieces {
                let shown = sanitize_for_terminal(&piece);
                assert!(shown.len() <= LONGEST_SHOWN, "{shown}");
            }
        }
    }

    #[test]
    fn no_secret_is_cut() {
        let key = "k-0123456789-0123456789-0123456789-01234";
        let secrets = Secrets::of([("KEY".to_owned(), key.to_owned())].into());
        for before in (1_955..=2_005).chain(3_955..=4_095) {
            let text = "x".repeat(before) + key + &"y".repeat(3_000);
            for written in [7, text.len()] {
                let mut lines = Lines::default();
                let mut pieces = Vec::new();
                for bytes in text.as_bytes().chunks(written) {
                    pieces.extend(lines.push(bytes, &secrets));
                }
                pieces.extend(lines.end(&secrets));
                assert_eq!(pieces.concat(), text);
                let told = pieces.iter().filter(|piece| piece.contains(key)).count();
                assert_eq!(told, 1, "{before}");
            }
        }
    }
}
