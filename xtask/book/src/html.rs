//! The book as HTML.

use std::path::Path;

use mdbook_driver::MDBook;
use mdbook_driver::config::Config;

use crate::DOCS;

/// Builds the book into a directory, with an index that the reader's browser searches.
///
/// # Errors
///
/// The book's settings, its summary or a page cannot be read, or a file cannot be written.
pub fn build(root: &Path, into: &Path) -> anyhow::Result<()> {
    let docs = root.join(DOCS);
    let mut config = Config::from_disk(docs.join("book.toml"))?;
    config.build.build_dir = into.to_owned();
    MDBook::load_with_config(docs, config)?.build()
}
