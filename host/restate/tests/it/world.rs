//! A server, a store, and workers that are processes.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use portcullis_agent::{AgentEvent, Emitted, EventSender, NewSession, Replay, SessionEndReason};
use portcullis_restate::{Client, Outcome, TurnRequest, Worker, register};
use portcullis_store::{Durability, Store, StoreOptions, StoreUrl};
use tokio::net::TcpSocket;
use tokio::time::sleep;

use super::agent::{Deeds, Dies, agent, busy};
use super::server::Server;

const LISTEN: &str = "127.0.0.1:9080";

/// What a worker process is told.
const DIR: &str = "PORTCULLIS_TEST_WORKER";
const DIES: &str = "PORTCULLIS_TEST_DIES";
const REPLAY: &str = "PORTCULLIS_TEST_REPLAY";
const WITHIN: &str = "PORTCULLIS_TEST_ANSWER_WITHIN_MS";
const BUSY: &str = "PORTCULLIS_TEST_BUSY";

/// A server, a store, and the file of what was done.
pub struct World {
    pub server: Server,
    pub store: Store,
    pub client: Client,
    pub replay: Replay,
    /// How long a worker lets questions wait.
    pub within_ms: Option<u64>,
    pub busy: bool,
    dir: tempfile::TempDir,
}

/// A worker process. It is killed when it is dropped.
pub struct Process(pub Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have died by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub async fn store(dir: &Path) -> Store {
    let options = StoreOptions::default().durability(Durability::Normal);
    let url = StoreUrl::sqlite(dir.join("store.sqlite"));
    Store::open(url, options).await.unwrap()
}

impl World {
    pub async fn start(server: &Path) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let client = Client::new(Server::ingress(), "tested");
        let world = Self {
            server: Server::start(server, dir.path()).await,
            store: store(dir.path()).await,
            client,
            replay: Replay::Keyed,
            within_ms: None,
            busy: false,
            dir,
        };
        // The server asks the worker what it serves.
        let _worker = world.worker(Dies::Never);
        let url = Worker::url(LISTEN.parse().unwrap()).unwrap();
        while let Err(error) = register(&Server::admin(), &url).await {
            eprintln!("not yet: {error}");
            sleep(Duration::from_millis(100)).await;
        }
        world
    }

    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Starts a worker.
    pub fn worker(&self, dies: Dies) -> Process {
        let dies = match dies {
            Dies::Never => String::new(),
            Dies::Before(number) => format!("before {number}"),
            Dies::After(number) => format!("after {number}"),
        };
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.dir().join("workers.log"))
            .unwrap();
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["world::worker_process", "--exact", "--nocapture"])
            .env(DIR, self.dir())
            .env(DIES, dies)
            .env(REPLAY, serde_json::to_string(&self.replay).unwrap())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        if let Some(within) = self.within_ms {
            command.env(WITHIN, within.to_string());
        }
        if self.busy {
            command.env(BUSY, "yes");
        }
        Process(command.spawn().unwrap())
    }

    /// Runs a turn, on whatever worker there is.
    pub async fn turn(&self, session: &str, text: &str) -> Outcome {
        let request = TurnRequest {
            id: NewSession::default().id,
            text: text.into(),
        };
        let away = |_: &str| {};
        self.client.turn(session, &request, away).await.unwrap()
    }

    /// The conversation of a saved session, a line for each message.
    pub async fn lines(&self, session: &str) -> Vec<String> {
        lines(&self.store, session).await
    }

    /// The events of a process, once it has written as many.
    pub async fn events_of(&self, process: &Process, count: usize) -> Vec<String> {
        let file = self.dir().join(format!("events-{}", process.0.id()));
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let events = events_in(&file);
            if events.len() >= count || Instant::now() > until {
                return events;
            }
            sleep(Duration::from_millis(10)).await;
        }
    }

    /// Waits until this was done.
    pub async fn wait_for(&self, what: &str) {
        loop {
            let done = std::fs::read_to_string(self.dir().join("done")).unwrap_or_default();
            if done.lines().any(|line| line == what) {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
    }
}

fn events_in(file: &Path) -> Vec<String> {
    let events = std::fs::read_to_string(file).unwrap_or_default();
    events.lines().map(str::to_owned).collect()
}

/// The conversation of a saved session, a line for each message.
pub async fn lines(store: &Store, session: &str) -> Vec<String> {
    let saved = store.sessions().get(session).await.unwrap().unwrap();
    let data = saved.data.unwrap_or_default();
    let messages = data["conversation"].as_array().cloned();
    let messages = messages.unwrap_or_default();
    messages.iter().map(ToString::to_string).collect()
}

/// An event, as a trace has it.
pub fn traced(emitted: &Emitted) -> Option<String> {
    match &emitted.event {
        AgentEvent::HookRun { run } => {
            Some(format!("{} {} {}", emitted.turn, emitted.step, run.point))
        }
        AgentEvent::SessionEnded {
            reason: SessionEndReason::Closed,
            ..
        } => Some("closed".into()),
        AgentEvent::TurnEnded { text, .. } => Some(format!("{} says {text}", emitted.turn)),
        _ => None,
    }
}

/// A worker, if this process is one.
#[test]
fn worker_process() {
    let Some(dir) = std::env::var_os(DIR) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(work(Path::new(&dir)));
}

async fn work(dir: &Path) {
    let dies = std::env::var(DIES).unwrap_or_default();
    let dies = match dies.split_once(' ') {
        Some(("before", number)) => Dies::Before(number.parse().unwrap()),
        Some((_, number)) => Dies::After(number.parse().unwrap()),
        None => Dies::Never,
    };
    let replay: Replay = serde_json::from_str(&std::env::var(REPLAY).unwrap()).unwrap();
    let deeds = Deeds::new(dir, dies);
    let events = EventSender::new();
    let agent = match std::env::var_os(BUSY) {
        Some(_) => busy(&deeds, events.clone()),
        None => agent(&deeds, replay, events.clone()),
    };
    if std::env::var_os(BUSY).is_none() {
        let mut receiver = events.subscribe();
        let file = dir.join(format!("events-{}", std::process::id()));
        std::thread::spawn(move || {
            use std::io::Write as _;
            let mut file = std::fs::File::create(file).unwrap();
            let next = || futures::executor::block_on(receiver.next());
            for emitted in std::iter::from_fn(next) {
                if let Some(line) = traced(&emitted) {
                    file.write_all(format!("{line}\n").as_bytes()).unwrap();
                }
            }
        });
    }
    let within = std::env::var(WITHIN).ok().map(|ms| ms.parse().unwrap());
    let worker = Worker::new(agent, events, store(dir).await, NewSession::default)
        .answer_within(within.map(Duration::from_millis));
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseaddr(true).unwrap();
    socket.set_reuseport(true).unwrap();
    socket.bind(LISTEN.parse().unwrap()).unwrap();
    let listener = socket.listen(1024).unwrap();
    worker.serve(listener, std::future::pending()).await;
}
