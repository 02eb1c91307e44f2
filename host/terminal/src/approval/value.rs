//! The value that a person approves, as it is shown.

use std::io;

use portcullis::text::indented_json;

use crate::format::print_line;
use crate::style::NOTE;
use crate::{Out, Printable, text, units};

/// The most rows of a value that is shown whole: about as many as a person can read at once.
const WHOLE: usize = 40;
/// The rows that are shown of the beginning and of the end of a longer value.
const ENDS: usize = 12;

/// The rows of a value. Nothing is cut from them.
pub struct Value {
    rows: Vec<Printable>,
    bytes: usize,
}

impl Value {
    /// Returns the value in rows of at most `columns` columns. JSON is indented.
    pub fn new(value: &str, columns: usize) -> Self {
        let readable = indented_json(value);
        let lines = readable.split('\n').map(Printable::whole);
        Self {
            rows: lines.flat_map(|line| text::rows(&line, columns)).collect(),
            bytes: value.len(),
        }
    }

    /// Returns whether it has more rows than are shown at once.
    pub fn is_long(&self) -> bool {
        self.rows.len() > WHOLE
    }

    /// Writes all rows.
    pub fn write(&self, out: &mut Out) -> io::Result<()> {
        write_rows(out, &self.rows)
    }

    /// Writes the beginning and the end of a long value, and the size of the omitted part between
    /// them.
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

fn write_rows(out: &mut Out, rows: &[Printable]) -> io::Result<()> {
    rows.iter()
        .try_for_each(|row| print_line!(out, "  {}", row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_json_is_a_row() {
        let value = Value::new(r#"{"a":"rm -rf x","a":"ls\n"}"#, 100);
        let texts: Vec<_> = value.rows.iter().map(Printable::as_str).collect();
        assert_eq!(
            texts,
            ["{", r#"  "a": "rm -rf x","#, r#"  "a": "ls\n""#, "}"]
        );
    }

    #[test]
    fn what_has_no_width_is_not_free() {
        assert!(Value::new(&format!("a{}", "\u{301}".repeat(10_000)), 100).is_long());
    }
}
