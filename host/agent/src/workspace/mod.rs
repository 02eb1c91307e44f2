//! Directories for the tools of agents.
//!
//! A workspace is a directory with a name. The number of open workspaces is limited. To open
//! another one, the least recently used workspace that is not in use is evicted: its snapshot is
//! taken, if snapshots are configured, and its directory is removed. When it is opened again, it is
//! restored from its newest snapshot.
//!
//! Processes may share a root. A workspace is open in one of them at a time.

mod config;
mod copy;
mod directory;
mod error;
mod event;
mod guard;
mod name;
mod notifier;
mod owner;
mod snapshot;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::RwLock;
use portcullis::threads;
use tokio::sync::Mutex;

use self::notifier::Notifier;
use self::owner::Owners;
use self::table::{Table, Tried, Work};

pub use config::WorkspaceConfig;
pub use error::WorkspaceError;
pub use event::{WorkspaceEvent, WorkspaceEventKind, WorkspaceObserver};
pub use guard::Workspace;
pub use owner::WorkspaceOwner;

/// The workspaces of a host. Cheap to clone.
///
/// An operation that has started runs to its end even if its future is dropped, and observers see
/// all of it. Needs a Tokio runtime.
#[derive(Clone)]
pub struct Workspaces {
    config: Arc<WorkspaceConfig>,
    observers: Arc<RwLock<Vec<Arc<dyn WorkspaceObserver>>>>,
    table: Arc<Mutex<Table>>,
    owners: Owners,
}

/// The result of evicting idle workspaces.
#[derive(Debug, Default)]
pub struct Evictions {
    /// The evicted workspaces, least recently used first.
    pub evicted: Vec<String>,
    /// The workspaces that could not be evicted, with the errors. They are retried the next time.
    pub failed: Vec<(String, WorkspaceError)>,
}

impl Workspaces {
    /// Creates workspaces with this configuration. Directories are created when they are needed.
    pub fn new(config: WorkspaceConfig) -> Self {
        Self {
            config: Arc::new(config),
            observers: Arc::default(),
            table: Arc::default(),
            owners: Owners::default(),
        }
    }

    /// Checks whether a workspace may have this name.
    ///
    /// # Errors
    ///
    /// The name is not valid.
    pub fn check_name(name: &str) -> Result<(), WorkspaceError> {
        name::check(name)
    }

    /// Adds an observer, from the next operation on.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn WorkspaceObserver>) -> Self {
        self.observers.write().push(observer);
        self
    }

    /// Opens a workspace: creates it, restores it, or uses it as it is. An open workspace is
    /// shared.
    ///
    /// # Errors
    ///
    /// The name is invalid, the workspace is open in another process, there is no room, or an I/O
    /// error occurred.
    pub async fn open(&self, name: &str) -> Result<Workspace, WorkspaceError> {
        name::check(name)?;
        let mut retry = 0;
        loop {
            let (wanted, keeper) = (name.to_owned(), self.table.clone());
            let tried = self
                .work(move |table, work| table.open(work, &wanted, retry, keeper))
                .await??;
            match tried {
                Tried::Opened(workspace) => return Ok(workspace),
                Tried::NoRoom(cause) if retry == self.config.eviction_retries => {
                    return Err(WorkspaceError::NoRoom {
                        name: name.to_owned(),
                        max_open: self.config.max_open.get(),
                        retries: retry,
                        cause: Box::new(cause),
                    });
                }
                Tried::NoRoom(_) => {
                    retry += 1;
                    tokio::time::sleep(self.config.eviction_delay).await;
                }
            }
        }
    }

    /// Opens a workspace for a session, as [`Workspaces::open`] does. Its events name the session,
    /// until another session opens the workspace or it is evicted.
    ///
    /// # Errors
    ///
    /// See [`Workspaces::open`].
    pub async fn open_for(
        &self,
        name: &str,
        owner: WorkspaceOwner,
    ) -> Result<Workspace, WorkspaceError> {
        let before = self.owners.set(name, Some(owner));
        let opened = self.open(name).await;
        if opened.is_err() {
            self.owners.set(name, before);
        }
        opened
    }

    /// Closes a workspace and keeps its directory. Does nothing if it is not open.
    ///
    /// # Errors
    ///
    /// The workspace is in use.
    pub async fn close(&self, name: &str) -> Result<(), WorkspaceError> {
        let name = name.to_owned();
        self.work(move |table, work| table.close(work, &name))
            .await?
    }

    /// Takes a snapshot of an open workspace, and returns its directory. If the workspace is in
    /// use, files that are being written may be incomplete.
    ///
    /// # Errors
    ///
    /// The workspace is not open, snapshots are not configured, it is too large, or an I/O error
    /// occurred.
    pub async fn snapshot(&self, name: &str) -> Result<PathBuf, WorkspaceError> {
        let name = name.to_owned();
        self.work(move |table, work| table.snapshot(work, &name))
            .await?
    }

    /// Evicts the workspaces that have been idle for [`WorkspaceConfig::idle`]. Call it regularly.
    ///
    /// # Errors
    ///
    /// The runtime is shutting down. Evictions that fail are part of the result.
    pub async fn evict_idle(&self) -> Result<Evictions, WorkspaceError> {
        self.work(|table, work| table.evict_idle(work)).await
    }

    /// Evicts the closed workspaces of the root that were not used for [`WorkspaceConfig::idle`],
    /// in this or another process. A failed eviction is retried
    /// [`WorkspaceConfig::eviction_retries`] times. Open workspaces are not changed.
    ///
    /// # Errors
    ///
    /// The root cannot be read, or the runtime is shutting down. Evictions that fail are part of the
    /// result.
    pub async fn evict_closed(&self) -> Result<Evictions, WorkspaceError> {
        let mut evictions = Evictions::default();
        let mut left = self.work(|table, work| table.closed(work)).await??;
        for retry in 0..=self.config.eviction_retries {
            if retry > 0 && !left.is_empty() {
                tokio::time::sleep(self.config.eviction_delay).await;
            }
            evictions.failed.clear();
            let tried = self.work(move |table, work| {
                let tried = left.into_iter();
                tried
                    .map(|name| (table.evict_closed(work, &name, retry), name))
                    .collect::<Vec<_>>()
            });
            left = Vec::new();
            for (evicted, name) in tried.await? {
                match evicted {
                    Ok(true) => evictions.evicted.push(name),
                    Ok(false) => {}
                    Err(error) => {
                        left.push(name.clone());
                        evictions.failed.push((name, error));
                    }
                }
            }
        }
        Ok(evictions)
    }

    /// Returns the names of the open workspaces, sorted.
    pub async fn open_names(&self) -> Vec<String> {
        self.table.lock().await.names()
    }

    /// Runs an operation on the table in a blocking thread, one at a time. Dropping the future does
    /// not stop it.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Table, &Work) -> T + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        let mut table = self.table.clone().lock_owned().await;
        let with = Work {
            config: self.config.clone(),
            notifier: Notifier {
                observers: self.observers.read().clone(),
                runtime: tokio::runtime::Handle::current(),
                owners: self.owners.clone(),
            },
        };
        let done = threads::blocking(move || work(&mut table, &with)).await;
        done.map_err(|e| WorkspaceError::Aborted {
            cause: e.to_string(),
        })
    }
}

impl fmt::Debug for Workspaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workspaces")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
