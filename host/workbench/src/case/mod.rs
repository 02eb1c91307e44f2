//! Cases: what a hook is given at a point, and what must come of it, one TOML file each.
//!
//! The format is told in `docs/cases.md`.

mod bare;
mod compare;
mod error;
mod expect;
mod file;
mod moment;
mod setup;
mod short;
mod source;
mod update;

use std::path::{Path, PathBuf};

use portcullis::Views;
use portcullis::contract::Context;
use portcullis::points::PointId;
use serde_json::Value;

pub(crate) use bare::bare;
pub(crate) use compare::all;
pub use compare::{Difference, compare};
pub use error::CaseError;
pub use expect::Expect;
pub use update::{UpdateError, update};

use crate::play::Setup;

/// A case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name: that of its file, without the ending.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// What it is about.
    pub about: Option<String>,
    /// The point.
    pub point: PointId,
    /// Where in the agent's life the call happens.
    pub context: Context,
    /// The point's record, in the JSON form.
    pub input: Value,
    /// What the hook sees.
    pub views: Views,
    /// What another hook has answered before, in the JSON form.
    pub before: Option<Value>,
    /// What the hook is configured with, granted and remembers.
    pub setup: Setup,
    /// What must come of it; a case without fails.
    pub expect: Option<Expect>,
}

impl Case {
    /// Reads a case.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file.
    pub fn read(path: &Path) -> Result<Self, Vec<CaseError>> {
        match std::fs::read_to_string(path) {
            Ok(text) => Self::parse(path, &text),
            Err(e) => Err(vec![CaseError::unreadable(path, &e)]),
        }
    }

    /// Reads a case from text. `path` is what errors call it.
    ///
    /// # Errors
    ///
    /// All that is wrong with the text.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Vec<CaseError>> {
        file::parse(path, text)
    }
}
