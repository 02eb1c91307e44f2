//! Texts of hooks, as the model and the user get them: marked as the hook's, and harmless.

use portcullis::text::{escape_hidden, sanitize_for_terminal};

/// The most bytes of a text of several lines.
const LONGEST: usize = 16 << 10;

/// No hook decided, for this reason.
pub(crate) fn undecided(what: &str, why: &str) -> String {
    format!("[{what}: {}]", line(why))
}

/// Returns a hook's text for the model, with the hook's name.
pub(crate) fn from_hook(by: &str, said: &str) -> String {
    format!("[From hook `{}`]\n{}", line(by), prose(said))
}

/// One line, cut at 2,000 bytes.
pub(crate) fn line(text: &str) -> String {
    sanitize_for_terminal(text)
}

/// Names of hooks in one line, to stand between two backquotes.
pub(crate) fn names(by: &[String]) -> String {
    line(&by.join("`, `"))
}

/// A reason that is not empty: some agents ignore an answer without one.
pub(crate) fn not_empty(reason: &str) -> &str {
    match reason.trim().is_empty() {
        true => "[The text is empty]",
        false => reason,
    }
}

/// Any number of lines, cut at 16 KiB.
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
