//! Output of which only the start and the end are kept.

use std::collections::VecDeque;

/// The maximum number of bytes that are kept of the start.
const HEAD: usize = 48 * 1024;

/// The maximum number of bytes that are kept of the end.
const TAIL: usize = 16 * 1024;

/// Output of any length, of which only the start and the end are kept.
#[derive(Debug, Default)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    cut: usize,
}

impl Capture {
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = HEAD.saturating_sub(self.head.len());
        let (head, tail) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(tail);
        let over = self.tail.len().saturating_sub(TAIL);
        self.tail.drain(..over);
        self.cut += over;
    }

    /// Returns the captured text, with a mark in place of the cut part.
    pub(super) fn into_text(self) -> String {
        let tail: Vec<u8> = self.tail.into();
        if self.cut == 0 {
            let whole = [self.head, tail].concat();
            return String::from_utf8_lossy(&whole).into_owned();
        }
        format!(
            "{}\n[… {} bytes cut …]\n{}",
            String::from_utf8_lossy(&self.head),
            self.cut,
            String::from_utf8_lossy(&tail)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_both_ends() {
        let mut capture = Capture::default();
        capture.push(b"begin ");
        capture.push(&vec![b'x'; HEAD]);
        assert!(!String::from_utf8_lossy(&capture.head).contains("cut"));
        capture.push(&vec![b'y'; TAIL * 3]);
        capture.push(b" end");
        assert!(capture.head.len() <= HEAD && capture.tail.len() <= TAIL);
        let text = capture.into_text();
        assert!(text.starts_with("begin xxx") && text.ends_with("yyy end"));
        let gone = HEAD + 6 + TAIL * 3 + 4 - HEAD - TAIL;
        assert!(text.contains(&format!("[… {gone} bytes cut …]")), "{gone}");
    }

    #[test]
    fn keeps_all_of_little() {
        let mut capture = Capture::default();
        capture.push("grü".as_bytes());
        capture.push("ße".as_bytes());
        assert_eq!(capture.into_text(), "grüße");
    }
}
