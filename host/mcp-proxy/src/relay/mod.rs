//! The relay between a client and a server.
//!
//! A message that does not concern hooks is passed on unchanged. A tool call is a separate task,
//! from the client's request to the answer, so that no call waits for another.

mod answer;
mod ask;
mod batch;
mod call;
mod finish;
mod from_client;
mod from_server;
mod listing;
mod meta;
mod pending;
mod tasks;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt as _;
use futures::future::FusedFuture as _;
use parking_lot::Mutex;
use portcullis::Hooks;
use portcullis::points::session_end::EndReason;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::hooks::{HookOptions, SessionHooks};
use crate::message::{Id, Message, own};
use crate::transport::Connection;
use ask::Asked;
use batch::Reply;
use listing::Listing;
use meta::ClientCapabilities;
use pending::{Pending, Request, Waiting};
use tasks::Tasks;

/// The end of a relay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelayEnd {
    /// The client closed the connection.
    Client,
    /// The server closed the connection, or ended.
    Server,
    /// The relay was stopped.
    Stopped,
}

/// The state that all tasks of a relay share.
pub(crate) struct Relay {
    hooks: SessionHooks,
    to_client: mpsc::Sender<String>,
    to_server: mpsc::Sender<String>,
    pending: Pending,
    asked: Asked,
    listing: Listing,
    tasks: Tasks,
    capabilities: Mutex<ClientCapabilities>,
    /// The result of starting the session.
    started: tokio::sync::OnceCell<Result<(), String>>,
    /// The calls, and the other tasks beside the two directions.
    running: Mutex<JoinSet<()>>,
    /// Cancelled once the server is gone: a call that has not reached the server then ends.
    server_is_gone: CancellationToken,
}

/// Relays messages between a client and a server, and runs the hooks, until one of the two closes
/// the connection or `stop` is cancelled. The server's connection is closed at the end. A client
/// that reads nothing has ten seconds to read the rest.
pub async fn relay(
    client: Connection,
    server: Connection,
    hooks: &Hooks,
    options: HookOptions,
    stop: CancellationToken,
) -> RelayEnd {
    let relay = Arc::new(Relay {
        hooks: SessionHooks::open(hooks, options),
        to_client: client.outgoing,
        to_server: server.outgoing,
        pending: Pending::default(),
        asked: Asked::default(),
        listing: Listing::default(),
        tasks: Tasks::default(),
        capabilities: Mutex::default(),
        started: tokio::sync::OnceCell::new(),
        running: Mutex::default(),
        server_is_gone: CancellationToken::new(),
    });
    // Both directions are dropped before the connections are closed. A direction that waits to send
    // holds a sender, and the queue ends only when all senders are dropped.
    let end = {
        let server_ended = server.ended.map(drop).shared();
        let from_server = from_server::pump(&relay, server.incoming).fuse();
        tokio::pin!(from_server);
        let end = {
            let from_client = from_client::pump(&relay, client.incoming);
            tokio::pin!(from_client);
            loop {
                tokio::select! {
                    () = &mut from_client => break RelayEnd::Client,
                    () = &mut from_server => break RelayEnd::Server,
                    () = stop.cancelled() => break RelayEnd::Stopped,
                    // The server's output is still passed on, unless the client accepts nothing.
                    () = server_ended.clone(), if !client.ending.is_cancelled() => {
                        client.ending.cancel();
                    }
                }
            }
        };
        client.ending.cancel();
        if end == RelayEnd::Client {
            // Calls that hooks decide on reach the server before its input is closed.
            let forwarded = tokio::time::timeout(FORWARDING, relay.pending.forwarded());
            tokio::select! {
                _ = forwarded => {}
                () = &mut from_server => {}
            }
        }
        server.closing.cancel();
        if !from_server.is_terminated() {
            let closed = async {
                server_ended.await;
                // A process that left the server's group may keep its output open.
                tokio::time::sleep(READ_ON).await;
            };
            tokio::select! {
                () = closed => {}
                () = &mut from_server => {}
            }
        }
        end
    };
    relay.server_is_gone.cancel();
    answer::server_is_gone(&relay).await;
    let mut running = std::mem::take(&mut *relay.running.lock());
    while running.join_next().await.is_some() {}
    relay.hooks.end(reason(end)).await;
    if let Err(error) = relay.hooks.keep().await {
        tracing::error!("{error}");
    }
    client.closing.cancel();
    let _ = client.ended.await;
    end
}

impl Relay {
    /// Sends a message to the server. Returns `false` if the server is gone.
    async fn send_to_server(&self, text: String) -> bool {
        self.to_server.send(text).await.is_ok()
    }

    /// Sends a request to the server and returns the answer; `None` if the server is gone.
    async fn ask_server(&self, method: &str, params: String) -> Option<Message> {
        let id = Id::from(own_id()?.as_str());
        let (answer, answered) = oneshot::channel();
        let request = Request {
            waiting: Waiting::Proxy(answer),
            reply: Reply::Alone,
            token: None,
        };
        self.pending.accept(&id, request).ok()?;
        let _taken = self.pending.taken_at_the_end(&id);
        let text = own::request(&id, method, params);
        if !self.send_to_server(text).await || self.server_is_gone.is_cancelled() {
            return None;
        }
        answered.await.ok()
    }

    /// Runs a task beside the two directions.
    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut running = self.running.lock();
        while running.try_join_next().is_some() {}
        running.spawn(task);
    }

    /// Starts the session, at the client's first message.
    async fn start(&self) -> &Result<(), String> {
        self.started.get_or_init(|| self.hooks.start()).await
    }
}

/// Runs a call. A call that panics is answered with an error.
async fn run_to_end(relay: &Relay, mut call: call::ToolCall) {
    let run = AssertUnwindSafe(call::run(relay, &mut call));
    if run.catch_unwind().await.is_err() {
        tracing::error!("a call panicked");
        let why = "the proxy failed";
        let text = own::error(Some(call.id.json()), own::INTERNAL_ERROR, why);
        call.end(relay, Some(text)).await;
    }
}

/// Returns an id that no peer uses or can guess, so that an answer with this id is for the proxy.
fn own_id() -> Option<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(format!("portcullis-{:032x}", u128::from_be_bytes(bytes)))
}

/// The time limit for calls to reach the server after the client has closed the connection.
const FORWARDING: Duration = Duration::from_millis(500);

/// The time for which the server's output is read after the server has ended.
const READ_ON: Duration = Duration::from_millis(100);

fn reason(end: RelayEnd) -> EndReason {
    match end {
        RelayEnd::Client => EndReason::Closed,
        RelayEnd::Server => EndReason::Failed,
        RelayEnd::Stopped => EndReason::Cancelled,
    }
}
