//! The parts of hand-written pages that are generated: tables from the code, and files.

use std::fmt::Write as _;
use std::path::Path;

use crate::files;

/// The text between `<!-- made: NAME -->` and `<!-- end -->`.
#[derive(Debug, Clone)]
pub struct Block {
    name: String,
    text: String,
    used: bool,
}

impl Block {
    /// Creates a block.
    pub fn new(name: impl Into<String>, text: String) -> Self {
        Self {
            name: name.into(),
            text,
            used: false,
        }
    }

    /// Returns the block's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether a page contains the block.
    pub const fn is_used(&self) -> bool {
        self.used
    }
}

const MADE: &str = "made";
const FILE: &str = "file";
const END: &str = "<!-- end -->";

/// Other comments that may begin a line. Other programs generate the text between them.
const ELSEWHERE: &[&str] = &[
    "<!-- made by `cargo xtask mutate` -->",
    "<!-- rivals: begin -->",
    "<!-- rivals: end -->",
    "<!-- measured -->",
    "<!-- measured end -->",
];

/// The beginning of a comment that states why a test does not run the block of commands after it.
const NOT_RUN: &str = "<!-- not run: ";

/// Returns the kind and the name if the line begins a generated part: `<!-- KIND: NAME -->`.
fn begun(line: &str) -> Option<(&str, &str)> {
    let mark = line.strip_prefix("<!-- ")?.strip_suffix(" -->")?;
    let (kind, name) = mark.split_once(": ")?;
    [MADE, FILE].contains(&kind).then_some((kind, name))
}

/// Returns the page, which is in `dir`, with up-to-date blocks and files.
///
/// # Errors
///
/// A block has no end, no block has the name, or a file cannot be shown. A comment that begins or
/// ends nothing, such as a misspelt one, is an error too.
pub fn fill(page: &str, dir: &Path, blocks: &mut [Block]) -> anyhow::Result<String> {
    let mut filled = String::with_capacity(page.len());
    let mut lines = page.lines().zip(1..);
    while let Some((line, at)) = lines.next() {
        writeln!(filled, "{line}")?;
        let Some((kind, name)) = begun(line) else {
            anyhow::ensure!(
                !line.starts_with("<!--") || ELSEWHERE.contains(&line) || line.starts_with(NOT_RUN),
                "line {at}: `{line}` begins or ends nothing; a block is `<!-- {MADE}: NAME -->` or `<!-- {FILE}: PATH -->`, \
                 up to `{END}`"
            );
            continue;
        };
        let text = match kind {
            FILE => files::shown(name, dir)?,
            _ => {
                let block = blocks.iter_mut().find(|block| block.name == name);
                let block = block.ok_or_else(|| anyhow::anyhow!("there is no block `{name}`"))?;
                block.used = true;
                block.text.clone()
            }
        };
        anyhow::ensure!(
            lines
                .by_ref()
                .map(|(line, _)| line)
                .take_while(|line| begun(line).is_none())
                .any(|line| line == END),
            "line {at}: the block `{name}` has no `{END}`"
        );
        write!(filled, "\n{}\n\n{END}\n", text.trim())?;
    }
    Ok(filled)
}

/// Returns the page without its generated parts.
pub fn by_hand(page: &str) -> String {
    let mut is_made = false;
    let lines = page.lines().filter(|line| {
        is_made = (is_made || begun(line).is_some()) && *line != END;
        !is_made
    });
    lines.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Block, by_hand, fill};

    #[test]
    fn only_what_is_between_the_comments_is_made() {
        let mut blocks = [Block::new("a", "new".into())];
        let page = "one\n<!-- made: a -->\nold\n<!-- end -->\ntwo\n";
        let filled = fill(page, Path::new(""), &mut blocks).unwrap();
        assert_eq!(
            filled,
            "one\n<!-- made: a -->\n\nnew\n\n<!-- end -->\ntwo\n"
        );
        let again = fill(&filled, Path::new(""), &mut blocks).unwrap();
        assert_eq!(again, filled);
        assert_eq!(by_hand(&filled), "one\n<!-- end -->\ntwo\n");
        assert!(blocks[0].is_used());
    }

    #[test]
    fn a_block_must_be_known_and_have_an_end() {
        let here = Path::new("");
        assert!(fill("<!-- made: b -->\n<!-- end -->\n", here, &mut []).is_err());
        let mut blocks = [Block::new("a", String::new())];
        assert!(fill("<!-- made: a -->\n", here, &mut blocks).is_err());
    }

    #[test]
    fn a_comment_that_is_no_mark_is_an_error() {
        for comment in [
            "<!-- file:a.py -->",
            "<!-- files: a.py -->",
            "<!-- made: a-->",
            "<!-- not run -->",
            "<!-- end -->",
        ] {
            let error = fill(&format!("one\n{comment}\n"), Path::new(""), &mut []).unwrap_err();
            assert!(error.to_string().contains("line 2"), "{error}");
        }
        // A block without an end does not use the end of the next block.
        let mut blocks = [Block::new("a", String::new())];
        let page = "<!-- made: a -->\n<!-- made: a -->\n<!-- end -->\n";
        assert!(fill(page, Path::new(""), &mut blocks).is_err());
    }

    #[test]
    fn a_file_is_shown_as_code() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("a.py"), "print(1)\n").unwrap();
        let page = "<!-- file: a.py -->\n<!-- end -->\n";
        let filled = fill(page, dir.path(), &mut []).unwrap();
        let code = "<!-- file: a.py -->\n\n```python\nprint(1)\n```\n\n<!-- end -->\n";
        assert_eq!(filled, code);
        assert!(fill("<!-- file: b.py -->\n<!-- end -->\n", dir.path(), &mut []).is_err());
    }
}
