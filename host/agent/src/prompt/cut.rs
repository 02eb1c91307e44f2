//! Cutting a text at its end.

use crate::basics::text;

/// The mark of a cut. It counts against the text's limit.
const MARK: &str = "[cut]";

/// Returns the start of the text and the mark, in at most `room` bytes; `None` if only the first
/// `heading` bytes of the text would remain.
pub(super) fn end(text: &str, heading: usize, room: usize) -> Option<String> {
    // The mark is on its own line or after a space.
    let most = room.checked_sub(MARK.len() + 1)?;
    let kept = text::prefix(text, most);
    let (kept, between) = tidy(text, kept, heading);
    let kept = kept.trim_end();
    (kept.len() > heading).then(|| format!("{kept}{between}{MARK}"))
}

/// Returns the text up to the last end of a line, or else of a word, if enough text remains; and
/// the character before the mark.
fn tidy<'a>(text: &str, kept: &'a str, heading: usize) -> (&'a str, char) {
    let next = text.get(kept.len()..).and_then(|rest| rest.chars().next());
    let shortest = |share: usize| heading + (kept.len().saturating_sub(heading) * share / 4);
    let upto = |at: Option<usize>, share| {
        at.filter(|at| *at > heading && *at >= shortest(share))
            .and_then(|at| kept.get(..at))
    };
    if next == Some('\n') {
        return (kept, '\n');
    }
    if let Some(lines) = upto(kept.rfind('\n'), 3) {
        return (lines, '\n');
    }
    if next.is_some_and(char::is_whitespace) {
        return (kept, ' ');
    }
    match upto(kept.rfind(char::is_whitespace), 2) {
        Some(words) => (words, ' '),
        None => (kept, ' '),
    }
}

#[cfg(test)]
mod tests {
    use super::end;

    #[test]
    fn table() {
        for (name, text, heading, room, expected) in [
            (
                "at a word",
                "one two three four",
                0,
                16,
                Some("one two [cut]"),
            ),
            (
                "at a word's own end",
                "one two three",
                0,
                13,
                Some("one two [cut]"),
            ),
            (
                "at a line",
                "one two\nthree four",
                0,
                16,
                Some("one two\n[cut]"),
            ),
            (
                "a line too far back",
                "a\nb c d e f g h i j",
                0,
                20,
                Some("a\nb c d e f g [cut]"),
            ),
            (
                "within a long word",
                "abcdefghijklmnop",
                0,
                10,
                Some("abcd [cut]"),
            ),
            ("between characters", "ääääääää", 0, 11, Some("ää [cut]")),
            ("no room for the mark", "abcdefgh", 0, 5, None),
            ("no room for anything else", "abcdefgh", 0, 6, None),
            ("a heading alone is nothing", "## T\nabcdefgh", 5, 11, None),
            (
                "a heading and a piece",
                "## T\nabcdefgh",
                5,
                13,
                Some("## T\nab [cut]"),
            ),
        ] {
            assert_eq!(end(text, heading, room).as_deref(), expected, "{name}");
        }
    }
}
