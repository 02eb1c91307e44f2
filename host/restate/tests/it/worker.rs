//! Workers that are threads, so that they can stop in the middle of their work.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use portcullis_agent::{Agent, NewSession};
use portcullis_parity::Mortality;
use portcullis_restate::Worker;
use portcullis_store::{Durability, Store, StoreOptions, StoreUrl};
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Opens the store of a directory, as a separate process does.
pub async fn store(dir: &Path) -> Store {
    let options = StoreOptions::default().durability(Durability::Normal);
    let url = StoreUrl::sqlite(dir.join("store.sqlite"));
    Store::open(url, options).await.unwrap()
}

/// A running worker. It dies when it is dropped.
pub struct Thread {
    pub address: SocketAddr,
    dir: PathBuf,
    stop: oneshot::Sender<()>,
    die: oneshot::Sender<()>,
    ended: oneshot::Receiver<()>,
}

impl Thread {
    /// Starts a worker with the store of a directory.
    pub async fn start(dir: &Path, agent: Agent, new: NewSession, mortality: Mortality) -> Self {
        let (tell, address) = oneshot::channel();
        let (stop, must_stop) = oneshot::channel::<()>();
        let (die, must_die) = oneshot::channel();
        let (told, ended) = oneshot::channel();
        let in_dir = dir.to_owned();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            let mut running = Box::pin(async move {
                let worker = Worker::new(agent, store(&in_dir).await, move || new.clone())
                    .around_records(move |record| mortality.turns(record));
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                let stopped = async { drop(must_stop.await) };
                worker.serve(listener, stopped).await;
            });
            let died = runtime.block_on(async {
                tokio::select! {
                    biased;
                    _ = must_die => true,
                    () = &mut running => false,
                }
            });
            if died {
                // A killed process releases nothing.
                std::mem::forget(running);
                std::mem::forget(runtime);
            }
            let _ = told.send(());
        });
        Self {
            address: address.await.unwrap(),
            dir: dir.to_owned(),
            stop,
            die,
            ended,
        }
    }

    /// Stops the worker and parks its segments.
    pub async fn stop(self) {
        let Self {
            stop, die, ended, ..
        } = self;
        let _ = stop.send(());
        let _ = ended.await;
        drop(die);
    }

    /// Kills the worker in the middle of its work.
    pub async fn die(self) {
        // No task writes now, so that no transaction stays open.
        let file = self.dir.join("store.sqlite");
        let url = format!("sqlite:{}", file.display());
        let mut database = SqliteConnection::connect(&url).await.unwrap();
        database.execute("BEGIN IMMEDIATE").await.unwrap();
        let _ = self.die.send(());
        let _ = self.ended.await;
        database.execute("ROLLBACK").await.unwrap();
        database.close().await.unwrap();
    }
}
