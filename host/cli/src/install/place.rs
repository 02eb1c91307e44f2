//! The places of agents' settings.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use directories::BaseDirs;
use portcullis_dialects::Dialect;

/// The settings to change.
#[derive(Debug, Args)]
pub struct PlaceArgs {
    /// The project's settings, in the working directory. This is the default.
    #[arg(long, conflicts_with = "user")]
    project: bool,
    /// The user's settings, for all projects.
    #[arg(long)]
    user: bool,
}

impl PlaceArgs {
    /// Returns the file.
    pub fn file(&self, agent: Dialect) -> anyhow::Result<PathBuf> {
        let (dir, file, variable) = match agent {
            Dialect::Claude => (".claude", "settings.json", Some("CLAUDE_CONFIG_DIR")),
            Dialect::Codex => (".codex", "hooks.json", Some("CODEX_HOME")),
            Dialect::Gemini => (".gemini", "settings.json", None),
        };
        if !self.user {
            return Ok(PathBuf::from(dir).join(file));
        }
        if let Some(set) = variable.and_then(std::env::var_os) {
            return Ok(PathBuf::from(set).join(file));
        }
        let dirs = BaseDirs::new().context("the user has no home directory; use --project")?;
        Ok(dirs.home_dir().join(dir).join(file))
    }
}
