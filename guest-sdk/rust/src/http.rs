//! Requests to the servers that the operator grants, such as
//! `http = ["POST https://policy.example.com/v1"]`.
//!
//! ```no_run
//! # use portcullis_sdk::prelude::*;
//! # use serde::{Deserialize, Serialize};
//! #[derive(Serialize)]
//! struct Question<'a> {
//!     tool: &'a str,
//! }
//!
//! #[derive(Deserialize)]
//! struct Decision {
//!     allow: bool,
//! }
//!
//! # fn main() -> HookResult<()> {
//! let response = http::post("https://policy.example.com/v1/decide")
//!     .header("authorization", "Bearer …")
//!     .json(&Question { tool: "shell" })?
//!     .send()?;
//! let decision: Decision = response.success()?.json()?;
//! # Ok(())
//! # }
//! ```
//!
//! A call waits for its requests within the operator's `wall-ms`, and they end with the call. Redirects are
//! not followed: a 3xx response is returned, and the server that it names must be granted too.

mod error;
#[cfg(target_arch = "wasm32")]
mod failures;
mod response;
mod url;
#[cfg(target_arch = "wasm32")]
pub(crate) mod wire;

use std::time::Duration;

use serde::Serialize;

pub use error::Error;
pub use response::Response;

use crate::imports;

/// A request that is not sent yet.
#[derive(Clone, Debug)]
#[must_use = "a request does nothing until it is sent"]
pub struct Request {
    method: String,
    url: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
    timeout: Option<Duration>,
}

/// Creates a GET request to this URL.
pub fn get(url: impl Into<String>) -> Request {
    Request::new("GET", url)
}

/// Creates a POST request to this URL.
pub fn post(url: impl Into<String>) -> Request {
    Request::new("POST", url)
}

impl Request {
    /// Creates a request. The method is in capitals.
    pub fn new(method: impl Into<String>, url: impl Into<String>) -> Self {
        Self {
            method: method.into(),
            url: url.into(),
            headers: Vec::new(),
            body: Vec::new(),
            timeout: None,
        }
    }

    /// Adds a header. `host` and hop-by-hop headers are invalid; the SDK sets `content-length`.
    pub fn header(mut self, name: impl Into<String>, value: impl AsRef<[u8]>) -> Self {
        self.headers.push((name.into(), value.as_ref().to_vec()));
        self
    }

    /// Sets the body to these bytes.
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    /// Sets the body to this value as JSON, and sets `content-type`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the value cannot be written as JSON.
    pub fn json<T: Serialize + ?Sized>(self, value: &T) -> Result<Self, Error> {
        let body = serde_json::to_vec(value).map_err(|e| Error::Invalid(e.to_string()))?;
        Ok(self.header("content-type", "application/json").body(body))
    }

    /// Limits the time to connect, to the first byte and between bytes, each to this duration. The operator's
    /// limits still apply.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Returns the method.
    pub fn method(&self) -> &str {
        &self.method
    }

    /// Returns the URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the headers.
    pub fn headers(&self) -> &[(String, Vec<u8>)] {
        &self.headers
    }

    /// Returns the body.
    pub fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// Checks the URL, as a component does before it sends the request.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn check(&self) -> Result<(), Error> {
        url::Url::parse(&self.url).map(drop)
    }

    /// Sends the request, and waits for the whole response.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`] if the request was not granted, [`Error::TimedOut`], [`Error::Failed`], or
    /// [`Error::Invalid`] if the request is not valid. A response is no error, whatever its status.
    pub fn send(self) -> Result<Response, Error> {
        imports::http::send(&self)
    }
}
