//! The directory of one open workspace: locking, creating, restoring and removing it.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::snapshot;
use super::{WorkspaceConfig, WorkspaceError, copy, name};

/// The directory of lock files. They are never removed, so that all processes lock the same file.
const LOCKS: &str = ".locks";

/// A directory that only this process has open.
#[derive(Debug)]
pub(super) struct Directory {
    pub path: PathBuf,
    /// Its path while an eviction is unfinished.
    leaving: Option<PathBuf>,
    lock: File,
}

impl Directory {
    /// Opens the directory. Returns whether it was created, reopened or restored.
    pub(super) fn open(
        config: &WorkspaceConfig,
        name: &str,
    ) -> Result<(Self, &'static str), WorkspaceError> {
        let path = config.root.join(name);
        if let Some(snapshots) = &config.snapshots
            && snapshots.starts_with(&path)
        {
            return Err(name::bad(name, "the snapshots are kept there"));
        }
        let lock = lock(&config.root.join(LOCKS), name)?;
        let directory = Self {
            path,
            leaving: None,
            lock,
        };
        let came_to_be = directory.make(config, name)?;
        Ok((directory, came_to_be))
    }

    fn make(&self, config: &WorkspaceConfig, name: &str) -> Result<&'static str, WorkspaceError> {
        match fs::symlink_metadata(&self.path) {
            Ok(found) if found.is_dir() => return Ok("reopened"),
            Ok(_) => {
                let path = self.path.clone();
                return Err(WorkspaceError::NotADirectory { path });
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(WorkspaceError::io("reading", &self.path)(e)),
        }
        let Some(newest) = snapshot::newest(config, name)? else {
            fs::create_dir(&self.path).map_err(WorkspaceError::io("making", &self.path))?;
            return Ok("created");
        };
        let coming = passage(config, name, "coming");
        // The remains of a crash.
        copy::remove(&coming)?;
        copy::tree(&newest, &coming, u64::MAX)?;
        fs::rename(&coming, &self.path).map_err(WorkspaceError::io("naming", &self.path))?;
        Ok("restored from its newest snapshot")
    }

    /// Returns whether the directory still exists.
    pub(super) fn is_there(&self) -> bool {
        self.path.is_dir()
    }

    /// Returns whether the eviction has started.
    pub(super) fn is_leaving(&self) -> bool {
        self.leaving.is_some()
    }

    /// Starts the eviction: moves the directory in one step, so that a half-removed directory is
    /// never opened.
    pub(super) fn leave(
        &mut self,
        config: &WorkspaceConfig,
        name: &str,
    ) -> Result<(), WorkspaceError> {
        let leaving = passage(config, name, "leaving");
        // The remains of a crash.
        copy::remove(&leaving)?;
        fs::rename(&self.path, &leaving).map_err(WorkspaceError::io("moving away", &self.path))?;
        self.leaving = Some(leaving);
        Ok(())
    }

    /// Finishes the eviction.
    pub(super) fn remove(&self) -> Result<(), WorkspaceError> {
        self.leaving.as_deref().map_or(Ok(()), copy::remove)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // The time of the lock file is the last use of the workspace. If it cannot be set, the time
        // of the directory is a less exact value.
        let _ = self.lock.set_modified(SystemTime::now());
        // Unlocked explicitly, because a child process may have inherited the handle.
        let _ = self.lock.unlock();
    }
}

/// Returns the names of the workspaces in the root that were not used for some time, least recently
/// used first.
pub(super) fn idle(config: &WorkspaceConfig) -> Result<Vec<String>, WorkspaceError> {
    let entries = match fs::read_dir(&config.root) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(WorkspaceError::io("reading", &config.root))?,
    };
    let mut idle = Vec::new();
    for entry in entries {
        let entry = entry.map_err(WorkspaceError::io("reading", &config.root))?;
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        if name::check(&name).is_err() || !entry.path().is_dir() {
            continue;
        }
        let used = modified(&config.root.join(LOCKS).join(&name));
        let used = used.or_else(|| modified(&entry.path()));
        let used = used.unwrap_or(SystemTime::UNIX_EPOCH);
        if used.elapsed().unwrap_or_default() >= config.idle {
            idle.push((used, name));
        }
    }
    idle.sort();
    Ok(idle.into_iter().map(|(_, name)| name).collect())
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok()?.modified().ok()
}

/// Returns the path of a directory that is being restored or evicted. The path is in the root
/// itself: moving the directory to another parent needs write permission, which a tool may have
/// removed.
fn passage(config: &WorkspaceConfig, name: &str, way: &str) -> PathBuf {
    config.root.join(format!(".{name}.{way}"))
}

fn lock(locks: &Path, name: &str) -> Result<File, WorkspaceError> {
    fs::create_dir_all(locks).map_err(WorkspaceError::io("making", locks))?;
    let path = locks.join(name);
    let file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path)
        .map_err(WorkspaceError::io("opening", &path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(WorkspaceError::OpenElsewhere { name: name.into() }),
        Err(TryLockError::Error(e)) => Err(WorkspaceError::io("locking", &path)(e)),
    }
}
