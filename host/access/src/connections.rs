//! Connections: taking them, answering requests on them, and their end.

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

/// How long to wait before the next connection is taken where the system gave none, such as for want of files.
const PAUSE: Duration = Duration::from_millis(100);

/// A socket that takes connections.
pub trait Accept: Send + Sync + 'static {
    /// A connection.
    type Stream: AsyncRead + AsyncWrite + Send + Unpin + 'static;

    /// The next connection.
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
    /// No connection is taken any more, and those that are open end with their calls.
    stop: CancellationToken,
    /// Those that are open end.
    abort: CancellationToken,
    read: Duration,
}

impl Connections {
    /// None yet. Once `stop` is cancelled none is taken any more, and those that are open end with their responses.
    pub fn new(limits: ConnectionLimits, stop: CancellationToken) -> Self {
        Self {
            room: Arc::new(Semaphore::new(limits.connections as usize)),
            most: limits.connections,
            stop,
            abort: CancellationToken::new(),
            read: limits.read,
        }
    }

    /// Takes connections of a socket, and answers their requests, until the server is stopped.
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

    /// Waits for the connections that are open, for no longer than `within`. Those that are left are closed.
    pub async fn end(&self, within: Duration) {
        let ended = async || drop(self.room.acquire_many(self.most).await);
        if tokio::time::timeout(within, ended()).await.is_err() {
            tracing::warn!("some connections did not end within {within:?}, and are closed");
            self.abort.cancel();
            ended().await;
        }
    }
}
