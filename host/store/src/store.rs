//! The store and the thread it runs on.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, timeout};

use crate::database::{Database, Durability, Kind};
use crate::error::StoreError;
use crate::hosts::{self, Host};
use crate::migrate;
use crate::sql::Value;
use crate::url::StoreUrl;
use crate::writing::Writing;

/// The maximum wait for a database that is away, for data that a turn needs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The delay before another attempt, if the database is away or a write failed.
const AGAIN: Duration = Duration::from_millis(200);

/// The maximum number of attempts of a thread to write. Each attempt waits for other processes.
const TRIES: u32 = 3;

/// The maximum wait for the database when a process ends.
const END: Duration = Duration::from_secs(20);

/// Options for opening a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreOptions {
    /// The durability of an ended transaction. Default: [`Durability::Full`].
    pub durability: Durability,
}

impl StoreOptions {
    /// Sets the durability of an ended transaction.
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }
}

/// An open store. Cheap to clone.
///
/// The store runs on its own thread, so that it can be used from any async runtime, and from code
/// that is not async.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

/// The sessions that are open, being opened or being closed in this process, each with the time of
/// its opening in milliseconds since the Unix epoch. The database does not distinguish two openings
/// by one process.
pub(crate) type OpenSessions = Arc<Mutex<BTreeMap<String, u64>>>;

struct Inner {
    url: StoreUrl,
    options: StoreOptions,
    database: Database,
    host: Arc<Host>,
    open: OpenSessions,
    settled: u64,
    beat: Option<AbortHandle>,
    runtime: Thread,
    _temporary: Option<TempDir>,
}

impl Store {
    /// Opens a store, and creates or updates its tables. The file of SQLite and its directory are
    /// created if they do not exist; the file is readable only by its owner.
    ///
    /// # Errors
    ///
    /// The database cannot be reached, is not a store, or is from a newer version.
    pub async fn open(url: StoreUrl, options: StoreOptions) -> Result<Self, StoreError> {
        let runtime = Thread::start()?;
        let opening = open(url.clone(), options.durability);
        let opened = runtime.run(opening).await;
        Self::opened(url, options, runtime, opened, None)
    }

    /// Opens a store from code that is not async. Do not call it on an async thread, because it blocks.
    ///
    /// # Errors
    ///
    /// See [`Store::open`].
    pub fn open_blocking(url: StoreUrl, options: StoreOptions) -> Result<Self, StoreError> {
        let runtime = Thread::start()?;
        let opened = runtime.wait(open(url.clone(), options.durability));
        Self::opened(url, options, runtime, opened, None)
    }

    /// Creates a store in a temporary file, which is removed with the last clone. Blocks, but only
    /// for some milliseconds, so it may be called on an async thread.
    ///
    /// # Errors
    ///
    /// The file cannot be created.
    pub fn temporary() -> Result<Self, StoreError> {
        let dir = tempfile::tempdir().map_err(|e| StoreError::Open {
            store: "in the temporary directory".into(),
            cause: e.to_string(),
        })?;
        let url = StoreUrl::sqlite(dir.path().join("store.sqlite"));
        let options = StoreOptions::default().durability(Durability::Normal);
        let runtime = Thread::start()?;
        let opened = runtime.wait(open(url.clone(), options.durability));
        Self::opened(url, options, runtime, opened, Some(dir))
    }

    fn opened(
        url: StoreUrl,
        options: StoreOptions,
        runtime: Thread,
        opened: Result<Result<Opened, StoreError>, StoreError>,
        temporary: Option<TempDir>,
    ) -> Result<Self, StoreError> {
        let Opened {
            database,
            host,
            settled,
        } = opened??;
        let beating = (host.clone(), database.clone(), url.clone());
        let beat = runtime.spawn(async move {
            let (host, database, url) = beating;
            host.beat(&database, &url).await;
        });
        Ok(Self {
            inner: Arc::new(Inner {
                url,
                options,
                database,
                host,
                open: OpenSessions::default(),
                settled,
                beat,
                runtime,
                _temporary: temporary,
            }),
        })
    }

    /// Returns the store's address.
    pub fn url(&self) -> &StoreUrl {
        &self.inner.url
    }

    /// Returns the options that the store was opened with.
    pub fn options(&self) -> StoreOptions {
        self.inner.options
    }

