//! Generates parts of the book from the code: a page for each point from `wit/` and the host's own
//! table, the `hooks.toml` reference from the types that read it, and the command reference from
//! the command line.
//!
//! A page that is generated as a whole is a [`Page`]. A table in a hand-written page is a
//! [`Block`]: it stands between two comments, and only the text between them is generated. Code
//! samples are written into pages in the same way, from the files that are built.

mod blocks;
mod cli;
mod contents;
mod events;
mod files;
mod imports;
mod names;
mod points;
mod settings;
mod signatures;
mod text;
mod wit;

pub mod check;
pub mod html;
pub mod markdown;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

pub use blocks::{Block, by_hand, fill};

/// The book's directory, relative to the workspace.
pub const DOCS: &str = "docs";

/// The beginning of a page that is generated as a whole.
pub const MADE: &str =
    "<!-- Made by `cargo xtask docs`. Change what it is made from, not this. -->\n\n";

/// A page, or another file, that is generated as a whole.
#[derive(Debug, Clone)]
pub struct Page {
    /// The path, relative to the workspace.
    pub path: PathBuf,
    /// The text.
    pub text: String,
}

/// Returns everything that is generated, up to date: whole pages, and pages with blocks.
///
/// # Errors
///
/// `wit/` does not parse, or a page with blocks cannot be read.
pub fn made(root: &Path) -> anyhow::Result<Vec<Page>> {
    let wit = wit::Contract::read(root)?;
    let mut pages = points::pages(&wit)?;
    pages.push(Page {
        path: PathBuf::from(DOCS).join("reference/hooks.schema.json"),
        text: serde_json::to_string_pretty(&portcullis::settings::schema())? + "\n",
    });
    pages.push(Page {
        path: PathBuf::from(DOCS).join("reference/agent.schema.json"),
        text: serde_json::to_string_pretty(&portcullis_agent_file::schema())? + "\n",
    });
    pages.push(Page {
        path: PathBuf::from(DOCS).join("reference/case.schema.json"),
        text: serde_json::to_string_pretty(&portcullis_cli::case_schema())? + "\n",
    });
    pages.push(Page {
        path: PathBuf::from(DOCS).join("reference/explanation.schema.json"),
        text: serde_json::to_string_pretty(&portcullis_cli::explanation_schema())? + "\n",
    });
    pages.push(Page {
        path: PathBuf::from(DOCS).join("reference/protocol.schema.json"),
        text: serde_json::to_string_pretty(&portcullis_cli::protocol_schema())? + "\n",
    });
    pages.push(Page {
        path: PathBuf::from(DOCS).join("reference/scripted.schema.json"),
        text: serde_json::to_string_pretty(&portcullis_agent::Script::schema())? + "\n",
    });
    let mut blocks = vec![
        Block::new("point-list", points::contents()),
        Block::new("points", points::table()),
        Block::new("names", names::table()),
        Block::new("imports", imports::table()),
        Block::new("import-functions", imports::functions(&wit)?),
        Block::new("types", wit.types("types", "")?),
        Block::new("descriptor", wit.types("describe", "types.md")?),
        Block::new("cli", cli::reference()),
        Block::new("contents", contents::of(root)?),
    ];
    blocks.extend(events::blocks());
    blocks.extend(settings::blocks()?);
    blocks.extend(settings::agent_blocks()?);
    blocks.extend(settings::script_blocks()?);
    let made: Vec<PathBuf> = pages.iter().map(|page| page.path.clone()).collect();
    for path in written(root)? {
        let page = || path.display().to_string();
        let file = root.join(&path);
        let text = fs::read_to_string(&file).with_context(page)?;
        if !made.contains(&path) {
            let dir = file.parent().unwrap_or(root);
            let text = fill(&text, dir, &mut blocks).with_context(page)?;
            pages.push(Page { path, text });
        }
    }
    let unused = blocks.iter().filter(|block| !block.is_used());
    let unused: Vec<&str> = unused.map(Block::name).collect();
    anyhow::ensure!(unused.is_empty(), "no page has the blocks {unused:?}");
    Ok(pages)
}

/// Returns the existing pages, relative to the workspace: the book's, the README and SECURITY.md.
///
/// # Errors
///
/// A directory cannot be read.
pub fn written(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut pages = vec!["README.md".into(), "SECURITY.md".into()];
    let mut dirs = vec![PathBuf::from(DOCS)];
    while let Some(dir) = dirs.pop() {
        for entry in fs::read_dir(root.join(&dir)).context(dir.display().to_string())? {
            let entry = entry?;
            let path = dir.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}
