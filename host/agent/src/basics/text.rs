//! Helpers for text written by people, models and tools.

use std::borrow::Cow;

use portcullis::contract::{ContentPart, Message, Role};

/// Returns a message of text.
pub(crate) fn message(role: Role, text: impl Into<String>) -> Message {
    Message {
        role,
        content: vec![ContentPart::Text(text.into())],
    }
}

/// Returns the text parts, joined with nothing between them.
pub(crate) fn joined(parts: &[ContentPart]) -> String {
    parts
        .iter()
        .filter_map(|part| match part {
            ContentPart::Text(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// Returns the longest prefix of at most `bytes` bytes that ends between characters.
pub(crate) fn prefix(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// Returns the longest suffix of at most `bytes` bytes that starts between characters.
pub(crate) fn suffix(text: &str, bytes: usize) -> &str {
    let start = text.ceil_char_boundary(text.len().saturating_sub(bytes));
    text.get(start..).unwrap_or(text)
}

/// The longest mark that replaces cut text, in bytes.
const LONGEST_MARK: usize = "\n[… 18446744073709551615 bytes cut …]\n".len();

/// Returns the text. If it has more than `bytes` bytes, its middle is replaced by a mark. A text
/// that is longer by at most a mark is not cut, so that a cut text is not cut again.
pub(crate) fn cut(text: &str, bytes: usize) -> Cow<'_, str> {
    if text.len() <= bytes.saturating_add(LONGEST_MARK) {
        return Cow::Borrowed(text);
    }
    // The head identifies the text; the tail of long output is usually its result.
    let head = prefix(text, bytes - bytes / 4);
    let tail = suffix(text, bytes / 4);
    let gone = text.len() - head.len() - tail.len();
    Cow::Owned(format!("{head}\n[… {gone} bytes cut …]\n{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_between_characters_and_says_so() {
        assert_eq!(cut("short", 5), "short");
        let text = "ä".repeat(100);
        let short = cut(&text, 41);
        assert!(short.contains("bytes cut"), "{short}");
        assert!(short.starts_with('ä') && short.ends_with('ä'));
        let gone: usize = 200 - short.matches('ä').count() * 2;
        assert!(short.contains(&gone.to_string()), "{short}");
    }

    #[test]
    fn a_text_that_was_cut_is_not_cut_again() {
        for (length, bytes) in [
            (2_000, 1_000),
            (100, 0),
            (200, 3),
            (1_100, 1_000),
            (9, usize::MAX),
        ] {
            let text = "x".repeat(length);
            let once = cut(&text, bytes);
            assert_eq!(cut(&once, bytes), once, "{length} {bytes}");
            assert!(once.len() <= text.len(), "{length} {bytes}");
            assert!(once.len() <= bytes.saturating_add(LONGEST_MARK));
        }
    }

    #[test]
    fn joins_only_text() {
        let parts = [
            ContentPart::Text("a".into()),
            ContentPart::Thinking("hm".into()),
            ContentPart::Text("b".into()),
        ];
        assert_eq!(joined(&parts), "ab");
    }
}
