//! The files that `trust`, `add` and the like read and write.

use std::path::Path;

use portcullis::hooks::{HooksError, LoadErrors};
use portcullis::lock::Lock;
use portcullis::settings::Settings;

/// The settings of a directory.
pub(crate) fn settings(dir: &Path) -> Result<Settings, HooksError> {
    Settings::of_dir(dir).map_err(|e| HooksError::Load(LoadErrors::from(e)))
}

/// The lock of a directory, if it has one.
pub(crate) fn lock(dir: &Path) -> Result<Option<Lock>, HooksError> {
    Lock::of_dir(dir).map_err(|error| HooksError::Load(LoadErrors(vec![error])))
}
