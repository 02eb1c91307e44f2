//! The running server, and its end.

use std::sync::Arc;
use std::time::Duration;

use portcullis_access::Connections;
use portcullis_bridge::{Bridge, BridgeError};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::listening::{Listening, Socket};
use crate::options::ServeOptions;
use crate::service::{Shared, router};

/// The interval between searches for unused sessions.
const TIDY: Duration = Duration::from_secs(60);

/// A running server.
#[derive(Debug)]
pub struct Serving {
    shared: Arc<Shared>,
    connections: Connections,
    listening: JoinSet<()>,
    drain: Duration,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Shared").field(&self.bridge).finish()
    }
}

impl Listening {
    /// Answers requests with the hooks of a bridge until `stop` is cancelled.
    pub fn serve(self, bridge: Bridge, options: &ServeOptions, stop: CancellationToken) -> Serving {
        let shared = Arc::new(Shared::new(bridge, options));
        shared.watch();
        let connections = Connections::new(options.connections, stop.clone());
        let mut listening = JoinSet::new();
        for socket in self.sockets {
            let (shared, connections) = (&shared, connections.clone());
            match socket {
                #[cfg(unix)]
                Socket::Unix(socket) => {
                    let router = router(shared, None);
                    listening.spawn(connections.take(socket, router));
                }
                Socket::Tcp(socket) => {
                    let router = router(shared, Some(socket.access.clone()));
                    listening.spawn(connections.take(socket, router));
                }
            }
        }
        listening.spawn(tidied(shared.clone(), stop, options.clone()));
        Serving {
            shared,
            connections,
            listening,
            drain: options.drain,
        }
    }
}

impl Serving {
    /// Waits until the server is stopped and the calls that have begun are answered, and saves all sessions.
    /// Returns the number of detached runs that have not ended.
    ///
    /// # Errors
    ///
    /// Some data could not be saved, and is lost.
    pub async fn ended(mut self) -> Result<usize, BridgeError> {
        while let Some(ended) = self.listening.join_next().await {
            if let Err(error) = ended {
                tracing::error!("a server failed: {error}");
            }
        }
        self.connections.end(self.drain).await;
        self.shared.bridge.close(self.drain).await
    }
}

/// Closes unused sessions, and stops the server once it had no request for the idle time.
async fn tidied(shared: Arc<Shared>, stop: CancellationToken, options: ServeOptions) {
    let ServeOptions { idle, release, .. } = options;
    let often = release.unwrap_or(TIDY).min(TIDY);
    loop {
        let left = idle.map(|idle| idle.saturating_sub(shared.idle().unwrap_or_default()));
        if left == Some(Duration::ZERO) {
            tracing::info!("nobody has used the daemon for {idle:?}; it ends");
            return stop.cancel();
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(left.unwrap_or(TIDY).min(often)) => {}
        }
        tidy(&shared, release).await;
    }
}

/// Closes unused sessions, without waiting for those that are in use.
async fn tidy(shared: &Shared, release: Option<Duration>) {
    let unsaved = |error: &BridgeError| {
        tracing::error!("a session that was closed could not be saved: {error}");
    };
    let idle = release.unwrap_or(TIDY);
    for session in shared.events.idle(idle) {
        let is_closed = match release {
            None => true,
            Some(_) => {
                let released = shared.bridge.release_session(&session).await;
                // A session that could not be saved is closed nevertheless.
                released.inspect_err(unsaved).unwrap_or(true)
            }
        };
        if is_closed {
            shared.events.forget(&session, idle);
        }
    }
}
