//! The promises of SECURITY.md, and the tests of each.

use std::fs;
use std::path::Path;

use crate::{Error, Result};

/// A row of the table of promises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// The promise.
    pub text: String,
    /// The names of its tests and attacks.
    pub tests: Vec<String>,
}

/// Reads the table.
///
/// # Errors
///
/// SECURITY.md cannot be read.
pub fn read(root: &Path) -> Result<Vec<Promise>> {
    let path = root.join("SECURITY.md");
    let text = fs::read_to_string(&path).map_err(|e| Error::file("read", &path, &e))?;
    Ok(text.lines().filter_map(promise).collect())
}

fn promise(line: &str) -> Option<Promise> {
    let row = line.strip_prefix("| ")?.strip_suffix(" |")?;
    let (text, tests) = row.rsplit_once(" | ")?;
    let tests: Vec<String> = tests
        .split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect();
    (!tests.is_empty()).then(|| Promise {
        text: text.to_owned(),
        tests,
    })
}
