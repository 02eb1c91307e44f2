//! Fitting text into columns.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// How many columns a text takes.
pub fn columns(text: &str) -> usize {
    text.width()
}

/// The text, filled up with spaces.
pub fn pad(text: &str, to: usize) -> String {
    let missing = to.saturating_sub(columns(text));
    format!("{text}{:missing$}", "")
}

/// The text, with spaces before it.
pub fn pad_left(text: &str, to: usize) -> String {
    let missing = to.saturating_sub(columns(text));
    format!("{:missing$}{text}", "")
}

/// The beginning of the text; what is cut off is marked.
pub fn cut(text: &str, most: usize) -> String {
    if columns(text) <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut taken = 1;
    for c in text.chars() {
        taken += c.width().unwrap_or(0);
        if taken > most {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// The text in lines of at most `most` columns, broken at spaces where there are any.
pub fn wrap(text: &str, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let mut word = word.to_owned();
        if !line.is_empty() && columns(&line) + 1 + columns(&word) > most {
            lines.push(std::mem::take(&mut line));
        }
        while columns(&word) > most {
            let head: String = word.chars().take(most.max(1)).collect();
            word = word.chars().skip(most.max(1)).collect();
            lines.push(head);
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(&word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// The parts of two texts that differ, each with a little of what is around it.
///
/// A change of a few bytes in a long text is lost if both are simply cut.
pub fn difference(before: &str, after: &str, most: usize) -> (String, String) {
    let shared = before
        .chars()
        .zip(after.chars())
        .take_while(|(a, b)| a == b)
        .count();
    // Leave half of the room for what differs.
    let skipped = shared.saturating_sub(most / 2);
    let excerpt = |text: &str| {
        let tail: String = text.chars().skip(skipped).collect();
        match skipped {
            0 => cut(&tail, most),
            _ => cut(&format!("…{tail}"), most),
        }
    };
    (excerpt(before), excerpt(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_by_columns() {
        for (text, most, expected) in [
            ("abc", 3, "abc"),
            ("abcd", 3, "ab…"),
            ("日本語", 6, "日本語"),
            ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"),
            ("", 0, ""),
        ] {
            assert_eq!(cut(text, most), expected, "{text} at {most}");
        }
    }

    #[test]
    fn wraps_at_spaces_and_breaks_long_words() {
        assert_eq!(wrap("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrap("abcdefg hi", 3), ["abc", "def", "g", "hi"]);
        assert!(wrap("  ", 3).is_empty());
    }

    #[test]
    fn a_difference_far_in_is_shown() {
        let before = format!("{}secret{}", "x".repeat(100), "y".repeat(100));
        let after = format!("{}[redacted]{}", "x".repeat(100), "y".repeat(100));
        let (before, after) = difference(&before, &after, 30);
        assert!(
            before.starts_with('…') && before.contains("secret"),
            "{before}"
        );
        assert!(after.contains("[redacted]"), "{after}");
    }
}
