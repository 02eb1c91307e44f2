//! `/metrics` for Prometheus, on loopback.

use std::net::SocketAddr;

use axum::Router;
use axum::http::header;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::metrics::Metrics;

/// The content type of the response.
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A server of `/metrics`. It stops when it is dropped.
#[derive(Debug)]
pub(crate) struct Scraped {
    pub(crate) address: SocketAddr,
    serving: JoinHandle<()>,
}

impl Drop for Scraped {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Scraped {
    /// Serves the metrics at this address.
    pub(crate) async fn start(address: SocketAddr, metrics: Metrics) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let router = Router::new().route(
            "/metrics",
            get(async move || ([(header::CONTENT_TYPE, TEXT)], metrics.text())),
        );
        let serving = tokio::spawn(async move {
            if let Err(error) = axum::serve(listener, router).await {
                tracing::error!("/metrics is not served any more: {error}");
            }
        });
        Ok(Self { address, serving })
    }
}
