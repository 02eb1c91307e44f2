//! Fitting text into columns.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::printable::Printable;

/// Returns a text's width in columns.
pub fn columns(text: &Printable) -> usize {
    width(&text.0)
}

/// Returns the width in columns of a piece of text.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// Returns the text, padded at its end with spaces to `to` columns.
pub fn pad(text: impl Into<Printable>, to: usize) -> Printable {
    let text = text.into();
    let missing = to.saturating_sub(columns(&text));
    Printable(format!("{text}{:missing$}", ""))
}

/// Returns the text, padded at its start with spaces to `to` columns.
pub fn pad_left(text: impl Into<Printable>, to: usize) -> Printable {
    let text = text.into();
    let missing = to.saturating_sub(columns(&text));
    Printable(format!("{:missing$}{text}", ""))
}

/// Returns the beginning of the text, with a mark if it is cut.
pub fn cut(text: &Printable, most: usize) -> Printable {
    if columns(text) <= most {
        return text.clone();
    }
    let mut out = String::new();
    let mut taken = 1;
    for c in text.0.chars() {
        taken += c.width().unwrap_or(0);
        if taken > most {
            break;
        }
        out.push(c);
    }
    out.push('…');
    Printable(out)
}

/// Returns the text in lines of at most `most` columns, broken at spaces where there are any.
pub fn wrap(text: &Printable, most: usize) -> Vec<Printable> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.0.split_whitespace() {
        let mut word = word.to_owned();
        if !line.is_empty() && width(&line) + 1 + width(&word) > most {
            lines.push(std::mem::take(&mut line));
        }
        while width(&word) > most {
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
    lines.into_iter().map(Printable).collect()
}

/// Returns the whole text in rows of at most `most` columns, spaces included.
pub fn rows(text: &Printable, most: usize) -> Vec<Printable> {
    let mut rows = Vec::new();
    let (mut row, mut taken) = (String::new(), 0);
    for c in text.0.chars() {
        // Every character counts at least one column: otherwise combining characters could make a
        // row of any length.
        let more = c.width().unwrap_or(0).max(1);
        if taken + more > most && !row.is_empty() {
            rows.push(Printable(std::mem::take(&mut row)));
            taken = 0;
        }
        row.push(c);
        taken += more;
    }
    rows.push(Printable(row));
    rows
}

/// Returns the parts of two texts that differ, each with a little context.
///
/// A change of a few bytes in a long text is lost if both are simply cut.
pub fn difference(before: &Printable, after: &Printable, most: usize) -> (Printable, Printable) {
    let shared = before
        .0
        .chars()
        .zip(after.0.chars())
        .take_while(|(a, b)| a == b)
        .count();
    // Leave half of the room for the difference.
    let skipped = shared.saturating_sub(most / 2);
    let excerpt = |text: &Printable| {
        let tail: String = text.0.chars().skip(skipped).collect();
        match skipped {
            0 => cut(&Printable(tail), most),
            _ => cut(&Printable(format!("…{tail}")), most),
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
            assert_eq!(
                cut(&text.into(), most).as_str(),
                expected,
                "{text} at {most}"
            );
        }
    }

    fn wrapped(text: &str, most: usize) -> Vec<String> {
        let lines = wrap(&text.into(), most);
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn wraps_at_spaces_and_breaks_long_words() {
        assert_eq!(wrapped("a bc def", 4), ["a bc", "def"]);
        assert_eq!(wrapped("abcdefg hi", 3), ["abc", "def", "g", "hi"]);
        assert!(wrapped("  ", 3).is_empty());
    }

    #[test]
    fn rows_keep_everything() {
        for text in ["", "abc", "abcd  efgh", "日本語 abc", "   "] {
            let rows = rows(&text.into(), 4);
            assert!(rows.iter().all(|row| columns(row) <= 4), "{rows:?}");
            assert_eq!(Printable::join(rows, "").as_str(), text);
        }
    }

    #[test]
    fn a_difference_far_in_is_shown() {
        let before = format!("{}secret{}", "x".repeat(100), "y".repeat(100));
        let after = format!("{}[redacted]{}", "x".repeat(100), "y".repeat(100));
        let (before, after) = difference(&before.into(), &after.into(), 30);
        let (before, after) = (before.as_str(), after.as_str());
        assert!(
            before.starts_with('…') && before.contains("secret"),
            "{before}"
        );
        assert!(after.contains("[redacted]"), "{after}");
    }
}
