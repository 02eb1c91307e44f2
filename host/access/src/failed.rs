//! Errors, as a server answers them.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};
use serde_json::json;

/// Why a request is not done, as it is answered: the status, and a JSON object with the words as `error`. Whoever is told
/// that the server is busy may send the request again after a second.
#[derive(Debug)]
pub struct Failed {
    status: StatusCode,
    error: String,
}

impl Failed {
    /// With a status, and in words what is wrong and what to do about it.
    pub fn new(status: StatusCode, error: impl Into<String>) -> Self {
        let error = error.into();
        Self { status, error }
    }

    /// Nothing was begun, and the request may be sent again.
    pub fn busy(error: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
    }

    /// It does not fit what is there now.
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
