//! Settings with errors: they can be inspected, but no hook runs with them.

use std::collections::BTreeMap;
use std::path::Path;

use super::{HookSettings, ScriptSettings, Settings, SettingsError};

/// The settings of a hooks directory without their wrong entries. A check continues with them. No
/// hook can be loaded with them, since a missing entry may be a grant, a limit or a whole guard.
#[derive(Debug)]
pub struct PartialSettings {
    pub(super) settings: Settings,
    pub(super) errors: Vec<SettingsError>,
}

impl PartialSettings {
    /// Reads the settings of a hooks directory, or returns the defaults if it has none.
    pub fn of_dir(dir: &Path) -> Self {
        Settings::of_dir_partly(dir)
    }

    /// Returns the settings of single hooks, by id.
    pub fn hooks(&self) -> &BTreeMap<String, HookSettings> {
        &self.settings.hooks
    }

    /// Returns the hooks that are commands, by id.
    pub fn scripts(&self) -> &BTreeMap<String, ScriptSettings> {
        &self.settings.scripts
    }

    /// Returns all errors, sorted by line.
    pub fn errors(&self) -> &[SettingsError] {
        &self.errors
    }

    /// Creates an error about the value at a path of keys: see [`Settings::error`].
    pub fn error(&self, keys: &[&str], problem: String) -> SettingsError {
        self.settings.error(keys, problem)
    }

    /// Returns the settings if they have no errors.
    pub(super) fn whole(self) -> Result<Settings, Vec<SettingsError>> {
        match self.errors.is_empty() {
            true => Ok(self.settings),
            false => Err(self.errors),
        }
    }

    /// Returns the valid settings and the errors of the rest. Only a check may use it.
    pub(crate) fn into_parts(self) -> (Settings, Vec<SettingsError>) {
        (self.settings, self.errors)
    }
}