    /// Returns the number of hook runs of dead processes found when the store was opened. They are
    /// lost.
    pub fn settled(&self) -> u64 {
        self.inner.settled
    }

    /// Settles what processes held that have died since the store was opened: their open hook runs are lost, their turns
    /// interrupted, and their sessions and jobs free. Opening the store does the same. Returns the number of lost runs.
    ///
    /// # Errors
    ///
    /// The database cannot be reached.
    pub async fn settle(&self) -> Result<u64, StoreError> {
        let url = self.inner.url.clone();
        self.run(|database| async move { hosts::settle(&database, &url).await })
            .await
    }

    /// Returns the id of this process among the hosts.
    pub(crate) fn host(&self) -> i64 {
        self.inner.host.id
    }

    /// Returns the sessions that are open in this process.
    pub(crate) fn open_sessions(&self) -> &OpenSessions {
        &self.inner.open
    }

    /// Runs work on the store's thread. The work continues if the returned future is dropped.
    pub(crate) async fn run<T, E, F>(&self, work: impl FnOnce(Database) -> F + Send) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        let work = work(self.inner.database.clone());
        self.inner.runtime.run(work).await?
    }

    /// Runs work on the store's thread, [`patiently`].
    pub(crate) async fn run_patiently<T, F>(
        &self,
        work: impl Fn(Database) -> F + Send + 'static,
    ) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let database = self.inner.database.clone();
        let trying = patiently(move || work(database.clone()));
        self.inner.runtime.run(trying).await?
    }

    /// Executes a statement that is idempotent, and returns the number of changed rows. The
    /// statement runs on the calling thread if it does not have to wait; otherwise like
    /// [`Store::run_patiently`].
    pub(crate) async fn execute(
        &self,
        sql: &'static str,
        values: &[Value<'_>],
    ) -> Result<u64, StoreError> {
        if let Some(changed) = self.inner.database.execute_here(sql, values) {
            return Ok(changed);
        }
        let values: Arc<[_]> = values.iter().cloned().map(Value::into_owned).collect();
        let executing = self.run_patiently(move |database| {
            let values = values.clone();
            async move { database.execute(sql, &values).await }
        });
        executing.await
    }

    /// Returns the kind of the database.
    pub(crate) fn kind(&self) -> Kind {
        self.inner.database.kind()
    }

    /// Returns the transaction source for a thread that only writes.
    pub(crate) fn writing(&self) -> Writing {
        Writing::new(self.inner.database.clone())
    }

    /// Runs work on this thread, which must not be a thread of an async runtime. Blocks until the
    /// work has ended.
    pub(crate) fn block_on<F: Future>(&self, work: F) -> Result<F::Output, StoreError> {
        let runtime = self.inner.runtime.0.as_ref().ok_or(StoreError::Closed)?;
        Ok(runtime.block_on(work))
    }

    /// Runs work on the store's thread, and blocks until it has ended.
    pub(crate) fn wait<T, E, F>(&self, work: impl FnOnce(Database) -> F) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        self.inner.runtime.wait(work(self.inner.database.clone()))?
    }
}

impl fmt::Display for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.inner.url, f)
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Store").field(&self.inner.url).finish()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let (database, host) = (self.database.clone(), self.host.clone());
        // The task may be waiting for a server while it has locked this host's lock.
        if let Some(beat) = &self.beat {
            beat.abort();
        }
        let end = async move {
            if let Err(error) = host.end(&database).await {
                // The next process then detects that this one is dead, which is slower.
                tracing::debug!("the end of this process could not be recorded: {error}");
            }
            // SQLite then removes its files beside the database.
            database.close().await;
        };
        // A server that does not answer must not keep the process alive.
        let _ = self.runtime.wait(async { timeout(END, end).await });
    }
}

/// The parts of an open store.
struct Opened {
    database: Database,
    host: Arc<Host>,
    settled: u64,
}

async fn open(url: StoreUrl, durability: Durability) -> Result<Opened, StoreError> {
    let failed = |cause| StoreError::Open {
        store: url.to_string(),
        cause,
    };
    let database = Database::connect(&url, durability).await.map_err(failed)?;
    let opened = async {
        migrate::migrate(&database).await.map_err(failed)?;
        let settled = hosts::settle(&database, &url).await?;
        let host = Arc::new(Host::register(&database, &url).await?);
        Ok((host, settled))
    };
    match opened.await {
        Ok((host, settled)) => Ok(Opened {
            database,
            host,
            settled,
        }),
        Err(error) => {
            database.close().await;
            Err(error)
        }
    }
}

