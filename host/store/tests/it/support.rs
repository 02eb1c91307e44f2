//! Helpers for the tests.

use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};

use portcullis_postgres::Address;
use portcullis_store::{Durability, Store, StoreError, StoreOptions, StoreUrl};
use sqlx::{Connection as _, Executor as _};

/// A test: its name, and its function, which receives an empty database.
pub type Case = (&'static str, fn(Empty) -> Test);

/// The body of a test.
pub type Test = Pin<Box<dyn Future<Output = anyhow::Result<()>>>>;

/// Lists the async functions of a module as cases.
macro_rules! cases {
    ($($name:ident),* $(,)?) => {
        pub const CASES: &[crate::support::Case] =
            &[$((stringify!($name), |empty| Box::pin($name(empty)))),*];
    };
}
pub(crate) use cases;

/// The database that tests use.
#[derive(Clone)]
pub enum Place {
    Sqlite,
    Postgres(Address),
}

/// An empty database.
pub struct Empty {
    pub url: StoreUrl,
    /// The address in the form of the database library.
    pub address: String,
    /// The directory of the SQLite file.
    pub dir: tempfile::TempDir,
}

impl Empty {
    /// Opens the store, like a separate process.
    pub async fn open(&self) -> Result<Store, StoreError> {
        let options = StoreOptions::default().durability(Durability::Normal);
        Store::open(self.url.clone(), options).await
    }

    /// Returns a connection beside the store, for operations that the store does not have.
    pub async fn connect(&self) -> anyhow::Result<sqlx::AnyConnection> {
        let mut connection = connect(&self.address).await?;
        if self.url.file().is_none() {
            connection.execute("SET search_path = portcullis").await?;
        }
        Ok(connection)
    }
}

/// Runs a test on a new database.
pub fn play(run: fn(Empty) -> Test, place: &Place) -> anyhow::Result<()> {
    static DATABASES: AtomicU32 = AtomicU32::new(0);
    let dir = tempfile::tempdir()?;
    let address = match place {
        Place::Sqlite => format!("sqlite:{}", dir.path().join("store.sqlite").display()),
        Place::Postgres(server) => {
            let name = format!("t{}", DATABASES.fetch_add(1, Ordering::Relaxed));
            server.create(&name)?
        }
    };
    let url = address.parse()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    runtime.block_on(run(Empty { url, address, dir }))
}

/// Connects to a database.
pub async fn connect(address: &str) -> anyhow::Result<sqlx::AnyConnection> {
    sqlx::any::install_default_drivers();
    Ok(sqlx::AnyConnection::connect(address).await?)
}
