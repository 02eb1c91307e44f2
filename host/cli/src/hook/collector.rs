//! A record of collectors that do not answer. An agent waits for each event, so nothing is sent for
//! a while to a collector that did not answer.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use portcullis::verdict::Digest;

use crate::files::state_dir;

/// The time for which nothing is sent to a collector that did not answer.
const AWAY: Duration = Duration::from_secs(60);

/// The collector of a hooks directory.
pub struct Collector {
    /// The file that is written when the collector did not answer; `None` if the user has no home
    /// directory.
    away: Option<PathBuf>,
}

impl Collector {
    /// Returns the collector of this hooks directory.
    pub fn of(hooks: &Path) -> Self {
        let directory = Digest::of(hooks.as_os_str().as_encoded_bytes()).to_string();
        let name = format!("collector-away-{}", directory.replace(':', "-"));
        Self {
            away: state_dir().map(|dir| dir.join(name)),
        }
    }

    /// Returns whether the collector failed to answer within the last minute.
    pub fn is_away(&self) -> bool {
        let away = self.away.as_ref();
        let modified = away.and_then(|file| fs::metadata(file).ok()?.modified().ok());
        // A time in the future comes from another clock.
        modified.is_some_and(|modified| modified.elapsed().is_ok_and(|since| since < AWAY))
    }

    /// Records that the collector did not answer. If this cannot be written, the next event waits
    /// too.
    pub fn did_not_answer(&self) {
        let Some(file) = &self.away else { return };
        let written = file
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(file, ""));
        if let Err(error) = written {
            tracing::warn!("{} cannot be written: {error}", file.display());
        }
    }
}
