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
        self.load(dir)?.map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            anyhow!("{}", errors.join("\n"))
        })
    }

    /// The same, with all that is wrong with the file. The error of a file that is not there has the line that names it.
    pub fn load(
        &self,
        dir: &Path,
    ) -> anyhow::Result<Result<Option<AgentFile>, Vec<SettingsError>>> {
        if let Some(path) = &self.alerts {
            return Ok(AgentFile::load(path).map(Some));
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
        Ok(AgentFile::load(path).map(Some))
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
