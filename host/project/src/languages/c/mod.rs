//! C.

use std::path::PathBuf;

use include_dir::{Dir, include_dir};

use super::Toolchain;
use crate::build::{BuildError, Work};

static TEMPLATES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/templates/c");

/// The language.
pub(super) struct C;

impl Toolchain for C {
    fn templates(&self) -> &'static Dir<'static> {
        &TEMPLATES
    }

    fn sdk(&self) -> Vec<(PathBuf, Vec<u8>)> {
        Vec::new()
    }

    fn build(&self, work: &mut Work<'_>) -> Result<Vec<u8>, BuildError> {
        let _ = work.python(&["ziglang"])?;
        todo!()
    }
}
