//! Waiting for changes of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use portcullis::verdict::Digest;
use tokio::sync::mpsc;

/// The quiet time after which a change is complete: editors write in several steps.
const QUIET: Duration = Duration::from_millis(100);
/// Directories that builds write to.
const BUILT: [&str; 7] = [
    "build",
    "target",
    "node_modules",
    "dist",
    "__pycache__",
    ".git",
    ".venv",
];
/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// The error that files cannot be watched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WatchError {
    /// The system does not report changes.
    #[error("changes cannot be watched: {0}; the system may limit the number of watches")]
    Notify(#[from] notify::Error),
}

/// A watch on the content of files. A file that was touched, or rewritten with the same bytes, has
/// not changed.
#[derive(Debug)]
pub struct Watch {
    paths: Vec<PathBuf>,
    changes: mpsc::Receiver<()>,
    seen: BTreeMap<PathBuf, Digest>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches files and directories, except for build outputs.
    ///
    /// # Errors
    ///
    /// The system cannot report changes.
    pub fn new(paths: &[PathBuf]) -> Result<Self, WatchError> {
        // One notification is enough, because changes are found by comparing digests.
        let (tell, changes) = mpsc::channel(1);
        let mut watcher =
            notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
                let only_read = event.is_ok_and(|event| event.kind.is_access());
                if !only_read {
                    let _ = tell.try_send(());
                }
            })?;
        let paths: Vec<PathBuf> = paths
            .iter()
            .map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone()))
            .collect();
        for path in &paths {
            // A replaced file is reported only by its directory.
            let (dir, mode) = match path.is_dir() {
                true => (path.as_path(), RecursiveMode::Recursive),
                false => (there(path), RecursiveMode::NonRecursive),
            };
            watcher.watch(dir, mode)?;
        }
        let seen = look(&paths);
        Ok(Self {
            paths,
            changes,
            seen,
            _watcher: watcher,
        })
    }

    /// Waits for a complete change. Returns the files that are new, removed or changed.
    pub async fn changed(&mut self) -> Vec<PathBuf> {
        loop {
            let _ = self.changes.recv().await;
            while tokio::time::timeout(QUIET, self.changes.recv())
                .await
                .is_ok()
            {}
            let now = look(&self.paths);
            let before = std::mem::replace(&mut self.seen, now);
            let mut changed: Vec<PathBuf> = self
                .seen
                .iter()
                .filter(|(path, digest)| before.get(*path) != Some(digest))
                .map(|(path, _)| path.clone())
                .chain(
                    before
                        .keys()
                        .filter(|path| !self.seen.contains_key(*path))
                        .cloned(),
                )
                .collect();
            changed.sort();
            if !changed.is_empty() {
                return changed;
            }
        }
    }
}

/// Returns the nearest existing directory above a path.
fn there(path: &Path) -> &Path {
    let above = path.ancestors().skip(1);
    above.into_iter().find(|dir| dir.is_dir()).unwrap_or(path)
}

/// Returns the files under these paths.
fn look(paths: &[PathBuf]) -> BTreeMap<PathBuf, Digest> {
    let mut files = BTreeMap::new();
    let mut left: Vec<PathBuf> = paths.to_vec();
    while let Some(path) = left.pop() {
        // A file may be removed meanwhile.
        let Ok(metadata) = std::fs::metadata(&path) else {
            continue;
        };
        if metadata.is_dir() {
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
            left.extend(
                entries
                    .filter(|entry| !BUILT.iter().any(|built| entry.file_name() == *built))
                    .map(|entry| entry.path()),
            );
        } else if metadata.is_file()
            && metadata.len() <= LARGEST
            && let Ok(bytes) = std::fs::read(&path)
        {
            files.insert(path, Digest::of(&bytes));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Longer than any machine needs.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn a_file_is_another_one_if_it_has_other_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let (file, built) = (dir.path().join("a.rs"), dir.path().join("target"));
        std::fs::write(&file, "one").unwrap();
        std::fs::create_dir(&built).unwrap();
        let mut watch = Watch::new(&[dir.path().to_owned()]).unwrap();
        // Unchanged bytes and build outputs are not changes.
        std::fs::write(&file, "one").unwrap();
        std::fs::write(built.join("b"), "x").unwrap();
        std::fs::write(&file, "two").unwrap();
        let changed = tokio::time::timeout(PATIENCE, watch.changed()).await;
        assert_eq!(changed.unwrap(), std::slice::from_ref(&file));
        std::fs::remove_file(&file).unwrap();
        let changed = tokio::time::timeout(PATIENCE, watch.changed()).await;
        assert_eq!(changed.unwrap(), [file]);
    }

    #[tokio::test]
    async fn a_file_that_is_replaced_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        let (file, next) = (dir.path().join("a.wasm"), dir.path().join("next"));
        std::fs::write(&file, "one").unwrap();
        let mut watch = Watch::new(std::slice::from_ref(&file)).unwrap();
        std::fs::write(&next, "two").unwrap();
        std::fs::rename(&next, &file).unwrap();
        let changed = tokio::time::timeout(PATIENCE, watch.changed()).await;
        assert_eq!(changed.unwrap(), [file]);
    }
}
