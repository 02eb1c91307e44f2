//! Texts of hooks for the model and the user: with the hook's name, and with hidden characters
//! escaped.

use portcullis::text::{escape_hidden, sanitize_for_terminal};

/// The most bytes of a text of several lines.
const LONGEST: usize = 16 << 10;

/// Returns the text for an event that no hook decided.
pub(crate) fn undecided(what: &str, why: &str) -> String {
    format!("[{what}: {}]", line(why))
}

/// Returns a hook's text for the model, with the hook's name.
pub(crate) fn from_hook(by: &str, said: &str) -> String {
    format!("[From hook `{}`]\n{}", line(by), prose(said))
}

/// Returns a text on one line, cut at 2,000 bytes.
pub(crate) fn line(text: &str) -> String {
    sanitize_for_terminal(text)
}

/// Returns the names of hooks on one line, for use between two backquotes.
pub(crate) fn names(by: &[String]) -> String {
    line(&by.join("`, `"))
}

/// Returns the reason, or a replacement for an empty one: some agents ignore an answer without a
/// reason.
pub(crate) fn not_empty(reason: &str) -> &str {
    match reason.trim().is_empty() {
        true => "[The text is empty]",
        false => reason,
    }
}

/// Returns a text of any number of lines, cut at 16 KiB.
pub(crate) fn prose(text: &str) -> String {
    let cut = text.get(..text.floor_char_boundary(LONGEST));
    let cut = cut.unwrap_or_default();
    let mut out = escape_hidden(cut, |c| matches!(c, '\n' | '\t'));
    if cut.len() < text.len() || out.len() > LONGEST {
        out.truncate(out.floor_char_boundary(LONGEST));
        out.push_str(" […cut]");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_harmless_and_bounded() {
        assert_eq!(
            prose("a\u{1b}[2J\n\tb\u{202e}"),
            "a\\u{1b}[2J\n\tb\\u{202e}"
        );
        for text in ["x", "\u{7f}"] {
            assert!(prose(&text.repeat(1 << 20)).len() < LONGEST + 20);
        }
    }
}
