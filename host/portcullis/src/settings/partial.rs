//! Settings of which something is wrong: they are looked at, and no hook runs with them.

use std::collections::BTreeMap;
use std::path::Path;

use super::{HookSettings, ScriptSettings, Settings, SettingsError};

/// The settings of a hooks directory without that which is wrong with them. A check reads on in them; no hook can be
/// loaded with them, since what is missing may be a grant, a limit or a whole guard.
#[derive(Debug)]
pub struct PartialSettings {
    pub(super) settings: Settings,
    pub(super) errors: Vec<SettingsError>,
}

impl PartialSettings {
    /// Reads the settings of a hooks directory; the defaults if it has none.
    pub fn of_dir(dir: &Path) -> Self {
        Settings::of_dir_partly(dir)
    }

    /// What is said of single hooks, by id.
    pub fn hooks(&self) -> &BTreeMap<String, HookSettings> {
        &self.settings.hooks
    }

    /// The hooks that are commands, by id.
    pub fn scripts(&self) -> &BTreeMap<String, ScriptSettings> {
        &self.settings.scripts
    }

    /// Everything that is wrong, sorted by line.
    pub fn errors(&self) -> &[SettingsError] {
        &self.errors
    }

    /// An error about the value at a path of keys: see [`Settings::error`].
    pub fn error(&self, keys: &[&str], problem: String) -> SettingsError {
        self.settings.error(keys, problem)
    }

    /// The settings, if nothing is wrong with them.
    pub(super) fn whole(self) -> Result<Settings, Vec<SettingsError>> {
        match self.errors.is_empty() {
            true => Ok(self.settings),
            false => Err(self.errors),
        }
    }

    /// What there is, and what is wrong with the rest. Only a check may have it.
    pub(crate) fn into_parts(self) -> (Settings, Vec<SettingsError>) {
        (self.settings, self.errors)
    }
}