/// Repeats work for up to a minute while the database is away. The work must be idempotent, because
/// its connection may break after it was done.
pub(crate) async fn patiently<T, F>(work: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    let until = Instant::now() + PATIENCE;
    loop {
        match work().await {
            Err(StoreError::Away(cause)) if Instant::now() < until => {
                tracing::debug!("waiting for the store's database: {cause}");
                sleep(AGAIN).await;
            }
            done => return done,
        }
    }
}

/// The retries of a thread that only writes.
#[derive(Debug, Default)]
pub(crate) struct PatientWriter {
    /// Whether the last write was lost because the database was away.
    is_away: bool,
}

impl PatientWriter {
    /// Writes, for up to a minute while the database is away, and up to [`TRIES`] times otherwise.
    /// Further messages are queued meanwhile, and callers wait once the queue is full. After a
    /// write is lost because the database is away, each following write is tried once, until one
    /// succeeds. The write must be idempotent, because its connection may break after it was done.
    pub(crate) fn write<T>(
        &mut self,
        mut write: impl FnMut() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let (mut tries, started) = (1, Instant::now());
        loop {
            let written = write();
            let is_away = matches!(written, Err(StoreError::Away(_)));
            let again = match is_away {
                true => !self.is_away && started.elapsed() < PATIENCE,
                false => written.is_err() && tries < TRIES,
            };
            if !again {
                self.is_away = is_away;
                return written;
            }
            tries += u32::from(!is_away);
            std::thread::sleep(AGAIN);
        }
    }
}

fn no_thread(cause: &dyn std::fmt::Display) -> StoreError {
    StoreError::Database(format!("no thread can be started for it: {cause}"))
}

/// A runtime with one thread.
struct Thread(Option<Runtime>);

impl Thread {
    fn start() -> Result<Self, StoreError> {
        let runtime = || {
            tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .thread_name("portcullis-store")
                .enable_all()
                .build()
        };
        // Tokio panics if the system has no more threads, so a thread is started first to check
        // that. Tokio may still fail to start its own.
        let asked = std::thread::Builder::new().spawn(|| ());
        asked.map_err(|e| no_thread(&e))?;
        match std::panic::catch_unwind(runtime) {
            Ok(Ok(runtime)) => Ok(Self(Some(runtime))),
            Ok(Err(error)) => Err(no_thread(&error)),
            Err(_) => Err(no_thread(&"the system gives the process no more")),
        }
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> Option<AbortHandle> {
        let runtime = self.0.as_ref()?;
        Some(runtime.spawn(work).abort_handle())
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let runtime = self.0.as_ref().ok_or(StoreError::Closed)?;
        runtime.spawn(work).await.map_err(|_| StoreError::Closed)
    }

    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let runtime = self.0.as_ref().ok_or(StoreError::Closed)?;
        let (done, wait) = mpsc::sync_channel(1);
        runtime.spawn(async move {
            // The caller waits until it has the result.
            let _ = done.send(work.await);
        });
        wait.recv().map_err(|_| StoreError::Closed)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // Dropping a runtime waits for it, which would panic on an async thread.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_that_fails_is_tried_three_times() {
        let failure = || StoreError::Database("no".into());
        for (succeeds, expected) in [(1, Ok(1)), (3, Ok(3)), (4, Err(failure()))] {
            let mut tries = 0;
            let written = PatientWriter::default().write(|| {
                tries += 1;
                match tries == succeeds {
                    true => Ok(tries),
                    false => Err(failure()),
                }
            });
            assert_eq!(written, expected);
            assert_eq!(tries, succeeds.min(3));
        }
    }

    #[test]
    fn what_follows_a_write_that_was_lost_is_tried_once_until_the_database_is_there() {
        let away = || StoreError::Away("gone".into());
        let mut writer = PatientWriter { is_away: true };
        let mut tries = 0;
        let lost = writer.write(|| {
            tries += 1;
            Err::<(), _>(away())
        });
        assert_eq!((lost, tries, writer.is_away), (Err(away()), 1, true));
        assert_eq!(writer.write(|| Ok(())), Ok(()));
        assert!(!writer.is_away);
    }
}
