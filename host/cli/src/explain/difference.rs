//! The old and the new value of a field, in rows around the difference.

use anstyle::Style;
use portcullis_agent::FieldChange;
use portcullis_explain::{ChangeTag, TextDiff};

use crate::terminal::format::printable;
use crate::terminal::line::Line;
use crate::terminal::style::{DIM, GOOD, REFUSED};
use crate::terminal::{Printable, text, units};

/// The most rows of a text.
const ROWS: usize = 2;
/// The most changed lines of a field for which the old and the new line are shown.
const LINES: usize = 3;
/// The number of characters shown before and after a difference.
const BESIDE: usize = 20;
/// The fewest columns of a text, however narrow the terminal is.
const FEWEST: usize = 16;

/// The style and the sign of a side.
type Side = (Style, &'static str);

const BEFORE: Side = (REFUSED, "-");
const AFTER: Side = (GOOD, "+");

/// Returns the rows of a field, each of at most `columns` columns. Of a changed text, the lines
/// that differ are shown, and of a long line the part around the first difference.
pub(super) fn rows(change: &FieldChange, columns: usize) -> Vec<Line> {
    // The sign, the space after it and the mark for cut text take three columns.
    let room = columns.saturating_sub(3).max(FEWEST);
    match (change.before.as_deref(), change.after.as_deref()) {
        (Some(before), Some(after)) => both(before, after, room),
        (Some(before), None) => side(BEFORE, before, room),
        (None, Some(after)) => side(AFTER, after, room),
        (None, None) => Vec::new(),
    }
}

fn both(before: &str, after: &str, room: usize) -> Vec<Line> {
    let pairs = differing(before, after);
    let mut rows = Vec::new();
    for (old, new) in pairs.iter().take(LINES) {
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => {
                let (old, new) = distinct(old, new);
                let (old, new) = around(&old, &new, room);
                (Some(old), Some(new))
            }
            (old, new) => (old.map(alone), new.map(alone)),
        };
        rows.extend(old.into_iter().flat_map(|text| side(BEFORE, &text, room)));
        rows.extend(new.into_iter().flat_map(|text| side(AFTER, &text, room)));
    }
    if let more @ 1.. = pairs.len().saturating_sub(LINES) {
        let more = units::plural(more, "more line");
        rows.push(Line::styled(DIM, printable!("… and {}", more)));
    }
    rows
}

/// An old line, and the new line in its place.
type Pair<'a> = (Option<&'a str>, Option<&'a str>);

/// Returns the lines that differ, with their ends.
fn differing<'a>(before: &'a str, after: &'a str) -> Vec<Pair<'a>> {
    let (mut pairs, mut old, mut new) = (Vec::new(), Vec::new(), Vec::new());
    for (tag, line) in TextDiff::lines(before, after).changes() {
        match tag {
            ChangeTag::Delete => old.push(line),
            ChangeTag::Insert => new.push(line),
            ChangeTag::Equal => pair(&mut old, &mut new, &mut pairs),
        }
    }
    pair(&mut old, &mut new, &mut pairs);
    pairs
}

/// Pairs each old line with the new line in its place.
fn pair<'a>(old: &mut Vec<&'a str>, new: &mut Vec<&'a str>, into: &mut Vec<Pair<'a>>) {
    for index in 0..old.len().max(new.len()) {
        into.push((old.get(index).copied(), new.get(index).copied()));
    }
    old.clear();
    new.clear();
}

/// Returns two lines without their ends; between quotes if they differ only in the space at their
/// ends.
fn distinct(old: &str, new: &str) -> (String, String) {
    match old.trim_end() == new.trim_end() {
        true => (format!("{old:?}"), format!("{new:?}")),
        false => (without_end(old).to_owned(), without_end(new).to_owned()),
    }
}

/// Returns a line without its end; an empty line as its end.
fn alone(line: &str) -> String {
    match without_end(line) {
        "" => line.to_owned(),
        rest => rest.to_owned(),
    }
}

fn without_end(line: &str) -> &str {
    line.trim_end_matches(['\r', '\n'])
}

/// Returns two texts without most of their common start and end, if they do not fit.
fn around(old: &str, new: &str, room: usize) -> (String, String) {
    let fits = |text: &str| text::columns(&Printable::whole(text)) <= room;
    if fits(old) && fits(new) {
        return (old.to_owned(), new.to_owned());
    }
    let beside = BESIDE.min(room / 3);
    let same = |(old, new): &(char, char)| old == new;
    let head = old.chars().zip(new.chars()).take_while(same).count();
    let lengths = (old.chars().count(), new.chars().count());
    let rest = lengths.0.min(lengths.1).saturating_sub(head);
    let ends = old.chars().rev().zip(new.chars().rev());
    let tail = ends.take(rest).take_while(same).count();
    let from = head.saturating_sub(beside);
    let part = |text: &str, length: usize| {
        let to = (length.saturating_sub(tail) + beside).min(length);
        let kept = text.chars().skip(from).take(to.saturating_sub(from));
        let kept: String = kept.collect();
        let left = if from > 0 { "…" } else { "" };
        let right = if to < length { "…" } else { "" };
        format!("{left}{kept}{right}")
    };
    (part(old, lengths.0), part(new, lengths.1))
}

