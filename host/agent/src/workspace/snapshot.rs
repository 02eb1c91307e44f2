//! Copies of workspaces: one directory each, named by the milliseconds since the Unix epoch.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{WorkspaceConfig, WorkspaceError, copy};
use crate::basics::units::now_ms;

/// The name of an incomplete copy.
const PARTIAL: &str = ".partial";

/// A finished copy.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub path: PathBuf,
    pub bytes: u64,
}

/// Copies the directory. An incomplete copy never has the name of a finished one.
pub(super) fn take(
    config: &WorkspaceConfig,
    name: &str,
    directory: &Path,
) -> Result<Snapshot, WorkspaceError> {
    let snapshots = config
        .snapshots
        .as_ref()
        .ok_or_else(|| WorkspaceError::NoSnapshots { name: name.into() })?
        .join(name);
    fs::create_dir_all(&snapshots).map_err(WorkspaceError::io("making", &snapshots))?;
    let partial = snapshots.join(PARTIAL);
    // The remains of a crash, because only the process that has the workspace open takes its
    // snapshots.
    copy::remove(&partial)?;
    let copied = copy::tree(directory, &partial, config.max_snapshot_bytes);
    let bytes = match copied {
        Ok(Some(bytes)) => bytes,
        failed => {
            let _ = copy::remove(&partial);
            failed?;
            let (name, max_bytes) = (name.into(), config.max_snapshot_bytes);
            return Err(WorkspaceError::TooLarge { name, max_bytes });
        }
    };
    let mut all = all(&snapshots)?;
    // The newest copy must have the highest number, even if the clock was set back.
    let after_newest = all.last().map_or(0, |newest| newest.saturating_add(1));
    let number = now_ms().max(after_newest);
    let path = snapshots.join(number.to_string());
    fs::rename(&partial, &path).map_err(WorkspaceError::io("naming", &path))?;
    all.push(number);
    let too_many = all.len().saturating_sub(config.max_snapshots.get());
    for old in all.iter().take(too_many) {
        if let Err(e) = copy::remove(&snapshots.join(old.to_string())) {
            tracing::warn!(workspace = name, "an old snapshot is left: {e}");
        }
    }
    Ok(Snapshot { path, bytes })
}

/// Returns the newest copy, if there is one.
pub(super) fn newest(
    config: &WorkspaceConfig,
    name: &str,
) -> Result<Option<PathBuf>, WorkspaceError> {
    let Some(snapshots) = &config.snapshots else {
        return Ok(None);
    };
    let snapshots = snapshots.join(name);
    let newest = all(&snapshots)?.pop();
    Ok(newest.map(|number| snapshots.join(number.to_string())))
}

/// Returns the numbers of all copies, oldest first.
fn all(snapshots: &Path) -> Result<Vec<u64>, WorkspaceError> {
    let entries = match fs::read_dir(snapshots) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(WorkspaceError::io("reading", snapshots))?,
    };
    let mut all = Vec::new();
    for entry in entries {
        let entry = entry.map_err(WorkspaceError::io("reading", snapshots))?;
        all.extend(
            entry
                .file_name()
                .to_str()
                .and_then(|n| n.parse::<u64>().ok()),
        );
    }
    all.sort_unstable();
    Ok(all)
}
