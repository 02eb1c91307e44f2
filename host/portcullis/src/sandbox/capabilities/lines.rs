//! Bytes cut into lines.

/// A line that is longer is cut into several.
const LONGEST: usize = 4 << 10;

/// The line of a stream that has no end yet.
#[derive(Default)]
pub(super) struct Lines(Vec<u8>);

impl Lines {
    /// Whether no line has begun.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The lines that end in these bytes. Empty ones are left out.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            for part in piece.chunks(LONGEST) {
                self.0.extend_from_slice(part);
                if part.ends_with(b"\n") || self.0.len() >= LONGEST {
                    lines.extend(self.end());
                }
            }
        }
        lines
    }

    /// The line as it is; `None` if it is empty.
    pub(super) fn end(&mut self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.0).trim_end().to_owned();
        self.0.clear();
        (!text.is_empty()).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_come_in_pieces_and_a_long_one_is_cut() {
        let mut lines = Lines::default();
        assert!(lines.push(b"on").is_empty());
        assert_eq!(lines.push(b"e\n\r\n\ntwo\nth"), ["one", "two"]);
        assert_eq!(lines.end().as_deref(), Some("th"));
        assert_eq!(lines.end(), None);
        let long = lines.push(&vec![b'x'; 3 * LONGEST + 1]);
        assert_eq!(long.len(), 3);
        assert_eq!(lines.end().as_deref(), Some("x"));
    }
}
