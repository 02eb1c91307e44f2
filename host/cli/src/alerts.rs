//! The alerts of commands that run no agent: `--alerts`, and the settings of their hooks directory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::anyhow;
use clap::Args;
use portcullis::Hooks;
use portcullis::settings::SettingsError;
use portcullis_agent::EventSender;
use portcullis_agent_file::AgentFile;
use portcullis_alerts::Alerts;

use crate::hooks::settings_of;

/// The file with the alerts.
#[derive(Debug, Default, Args)]
pub struct AlertsArg {
    /// A file with `[[alerts]]`, such as an agent.toml. Its other tables are ignored. Default: the file that
    /// `[alerts]` in the hooks directory's hooks.toml names.
    #[arg(long, value_name = "FILE")]
    alerts: Option<PathBuf>,
}

impl AlertsArg {
    /// Returns the file of the alerts, if one is named.
    pub fn read(&self, dir: &Path) -> anyhow::Result<Option<AgentFile>> {
        self.load(dir)?.map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            anyhow!("{}", errors.join("\n"))
        })
    }

    /// Like [`Self::read`], but returns all faults of the file and of its alerts. If the file is missing, the error
    /// has the line that names it.
    pub fn load(
        &self,
        dir: &Path,
    ) -> anyhow::Result<Result<Option<AgentFile>, Vec<SettingsError>>> {
        if let Some(path) = &self.alerts {
            return Ok(with_alerts(path));
        }
        let settings = settings_of(dir)?;
        let Some(path) = &settings.alerts_file else {
            return Ok(Ok(None));
        };
        if !path.is_file() {
            let problem = format!(
                "`file` in [alerts]: there is no file {}; name one that exists, or remove [alerts]",
                path.display()
            );
            return Ok(Err(vec![settings.error(&["alerts", "file"], problem)]));
        }
        Ok(with_alerts(path))
    }
}

/// Reads a file whose alerts can start.
fn with_alerts(path: &Path) -> Result<Option<AgentFile>, Vec<SettingsError>> {
    let file = AgentFile::load(path)?;
    let errors = file.alert_errors();
    match errors.is_empty() {
        true => Ok(Some(file)),
        false => Err(errors),
    }
}

/// Starts the file's alerts, if it has some. `hooks` is set once the hooks are loaded.
pub fn start(file: &AgentFile, hooks: &Arc<OnceLock<Hooks>>) -> anyhow::Result<Option<Alerts>> {
    let hooks = hooks.clone();
    let current = move || hooks.get().cloned().into_iter().collect();
    Ok(file.start_alerts(current, EventSender::new(), None)?)
}

/// Logs a warning for each alert that names a missing hook.
pub fn warn(file: &AgentFile, hooks: &Hooks) {
    for warning in file.alert_warnings([hooks]) {
        tracing::warn!("{warning}");
    }
}
