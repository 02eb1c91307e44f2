//! Call recording in commands that run no agent: `--record`, and the settings of the hooks
//! directory.

use std::path::Path;

use portcullis::settings::{RecordingTable, Settings, SettingsError};
use portcullis_store::RecordingOptions;

use crate::hooks::settings_of;

/// Returns the recording options, if `--record` or the table `[recording]` of the directory's
/// hooks.toml turns recording on.
pub fn options(hooks: &Path, record: bool) -> anyhow::Result<Option<RecordingOptions>> {
    let settings = settings_of(hooks)?;
    let Some(table) = settings
        .recording
        .clone()
        .or_else(|| record.then(Default::default))
    else {
        return Ok(None);
    };
    Ok(Some(of(&settings, &table)?))
}

/// Returns the fault in the settings table `[recording]`, if it has one.
pub fn fault(settings: &Settings) -> Option<SettingsError> {
    let table = settings.recording.as_ref()?;
    of(settings, table).err()
}

fn of(settings: &Settings, table: &RecordingTable) -> Result<RecordingOptions, SettingsError> {
    RecordingOptions::of(table)
        .map_err(|(key, error)| settings.error(&["recording", key], error.to_string()))
}
