//! Files that pages show.
//!
//! A page shows a file, or a part of it, between `<!-- file: PATH -->` and `<!-- end -->`. The text
//! is written into the page, so that the page can be read as it is.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// Returns the text that a page in `dir` shows for `PATH`, or for `PATH:NAME`, which names the
/// lines between `ANCHOR: NAME` and `ANCHOR_END: NAME`. A page is shown as it is, any other file as
/// a code block.
///
/// # Errors
///
/// The file or the part does not exist, or the file's extension is of an unknown language.
pub(crate) fn shown(target: &str, dir: &Path) -> anyhow::Result<String> {
    let (file, anchor) = match target.split_once(':') {
        Some((file, anchor)) => (file, Some(anchor)),
        None => (target, None),
    };
    let path = dir.join(file);
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let text = match anchor {
        Some(anchor) => {
            part(&text, anchor).with_context(|| format!("{file} has no part `{anchor}`"))?
        }
        None => text,
    };
    let text = text.trim_end();
    let ending = path.extension().and_then(|ending| ending.to_str());
    let language = match ending.unwrap_or_default() {
        "md" => return Ok(text.to_owned()),
        "rs" => "rust",
        "py" => "python",
        ending @ ("c" | "cpp" | "go" | "js" | "toml" | "ts" | "zig") => ending,
        _ => anyhow::bail!("{file} is in no language that the book shows"),
    };
    Ok(format!("```{language}\n{text}\n```"))
}

fn part(text: &str, anchor: &str) -> Option<String> {
    let is = |line: &str, mark: &str| {
        let named = line.split_once(mark).map(|(_, name)| name.trim());
        named == Some(anchor)
    };
    let mut lines = text.lines();
    lines.find(|line| is(line, "ANCHOR: "))?;
    let part: Vec<&str> = lines
        .by_ref()
        .take_while(|line| !is(line, "ANCHOR_END: "))
        .collect();
    (!part.is_empty()).then(|| part.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn a_part_is_what_is_between_its_marks() {
        let text = "a\n// ANCHOR: x\nb\nc\n// ANCHOR_END: x\nd\n";
        assert_eq!(part(text, "x").as_deref(), Some("b\nc"));
        assert_eq!(part(text, "y"), None);
    }
}
