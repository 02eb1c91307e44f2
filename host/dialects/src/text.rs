//! Texts of hooks, as the model and the user get them: marked as the hook's, and harmless.

use portcullis::text::{is_hidden, sanitize_for_terminal};

/// The most bytes of a text of several lines.
const LONGEST: usize = 16 << 10;

/// No hook decided, for this reason.
pub(crate) fn undecided(what: &str, why: &str) -> String {
    format!("[{what}: {}]", line(why))
}

/// One line, cut at 2,000 bytes.
pub(crate) fn line(text: &str) -> String {
    sanitize_for_terminal(text)
}

/// Any number of lines, cut at 16 KiB.
pub(crate) fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST));
    for c in text.chars() {
        if out.len() >= LONGEST {
            out.push_str(" […cut]");
            break;
        }
        match c {
            '\n' | '\t' => out.push(c),
            c if is_hidden(c) => out.extend(c.escape_default()),
            c => out.push(c),
        }
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
        assert!(prose(&"x".repeat(1 << 20)).len() < LONGEST + 20);
    }
}
