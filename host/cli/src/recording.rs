//! How commands that run no agent record calls: `--record`, and the settings of their hooks directory.

use std::path::Path;

use portcullis_store::RecordingOptions;

use crate::hooks::settings_of;

/// How calls are recorded, if `--record` or the table `[recording]` of the directory's hooks.toml says that they are.
pub fn options(hooks: &Path, record: bool) -> anyhow::Result<Option<RecordingOptions>> {
    let settings = settings_of(hooks)?;
    let Some(table) = settings
        .recording
        .clone()
        .or_else(|| record.then(Default::default))
    else {
        return Ok(None);
    };
    match RecordingOptions::of(&table) {
        Ok(options) => Ok(Some(options)),
        Err((key, error)) => Err(settings
            .error(&["recording", key], error.to_string())
            .into()),
    }
}
