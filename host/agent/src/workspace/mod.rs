//! Directories that agents' tools work in.
//!
//! A workspace is a directory with a name. So many may be open at a time; when one more is opened,
//! the least recently used one that nobody uses is evicted: a snapshot of it is kept if there is a
//! place for snapshots, and its directory is removed. When it is opened again and its directory is
//! not there, it is restored from its newest snapshot.
//!
//! Processes may share a root: a workspace is open in one of them at a time.

mod config;
mod copy;
mod directory;
mod error;
mod event;
mod guard;
mod name;
mod notifier;
mod snapshot;
mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use tokio::sync::Mutex;

use self::notifier::Notifier;
use self::table::{Table, Tried, Work};

pub use config::WorkspaceConfig;
pub use error::WorkspaceError;
pub use event::{WorkspaceEvent, WorkspaceEventKind, WorkspaceObserver};
pub use guard::Workspace;

/// The workspaces of a host. Cheap to clone.
///
/// What has begun is brought to its end even if the future that asked for it is dropped, and all of
/// it is told to the observers. Needs a Tokio runtime.
#[derive(Clone)]
pub struct Workspaces {
    config: Arc<WorkspaceConfig>,
    observers: Arc<RwLock<Vec<Arc<dyn WorkspaceObserver>>>>,
    table: Arc<Mutex<Table>>,
}

/// What came of evicting idle workspaces.
#[derive(Debug, Default)]
pub struct Evictions {
    /// Those that were evicted, least recently used first.
    pub evicted: Vec<String>,
    /// Those that could not be, and why. They are tried again the next time.
    pub failed: Vec<(String, WorkspaceError)>,
}

impl Workspaces {
    /// Workspaces as configured. Directories are made when they are needed.
    pub fn new(config: WorkspaceConfig) -> Self {
        Self {
            config: Arc::new(config),
            observers: Arc::default(),
            table: Arc::default(),
        }
    }

    /// Tells this observer too, after those that are told already, from the next work on.
    #[must_use]
    pub fn observed_by(self, observer: Arc<dyn WorkspaceObserver>) -> Self {
        let mut observers = self
            .observers
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        observers.push(observer);
        drop(observers);
        self
    }

    /// Opens a workspace: makes it, restores it, or takes it as it is. One that is open is shared.
    ///
    /// # Errors
    ///
    /// A name that cannot be one, a workspace that is open in another process, no room, or what the
    /// file system refuses.
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

    /// Closes a workspace that nobody uses, and keeps its directory. One that is not open is fine.
    ///
    /// # Errors
    ///
    /// It is in use.
    pub async fn close(&self, name: &str) -> Result<(), WorkspaceError> {
        let name = name.to_owned();
        self.work(move |table, work| table.close(work, &name))
            .await?
    }

    /// Keeps a copy of an open workspace, and answers with its directory. If it is in use, what is
    /// being written to it meanwhile may be there by half.
    ///
    /// # Errors
    ///
    /// It is not open, there is no place for snapshots, it is too large, or what the file system
    /// refuses.
    pub async fn snapshot(&self, name: &str) -> Result<PathBuf, WorkspaceError> {
        let name = name.to_owned();
        self.work(move |table, work| table.snapshot(work, &name))
            .await?
    }

    /// Evicts the workspaces that nobody has used for [`WorkspaceConfig::idle`]. Call it every now
    /// and then.
    ///
    /// # Errors
    ///
    /// The runtime is shutting down. Evictions that fail are part of the answer.
    pub async fn evict_idle(&self) -> Result<Evictions, WorkspaceError> {
        self.work(|table, work| table.evict_idle(work)).await
    }

    /// The names of the workspaces that are open, sorted.
    pub async fn open_names(&self) -> Vec<String> {
        self.table.lock().await.names()
    }

    fn observers(&self) -> Vec<Arc<dyn WorkspaceObserver>> {
        let observers = self.observers.read();
        observers.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Works on the table away from the async threads, one piece of work after another. Dropping
    /// the future does not break it off.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Table, &Work) -> T + Send + 'static,
    ) -> Result<T, WorkspaceError> {
        let mut table = self.table.clone().lock_owned().await;
        let with = Work {
            config: self.config.clone(),
            notifier: Notifier {
                observers: self.observers(),
                runtime: tokio::runtime::Handle::current(),
            },
        };
        tokio::task::spawn_blocking(move || work(&mut table, &with))
            .await
            .map_err(|e| WorkspaceError::BrokenOff {
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
