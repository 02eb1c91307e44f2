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
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}
