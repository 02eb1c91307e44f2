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

/// How long what a turn needs waits for a database that is away.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long until a database that was away, or did not write, is tried again.
const AGAIN: Duration = Duration::from_millis(200);

/// How many times a thread tries to write before it gives up. Every try waits for other processes.
const TRIES: u32 = 3;

/// How long a process waits for the database when it ends.
const END: Duration = Duration::from_secs(20);

/// Options for opening a store.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoreOptions {
    /// The durability of an ended transaction. Default: [`Durability::Full`].
    pub durability: Durability,
}

impl StoreOptions {
    /// Sets what survives of a transaction that has ended.
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }
}

/// An open store. Cheap to clone.
///
/// It runs on a thread of its own, so that it can be used from any async runtime, and from code that is
/// not async.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

/// The sessions that are open here, or that are being opened or closed, with the milliseconds since the Unix epoch at
/// which they were opened. The database does not tell two openings by one process apart.
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

    /// A store in a temporary file, which is removed with the last clone. It blocks, but only for some
    /// milliseconds, so it may be called on an async thread.
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

    /// The id of this process among the hosts.
    pub(crate) fn host(&self) -> i64 {
        self.inner.host.id
    }

    /// The sessions that are open here.
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

    /// Executes a statement that does no harm when it is done again, and gives how many rows it changed. On the thread that
    /// asks, if nobody has to be waited for; otherwise like [`Store::run_patiently`].
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

    /// Which database it is.
    pub(crate) fn kind(&self) -> Kind {
        self.inner.database.kind()
    }

    /// Returns the transaction source for a thread that only writes.
    pub(crate) fn writing(&self) -> Writing {
        Writing::new(self.inner.database.clone())
    }

    /// Runs work on this thread, which is not one of an async runtime, and blocks until it has ended.
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
        // It may be waiting for a server, with the lock of this host.
        if let Some(beat) = &self.beat {
            beat.abort();
        }
        let end = async move {
            if let Err(error) = host.end(&database).await {
                // The next process finds this one dead, which is only slower.
                tracing::debug!("the end of this process could not be recorded: {error}");
            }
            // SQLite then removes its files beside the database.
            database.close().await;
        };
        // A server that does not answer keeps no process.
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

/// Does work again and again for a minute while the database is away. Work that was done although its connection broke
/// must do no harm when it is done again.
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

/// How a thread writes that does nothing else.
#[derive(Debug, Default)]
pub(crate) struct PatientWriter {
    /// Whether the last write was lost because the database was away.
    is_away: bool,
}

impl PatientWriter {
    /// Writes, again and again for a minute while the database is away, and [`TRIES`] times otherwise. What is to be written
    /// waits, and callers with it once their queue is full. Once a write is lost because the database is away, the next ones
    /// are tried once, until it is there. A write that was done although its connection broke must do no harm when it is
    /// done again.
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

/// The runtime of one thread.
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
        // Tokio panics where the system gives it no thread, so one is asked for first; tokio may
        // still get none.
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
            // The waiting side is there until it has the result.
            let _ = done.send(work.await);
        });
        wait.recv().map_err(|_| StoreError::Closed)
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        // Dropping a runtime waits for it, which panics on an async thread.
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
