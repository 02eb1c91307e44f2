//! Text from hooks is hostile: before it reaches a terminal or a log it is made harmless.

/// The longest text of a hook's that is shown, in bytes.
const LONGEST: usize = 2_000;

/// The text with control characters shown as escapes, and cut at 2,000 bytes with a mark.
///
/// ```
/// assert_eq!(portcullis::printable("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
/// ```
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len().min(LONGEST));
    for c in text.chars() {
        if out.len() >= LONGEST {
            out.push_str(" […cut]");
            break;
        }
        // Bidirectional overrides reorder what a person reads.
        let hidden =
            c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if hidden {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
