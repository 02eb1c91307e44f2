//! The alerts of commands that run no agent: `--alerts`, and the settings of their hooks directory.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::bail;
use clap::Args;
use portcullis::Hooks;
use portcullis_agent::EventSender;
use portcullis_agent_file::AgentFile;
use portcullis_alerts::Alerts;

use crate::hooks::settings_of;

/// Which alerts hold.
#[derive(Debug, Default, Args)]
pub struct AlertsArg {
    /// A file with `[[alerts]]`, such as an agent.toml. Its other tables are ignored. Default: the file that
    /// `[alerts]` in the hooks directory's hooks.toml names.
    #[arg(long, value_name = "FILE")]
    alerts: Option<PathBuf>,
}

impl AlertsArg {
    /// The file of the alerts, if one is named.
    pub fn read(&self, dir: &Path) -> anyhow::Result<Option<AgentFile>> {
        let path = match &self.alerts {
            Some(path) => Some(path.clone()),
            None => settings_of(dir)?.alerts_file,
        };
        let Some(path) = path else {
            return Ok(None);
        };
        match AgentFile::load(&path) {
            Ok(file) => Ok(Some(file)),
            Err(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                bail!("{}", errors.join("\n"));
            }
        }
    }
}

/// Starts the alerts of a file, if it has some. The hooks are those that are put there.
pub fn start(file: &AgentFile, hooks: &Arc<OnceLock<Hooks>>) -> anyhow::Result<Option<Alerts>> {
    let hooks = hooks.clone();
    let current = move || hooks.get().cloned().into_iter().collect();
    Ok(file.start_alerts(current, EventSender::new(), None)?)
}

/// Logs which alerts of a file name a hook that is not there.
pub fn warn(file: &AgentFile, hooks: &Hooks) {
    for warning in file.alert_warnings([hooks]) {
        tracing::warn!("{warning}");
    }
}