/// Returns a text after its sign.
fn side((style, sign): Side, text: &str, room: usize) -> Vec<Line> {
    let text = Printable::whole(text);
    let is_long = |word: &str| text::columns(&Printable::whole(word)) > room;
    // A word is not broken: its second part would be hard to find.
    let pieces = match text.as_str().split(' ').any(is_long) {
        true => vec![Line::styled(style, text::cut(&text, room))],
        false => {
            let mut pieces = Line::styled(style, text).wrap(room, 0);
            if pieces.len() > ROWS {
                pieces.truncate(ROWS);
                let last = pieces.pop();
                pieces.extend(last.map(|last| last.with(style, "…")));
            }
            pieces
        }
    };
    let numbered = pieces.into_iter().enumerate();
    let signed = numbered.map(|(index, piece)| {
        let sign = if index == 0 { sign } else { " " };
        Line::styled(style, printable!("{} ", sign)).joined(piece)
    });
    signed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of a change, without their styles.
    fn shown(before: Option<&str>, after: Option<&str>, columns: usize) -> Vec<String> {
        let change = FieldChange {
            path: "/content".into(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        };
        let plain = |line: Line| {
            // An escape is followed by a style, up to its `m`.
            let line = line.to_string();
            let pieces = line.split('\u{1b}').enumerate();
            let plain = pieces.filter_map(|(index, piece)| match index {
                0 => Some(piece),
                _ => piece.split_once('m').map(|(_, rest)| rest),
            });
            plain.collect::<String>()
        };
        rows(&change, columns).into_iter().map(plain).collect()
    }

    #[test]
    fn of_several_lines_those_that_differ_are_shown() {
        let before = "# Before the release\n\n[ ] write it\n[ ] ask ann@example.org\n[ ] rest\n";
        let after = before.replace("ann@example.org", "[REDACTED:email]");
        let rows = shown(Some(before), Some(&after), 47);
        assert_eq!(
            rows,
            ["- [ ] ask ann@example.org", "+ [ ] ask [REDACTED:email]"]
        );
        let many = "a\nb\nc\nd\ne\n";
        let rows = shown(Some(many), Some(&many.to_uppercase()), 47);
        assert_eq!(rows.len(), 7, "{rows:?}");
        assert_eq!(rows.last().unwrap(), "… and 2 more lines");
        let rows = shown(Some("a\n"), Some("a\nb\n"), 47);
        assert_eq!(rows, ["+ b"]);
    }

    #[test]
    fn of_a_long_line_the_part_around_the_difference_is_shown() {
        let long = |word: &str| format!("{} {word} {}", "ä b ".repeat(40), "y z ".repeat(40));
        let rows = shown(Some(&long("secret")), Some(&long("hidden")), 47);
        assert_eq!(
            rows,
            [
                "- … ä b ä b ä b  secret y z y z y z y…",
                "+ … ä b ä b ä b  hidden y z y z y z y…"
            ]
        );
    }

    #[test]
    fn both_sides_differ_however_little_has_changed() {
        for columns in [0, 5, 20, 47, 200] {
            for (before, after) in [("日本", "日本語"), ("a", "a "), ("a", "a\n")] {
                let rows = shown(Some(before), Some(after), columns);
                let [before, after] = rows.as_slice() else {
                    panic!("{rows:?}");
                };
                assert_ne!(before.get(1..), after.get(1..), "{rows:?}");
            }
        }
    }

    #[test]
    fn a_text_is_cut_where_a_row_ends() {
        let json = format!("[{{\"spec\":{{\"name\":\"{}\"}}}}]", "x".repeat(100));
        let rows = shown(None, Some(&json), 30);
        assert_eq!(rows, ["+ [{\"spec\":{\"name\":\"xxxxxxxx…"]);
        let rows = shown(None, Some(&"word ".repeat(30)), 30);
        assert_eq!(
            rows,
            ["+ word word word word word", "  word word word word word…"]
        );
        let rows = shown(Some("a\u{1b}[1mb"), None, 30);
        assert_eq!(rows, ["- a\\u{1b}[1mb"]);
    }
}
