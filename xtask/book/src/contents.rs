//! The book's contents, for people who read its files.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

use crate::DOCS;

/// Returns a row for each part of `SUMMARY.md` with links to its pages. Pages below another page
/// are left out: that page links to them.
///
/// # Errors
///
/// There is no summary.
pub(crate) fn of(root: &Path) -> anyhow::Result<String> {
    let summary = root.join(DOCS).join("SUMMARY.md");
    let text = fs::read_to_string(&summary).with_context(|| summary.display().to_string())?;
    let mut table = String::from("| part | pages |\n| --- | --- |\n");
    for part in text.split("\n# ").skip(1) {
        let (title, pages) = part.split_once('\n').unwrap_or((part, ""));
        let pages: Vec<&str> = pages.lines().filter_map(|l| l.strip_prefix("- ")).collect();
        table.push_str(&format!("| {title} | {} |\n", pages.join(", ")));
    }
    Ok(table)
}
