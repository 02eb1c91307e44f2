//! The directories of a recorded call, before it and after it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use super::Directory;
#[cfg(unix)]
use super::snapshot;
use crate::model::file_tree::{FileTree, RecordedDirectory};
use crate::model::recording::Recording;
#[cfg(unix)]
use crate::model::threads;

/// The contents of the directories when a call began.
pub(crate) struct KeptDirectories {
    directories: Arc<[Directory]>,
    most: NonZeroUsize,
    within: Duration,
    before: Result<Vec<Arc<FileTree>>, String>,
}

impl KeptDirectories {
    /// Reads the directories: at most this number of bytes, and for at most this time before the
    /// call and after it.
    pub(crate) async fn begin(
        directories: Arc<[Directory]>,
        most: NonZeroUsize,
        within: Duration,
    ) -> Self {
        let before = look_in_time(&directories, most, within).await;
        Self {
            directories,
            most,
            within,
            before,
        }
    }

    /// Adds the contents of the directories after the call to the recording.
    pub(crate) async fn end(self, recording: &mut Recording) {
        let recorded = match self.before {
            Ok(before) => look_in_time(&self.directories, self.most, self.within)
                .await
                .and_then(|after| recorded(&self.directories, before, after)),
            Err(why) => Err(why),
        };
        match recorded {
            Ok(directories) => recording.directories = directories,
            Err(why) => recording.world.misses(&why),
        }
    }
}

fn recorded(
    directories: &[Directory],
    before: Vec<Arc<FileTree>>,
    after: Vec<Arc<FileTree>>,
) -> Result<Vec<RecordedDirectory>, String> {
    let mut recorded = Vec::with_capacity(directories.len());
    for (directory, (before, after)) in directories.iter().zip(before.into_iter().zip(after)) {
        if !directory.writable && !before.has_same_files(&after) {
            return Err("others changed a directory of it while it ran".to_owned());
        }
        recorded.push(RecordedDirectory {
            guest: directory.guest.clone(),
            before,
            after: directory.writable.then_some(after),
        });
    }
    Ok(recorded)
}

async fn look_in_time(
    directories: &Arc<[Directory]>,
    most: NonZeroUsize,
    within: Duration,
) -> Result<Vec<Arc<FileTree>>, String> {
    let looked = tokio::time::timeout(within, look(directories, most)).await;
    looked.unwrap_or_else(|_| {
        let within = within.as_millis();
        Err(format!(
            "its directories were not read within {within} ms (`wall-ms`)"
        ))
    })
}

#[cfg(unix)]
async fn look(
    directories: &Arc<[Directory]>,
    most: NonZeroUsize,
) -> Result<Vec<Arc<FileTree>>, String> {
    let directories = directories.clone();
    let looked = threads::blocking(move || {
        let mut room = snapshot::Room::new(most.get());
        let taken = directories.iter().map(|dir| snapshot::take(dir, &mut room));
        taken.collect()
    });
    looked
        .await
        .unwrap_or_else(|e| Err(format!("its directories were not read: {e}")))
}

#[cfg(not(unix))]
async fn look(_: &Arc<[Directory]>, _: NonZeroUsize) -> Result<Vec<Arc<FileTree>>, String> {
    Err("directories are not recorded on this system".to_owned())
}
