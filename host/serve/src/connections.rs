//! Connections: taking them, answering requests on them, and their end.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::listen::Accept;
use crate::options::ServeOptions;

/// How long to wait before the next connection is taken where the system gave none, such as for want of files.
const PAUSE: Duration = Duration::from_millis(100);

/// The connections of all sockets.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    /// Each connection holds a permit.
    room: Arc<Semaphore>,
    most: u32,
    /// No connection is taken any more, and those that are open end with their calls.
    stop: CancellationToken,
    /// Those that are open end.
    abort: CancellationToken,
    read: Duration,
}

impl Connections {
    pub(crate) fn new(options: &ServeOptions, stop: CancellationToken) -> Self {
        Self {
            room: Arc::new(Semaphore::new(options.connections as usize)),
            most: options.connections,
            stop,
            abort: CancellationToken::new(),
            read: options.read,
        }
    }

    /// Takes connections until the server is stopped.
    pub(crate) async fn take(self, socket: impl Accept, router: Router) {
        loop {
            let next = async {
                let place = self.room.clone().acquire_owned().await;
                (place, socket.accept().await)
            };
            let (place, stream) = tokio::select! {
                next = next => next,
                () = self.stop.cancelled() => return,
            };
            match stream {
                Ok(stream) => {
                    let served = self.clone().serve(stream, router.clone());
                    tokio::spawn(async move {
                        served.await;
                        drop(place);
                    });
                }
                Err(error) => {
                    tracing::warn!("a connection cannot be taken: {error}");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    }

    async fn serve<S>(self, stream: S, router: Router)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(self.read)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
        tokio::pin!(connection);
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = self.stop.cancelled() => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection => ended,
                    () = self.abort.cancelled() => Ok(()),
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!("a connection failed: {error}");
        }
    }

    /// Waits for the connections that are open, for no longer than `within`.
    pub(crate) async fn end(&self, within: Duration) {
        let ended = async || drop(self.room.acquire_many(self.most).await);
        if tokio::time::timeout(within, ended()).await.is_err() {
            tracing::warn!("some connections did not end within {within:?}, and are closed");
            self.abort.cancel();
            ended().await;
        }
    }
}
