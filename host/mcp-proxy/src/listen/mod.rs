//! Clients over streamable HTTP.

mod options;
mod outbox;
mod requests;
mod session;
mod sessions;
mod stream;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware;
use axum::routing::post;
use portcullis_access::{Access, Connections, Pages, guard};
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use self::requests::Shared;
use self::sessions::Sessions;
use crate::transport::Connection;

pub use options::{ListenError, ListenOptions};

/// The path of the proxy's endpoint.
pub const PATH: &str = "/mcp";

/// A listener, and the sessions that clients begin.
#[derive(Debug)]
pub struct Listener {
    /// The address of the listener.
    pub address: SocketAddr,
    /// A connection for each session that a client begins.
    pub accepted: mpsc::Receiver<Connection>,
    connections: Connections,
    taking: JoinHandle<()>,
}

/// Listens until `stop` is cancelled.
///
/// # Errors
///
/// The address cannot be used.
pub async fn listen(
    options: ListenOptions,
    stop: CancellationToken,
) -> Result<Listener, ListenError> {
    let address = options.address;
    if !options.remote && !address.ip().is_loopback() {
        return Err(ListenError::Remote(address));
    }
    let failed = |error| ListenError::Bind { address, error };
    let listener = TcpListener::bind(address).await.map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let access = Access {
        token: options.token,
        loopback: address.ip().is_loopback(),
        pages: Pages::OfLoopback,
    };
    let (accept, accepted) = mpsc::channel(1);
    let shared = Arc::new(Shared {
        sessions: Sessions::new(accept, options.most_sessions),
        most_bytes: options.most_bytes,
        limits: options.limits,
    });
    let router = Router::new()
        .route(
            PATH,
            post(requests::take)
                .get(requests::stream)
                .delete(requests::end),
        )
        .with_state(shared)
        .layer(middleware::from_fn_with_state(access, guard));
    let connections = Connections::new(options.limits, stop);
    Ok(Listener {
        address,
        accepted,
        taking: tokio::spawn(connections.clone().take(listener, router)),
        connections,
    })
}

impl Listener {
    /// Waits until the listener is stopped, and then for at most `within` until clients have read
    /// their answers. End the relays of its sessions before: the streams of a session end with its
    /// relay.
    pub async fn ended(mut self, within: Duration) {
        // Pending sessions are not accepted any more.
        self.accepted.close();
        while self.accepted.try_recv().is_ok() {}
        if let Err(error) = self.taking.await {
            tracing::error!("the MCP proxy listens no more: {error}");
        }
        self.connections.end(within).await;
    }
}
