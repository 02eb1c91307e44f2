//! Writes a run into the book: the table between two marks of the page, and the plot beside it.

use std::fs;
use std::path::Path;

use anyhow::Context;

use super::{Report, markdown, svg};

const BEGIN: &str = "<!-- rivals: begin -->";
const END: &str = "<!-- rivals: end -->";

/// Writes the table and the plot into the directory of the page.
pub fn write(report: &Report, dir: &Path) -> anyhow::Result<()> {
    let page = dir.join("rivals.md");
    let text = fs::read_to_string(&page).with_context(|| page.display().to_string())?;
    let (before, rest) = text.split_once(BEGIN).context("the page has no mark")?;
    let (_, after) = rest
        .split_once(END)
        .context("the page has no second mark")?;
    let table = markdown(report);
    fs::write(&page, format!("{before}{BEGIN}\n{table}{END}{after}"))?;
    fs::write(dir.join("rivals.svg"), svg(report))?;
    Ok(())
}
