//! Waiting until a file is another one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use portcullis::Digest;
use tokio::sync::mpsc;

/// How long nothing must happen before a change is taken for whole: editors write in several steps.
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
/// The largest file that is looked into, in bytes.
const LARGEST: u64 = 64 << 20;

/// Files cannot be watched.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The system does not tell of changes.
    #[error("changes cannot be watched: {0}; the system may limit the number of watches")]
    Notify(#[from] notify::Error),
}

/// Waits until files are other ones. What counts is what is in them: a file that was only touched, or
/// was written with the same bytes by a build, is the same.
#[derive(Debug)]
pub struct Watch {
    paths: Vec<PathBuf>,
    told: mpsc::Receiver<()>,
    seen: BTreeMap<PathBuf, Digest>,
    _watcher: RecommendedWatcher,
}

impl Watch {
    /// Watches files, and directories with all that is in them but what builds write.
    ///
    /// # Errors
    ///
    /// The system cannot tell of changes.
    pub fn new(paths: &[PathBuf]) -> Result<Self, WatchError> {
        // One note is enough: what has changed is looked up.
        let (tell, told) = mpsc::channel(1);
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
            // A file that is replaced is another one: its directory tells.
            let (dir, mode) = match path.is_dir() {
                true => (path.as_path(), RecursiveMode::Recursive),
                false => (there(path), RecursiveMode::NonRecursive),
            };
            watcher.watch(dir, mode)?;
        }
        let seen = look(&paths);
        Ok(Self {
            paths,
            told,
            seen,
            _watcher: watcher,
        })
    }

    /// Waits for a change, and for it to be whole. Gives the files that are new, gone or other ones.
    pub async fn changed(&mut self) -> Vec<PathBuf> {
        loop {
            let _ = self.told.recv().await;
            while tokio::time::timeout(QUIET, self.told.recv()).await.is_ok() {}
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

/// The nearest directory above a path that is there.
fn there(path: &Path) -> &Path {
    let above = path.ancestors().skip(1);
    above.into_iter().find(|dir| dir.is_dir()).unwrap_or(path)
}

/// The files under these paths.
fn look(paths: &[PathBuf]) -> BTreeMap<PathBuf, Digest> {
    let mut files = BTreeMap::new();
    let mut left: Vec<PathBuf> = paths.to_vec();
    while let Some(path) = left.pop() {
        // What is gone meanwhile is gone.
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

    /// More than any machine needs.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[tokio::test]
    async fn a_file_is_another_one_if_it_has_other_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let (file, built) = (dir.path().join("a.rs"), dir.path().join("target"));
        std::fs::write(&file, "one").unwrap();
        std::fs::create_dir(&built).unwrap();
        let mut watch = Watch::new(&[dir.path().to_owned()]).unwrap();
        // Written with the same bytes, and what a build writes: no change.
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
