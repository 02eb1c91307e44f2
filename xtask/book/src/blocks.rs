//! Tables that are made, within pages that are written by hand.

use std::fmt::Write as _;

/// What stands between `<!-- made: NAME -->` and `<!-- end -->`.
#[derive(Debug, Clone)]
pub struct Block {
    name: String,
    text: String,
    used: bool,
}

impl Block {
    /// A block of that name.
    pub fn new(name: impl Into<String>, text: String) -> Self {
        Self {
            name: name.into(),
            text,
            used: false,
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a page has it.
    pub const fn is_used(&self) -> bool {
        self.used
    }
}

const BEGIN: &str = "<!-- made: ";
const END: &str = "<!-- end -->";

/// The page with up-to-date blocks.
///
/// # Errors
///
/// A block has no end, or there is none of its name.
pub fn fill(page: &str, blocks: &mut [Block]) -> anyhow::Result<String> {
    let mut filled = String::with_capacity(page.len());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        writeln!(filled, "{line}")?;
        let Some(name) = line.strip_prefix(BEGIN) else {
            continue;
        };
        let name = name.trim_end_matches("-->").trim();
        let block = blocks.iter_mut().find(|block| block.name == name);
        let block = block.ok_or_else(|| anyhow::anyhow!("there is no block `{name}`"))?;
        anyhow::ensure!(
            lines.any(|line| line == END),
            "the block `{name}` has no `{END}`"
        );
        write!(filled, "\n{}\n\n{END}\n", block.text.trim())?;
        block.used = true;
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::{Block, fill};

    #[test]
    fn only_what_is_between_the_comments_is_made() {
        let mut blocks = [Block::new("a", "new".into())];
        let page = "one\n<!-- made: a -->\nold\n<!-- end -->\ntwo\n";
        let filled = fill(page, &mut blocks).unwrap();
        assert_eq!(
            filled,
            "one\n<!-- made: a -->\n\nnew\n\n<!-- end -->\ntwo\n"
        );
        assert_eq!(fill(&filled, &mut blocks).unwrap(), filled);
        assert!(blocks[0].is_used());
    }

    #[test]
    fn a_block_must_be_known_and_have_an_end() {
        assert!(fill("<!-- made: b -->\n<!-- end -->\n", &mut []).is_err());
        let mut blocks = [Block::new("a", String::new())];
        assert!(fill("<!-- made: a -->\n", &mut blocks).is_err());
    }
}
