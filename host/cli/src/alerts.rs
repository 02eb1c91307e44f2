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
#[derive(Debug, Args)]
pub struct AlertsArg {
    /// A file whose `[[alerts]]` hold, such as an agent.toml. The rest of it means nothing here. Default: the file that
    /// `[alerts]` in the hooks directory's hooks.toml names.
    #[arg(long, value_name = "FILE")]
    alerts: Option<PathBuf>,
}

impl AlertsArg {
    /// Starts them, if a file is named that has some. The hooks are those that are put there.
    pub fn start(
        &self,
        dir: &Path,
        hooks: &Arc<OnceLock<Hooks>>,
    ) -> anyhow::Result<Option<Alerts>> {
        let path = match &self.alerts {
            Some(path) => Some(path.clone()),
            None => settings_of(dir)?.alerts_file,
        };
        let Some(path) = path else {
            return Ok(None);
        };
        let file = match AgentFile::load(&path) {
            Ok(file) => file,
            Err(errors) => {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                bail!("{}", errors.join("\n"));
            }
        };
        let hooks = hooks.clone();
        let current = move || hooks.get().cloned().into_iter().collect();
        Ok(file.start_alerts(current, EventSender::new(), None)?)
    }
}
