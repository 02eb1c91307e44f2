//! The value that a person approves, as it is shown.

use std::io;

use crate::format::print_line;
use crate::style::NOTE;
use crate::{Out, Printable, text, units};

/// The most rows of a value that is shown whole: about what a person can read at once.
const WHOLE: usize = 40;
/// The rows that are shown of the beginning and of the end of a longer value.
const ENDS: usize = 12;

/// The rows of a value. Nothing is cut from them.
pub struct Value {
    rows: Vec<Printable>,
    bytes: usize,
}

impl Value {
    /// The value in rows of so many columns. JSON is indented.
    pub fn new(value: &str, columns: usize) -> Self {
        let readable = match serde_json::from_str::<serde::de::IgnoredAny>(value) {
            Ok(_) => indented(value),
            Err(_) => value.to_owned(),
        };
        let lines = readable.split('\n').map(Printable::whole);
        Self {
            rows: lines.flat_map(|line| text::rows(&line, columns)).collect(),
            bytes: value.len(),
        }
    }

    /// Whether it has more rows than are shown at once.
    pub fn is_long(&self) -> bool {
        self.rows.len() > WHOLE
    }

    /// Writes all rows.
    pub fn write(&self, out: &mut Out) -> io::Result<()> {
        write_rows(out, &self.rows)
    }

    /// Writes the beginning and the end of a long value, and between them how much is not shown.
    pub fn write_ends(&self, out: &mut Out) -> io::Result<()> {
        let (head, rest) = self.rows.split_at(ENDS.min(self.rows.len()));
        let (hidden, tail) = rest.split_at(rest.len().saturating_sub(ENDS));
        write_rows(out, head)?;
        print_line!(
            out,
            "  {NOTE}… {} of {} are not shown ({} bytes in all); `show` shows them{NOTE:#}",
            units::count(hidden.len() as u64),
            units::plural(self.rows.len(), "row"),
            units::count(self.bytes as u64)
        )?;
        write_rows(out, tail)
    }
}

/// JSON with line breaks and indents. It is the text itself that is indented, not what a parser makes of it:
/// a key that is there twice stays, and so do all digits of a number.
pub fn indented(json: &str) -> String {
    let mut out = String::new();
    let (mut level, mut in_string, mut escaped) = (0_usize, false, false);
    let mut chars = json.chars().peekable();
    let line = |out: &mut String, level: usize| {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", level));
    };
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            in_string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            continue;
        }
        match c {
            c if c.is_ascii_whitespace() => {}
            '{' | '[' => {
                out.push(c);
                while chars.next_if(char::is_ascii_whitespace).is_some() {}
                match chars.next_if(|c| matches!(c, '}' | ']')) {
                    Some(end) => out.push(end),
                    None => {
                        level += 1;
                        line(&mut out, level);
                    }
                }
            }
            '}' | ']' => {
                level = level.saturating_sub(1);
                line(&mut out, level);
                out.push(c);
            }
            ',' => {
                out.push(c);
                line(&mut out, level);
            }
            ':' => out.push_str(": "),
            c => {
                in_string = c == '"';
                out.push(c);
            }
        }
    }
    out
}

fn write_rows(out: &mut Out, rows: &[Printable]) -> io::Result<()> {
    rows.iter()
        .try_for_each(|row| print_line!(out, "  {}", row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_as_it_is() {
        let json = r#"{"a":"rm -rf x", "a":"ls","n":[1.00000000000000000001,{}, []],"s":"{\"b\\"}"#;
        let expected = r#"{
  "a": "rm -rf x",
  "a": "ls",
  "n": [
    1.00000000000000000001,
    {},
    []
  ],
  "s": "{\"b\\"
}"#;
        assert_eq!(indented(json), expected);
        let rows: Vec<_> = Value::new(json, 100).rows;
        assert_eq!(rows.len(), expected.lines().count());
    }

    #[test]
    fn what_has_no_width_is_not_free() {
        assert!(Value::new(&format!("a{}", "\u{301}".repeat(10_000)), 100).is_long());
    }
}
