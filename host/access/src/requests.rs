//! The check of requests, and reading of their bodies.

use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::access::{Access, Refused};

/// Refuses a request that may come from a browser, or has no token, without reading its body. A middleware with the
/// access as its state.
pub async fn guard(State(access): State<Access>, request: Request, next: Next) -> Response {
    match access.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let error = json!({"error": self.to_string()});
        (self.status(), Json(error)).into_response()
    }
}

/// The reason why a body was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The body is too large, or was cut off.
    #[error("the body was cut off, or has more than the {most} bytes that it may have")]
    TooLarge {
        /// The most bytes.
        most: usize,
    },
    /// The body did not arrive in time.
    #[error("the body did not come within {within:?}")]
    TooLate {
        /// The time limit.
        within: Duration,
    },
}

impl BodyError {
    /// Returns the response's status.
    pub fn status(self) -> StatusCode {
        match self {
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooLate { .. } => StatusCode::REQUEST_TIMEOUT,
        }
    }
}

/// Reads a body of at most `most` bytes, for no longer than `within`.
///
/// # Errors
///
/// The body is larger, is cut off, or does not arrive in time.
pub async fn read_body(body: Body, most: usize, within: Duration) -> Result<Bytes, BodyError> {
    match tokio::time::timeout(within, to_bytes(body, most)).await {
        Ok(read) => read.map_err(|_| BodyError::TooLarge { most }),
        Err(_) => Err(BodyError::TooLate { within }),
    }
}
