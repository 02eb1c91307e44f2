//! Several processes with one store, in SQLite and in PostgreSQL.

mod away;
mod budget;
mod quarantine;
mod restate;
mod turns;

use portcullis_postgres::Server;
use portcullis_store::{Store, StoreOptions};

/// Runs a test with a store in a file, and with a store on a server.
fn on_both(what: &str, test: fn(&str)) {
    let dir = tempfile::tempdir().unwrap();
    test(&format!("sqlite:{}", dir.path().join("s.sqlite").display()));
    on_a_server(what, test);
}

/// Runs a test with a store on a server.
fn on_a_server(what: &str, test: fn(&str)) {
    match Server::start() {
        Ok(server) => test(&server.address().create("workers").unwrap()),
        Err(why) => xtask::test::not_run(&format!("{what} on PostgreSQL: {why:#}")),
    }
}

/// Opens the store as another process does, and works with it.
fn in_store<T, F>(url: &str, work: impl FnOnce(Store) -> F) -> T
where
    F: Future<Output = T>,
{
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let store = Store::open(url.parse().unwrap(), StoreOptions::default());
        work(store.await.unwrap()).await
    })
}
