//! The directory of one open workspace: locked, made or brought back, and removed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::snapshot;
use super::{WorkspaceConfig, WorkspaceError, copy, name};

/// Where locks lie. They are never removed: who waits for one must find the same file.
const LOCKS: &str = ".locks";

/// A directory that this process, and no other, has open.
#[derive(Debug)]
pub(super) struct Directory {
    pub path: PathBuf,
    /// Where it lies once an eviction has begun that could not be ended yet.
    leaving: Option<PathBuf>,
    lock: File,
}

impl Directory {
    /// Opens it, and says how it came to be.
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
        // Left by a crash.
        copy::remove(&coming)?;
        copy::tree(&newest, &coming, u64::MAX)?;
        fs::rename(&coming, &self.path).map_err(WorkspaceError::io("naming", &self.path))?;
        Ok("restored from its newest snapshot")
    }

    /// Whether it is still where it should be; someone else may have removed it.
    pub(super) fn is_there(&self) -> bool {
        self.path.is_dir()
    }

    /// Whether an eviction has begun.
    pub(super) fn is_leaving(&self) -> bool {
        self.leaving.is_some()
    }

    /// Begins its eviction: moves it aside in one step, so that no half of it is ever opened again.
    pub(super) fn leave(
        &mut self,
        config: &WorkspaceConfig,
        name: &str,
    ) -> Result<(), WorkspaceError> {
        let leaving = passage(config, name, "leaving");
        // Left by a crash.
        copy::remove(&leaving)?;
        fs::rename(&self.path, &leaving).map_err(WorkspaceError::io("moving away", &self.path))?;
        self.leaving = Some(leaving);
        Ok(())
    }

    /// Ends its eviction.
    pub(super) fn remove(&self) -> Result<(), WorkspaceError> {
        self.leaving.as_deref().map_or(Ok(()), copy::remove)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // Said explicitly: a process that is just being started may have a copy of the handle.
        let _ = self.lock.unlock();
    }
}

/// A directory on its way in or out. It lies in the root itself: moving it elsewhere would need
/// leave to write to it, which a tool may have taken away.
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
