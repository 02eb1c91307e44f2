//! The HTTP client of the exporters. The exporters' threads have no runtime, so requests are sent in the runtime in
//! which telemetry was started.

use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use tokio::runtime::Handle;

/// The most bytes of a response that are kept.
const LONGEST_ANSWER: usize = 1 << 20;

#[derive(Debug, Clone)]
pub(super) struct Client {
    client: reqwest::Client,
    runtime: Handle,
    timeout: Duration,
}

impl Client {
    /// Creates a client with this timeout.
    pub(super) fn new(runtime: Handle, timeout: Duration) -> Result<Self, reqwest::Error> {
        // No redirect is followed, since headers may hold API keys.
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        Ok(Self {
            client: client.build()?,
            runtime,
            timeout,
        })
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (client, limit) = (self.client.clone(), self.timeout);
        let sending = self.runtime.spawn(async move {
            let sent = async {
                let mut request = reqwest::Request::try_from(request)?;
                *request.timeout_mut() = Some(limit);
                let mut answer = client.execute(request).await?;
                let mut built = Response::builder().status(answer.status());
                if let Some(headers) = built.headers_mut() {
                    headers.clone_from(answer.headers());
                }
                let mut body = Vec::new();
                while let Some(chunk) = answer.chunk().await? {
                    let room = LONGEST_ANSWER.saturating_sub(body.len());
                    body.extend(chunk.iter().take(room));
                }
                Ok(built.body(Bytes::from(body))?)
            };
            sent.await
        });
        sending.await?
    }
}
