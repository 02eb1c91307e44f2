//! Error responses of a server.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use serde_json::json;

/// An error response: the status, and a JSON object with the message as `error`. If the server is busy, the client may
/// send the request again after a second.
#[derive(Debug)]
pub struct Failed {
    status: StatusCode,
    error: String,
}

impl Failed {
    /// Creates a response with a status and a message. The message has the cause and the fix.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Self {
        let error = error.into();
        Self { status, error }
    }

    /// Creates a response for a request that was not begun, and may be sent again.
    pub fn busy(error: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// Creates a response for a request that conflicts with the current state.
    pub fn conflict(error: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, error)
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        let reply = (self.status, Json(json!({ "error": self.error })));
        match self.status {
            StatusCode::SERVICE_UNAVAILABLE => {
                ([(header::RETRY_AFTER, "1")], reply).into_response()
            }
            _ => reply.into_response(),
        }
    }
}
