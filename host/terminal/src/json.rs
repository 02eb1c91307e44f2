//! Writing for machines.

use std::io::Write as _;

use anyhow::Context as _;
use serde::Serialize;

/// Writes one document to the standard output.
pub fn document(value: &impl Serialize) -> anyhow::Result<()> {
    write(serde_json::to_string_pretty(value))
}

/// Writes one line to the standard output.
pub fn line(value: &impl Serialize) -> anyhow::Result<()> {
    write(serde_json::to_string(value))
}

fn write(text: serde_json::Result<String>) -> anyhow::Result<()> {
    let text = text.context("the output cannot be written as JSON")?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", escaped(&text))?;
    out.flush()?;
    Ok(())
}

/// Returns the document with escapes for characters that a terminal obeys or hides. They only occur
/// in strings, so that the document's value stays the same.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !portcullis::text::is_hidden(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_do_not_change_the_document() {
        let text = "a\u{1b}\u{9b}\u{202e}\u{e0041}é\n";
        let written = escaped(&serde_json::to_string_pretty(&[text]).unwrap());
        assert!(
            !written
                .chars()
                .any(|c| c != '\n' && portcullis::text::is_hidden(c))
        );
        let read: Vec<String> = serde_json::from_str(&written).unwrap();
        assert_eq!(read, [text]);
    }
}
