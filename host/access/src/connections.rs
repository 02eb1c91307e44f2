//! Connections: accepting them, answering requests on them, and closing them.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::limits::ConnectionLimits;

/// The wait after a failure to accept a connection, for example because too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// A socket that accepts connections.
pub trait Accept: Send + Sync + 'static {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static;

    /// Returns the next connection.
    fn accept(&self) -> impl Future<Output = io::Result<Self::Stream>> + Send;
}

impl Accept for TcpListener {
    type Stream = TcpStream;

    async fn accept(&self) -> io::Result<TcpStream> {
        let (stream, _) = self.accept().await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }
}

/// The connections of all sockets.
#[derive(Debug, Clone)]
pub struct Connections {
    /// Each connection holds a permit.
    room: Arc<Semaphore>,
    most: u32,
    /// Stops accepting connections. Each open connection ends with its response.
    stop: CancellationToken,
    /// Closes the open connections.
    abort: CancellationToken,
    read: Duration,
}

impl Connections {
    /// Creates an empty set of connections. Once `stop` is cancelled, no connection is accepted, and each open
    /// connection ends with its response.
    pub fn new(limits: ConnectionLimits, stop: CancellationToken) -> Self {
        Self {
            room: Arc::new(Semaphore::new(limits.connections as usize)),
            most: limits.connections,
            stop,
            abort: CancellationToken::new(),
            read: limits.read,
        }
    }

    /// Accepts connections of a socket, and answers their requests, until the server is stopped.
    pub async fn take(self, socket: impl Accept, router: Router) {
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

    /// Waits until the open connections end, for no longer than `within`, and closes the rest.
    pub async fn end(&self, within: Duration) {
        let ended = async || drop(self.room.acquire_many(self.most).await);
        if tokio::time::timeout(within, ended()).await.is_err() {
            tracing::warn!("some connections did not end within {within:?}, and are closed");
            self.abort.cancel();
            ended().await;
        }
    }
}
