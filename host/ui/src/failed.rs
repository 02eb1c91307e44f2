//! Errors, as they are answered.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use portcullis_agent::CheckpointError;
use portcullis_store::StoreError;
use serde_json::json;

use crate::ui::UiError;

/// An error, as it is answered.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) status: StatusCode,
    pub(crate) error: String,
}

impl Failed {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Self {
        let error = error.into();
        Self { status, error }
    }

    pub(crate) fn conflict(error: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, error)
    }
}

impl From<CheckpointError> for Failed {
    fn from(error: CheckpointError) -> Self {
        let status = match &error {
            CheckpointError::Unknown(_) => StatusCode::NOT_FOUND,
            CheckpointError::AlreadyClaimed { .. } => StatusCode::CONFLICT,
            CheckpointError::Resolutions { .. } => StatusCode::BAD_REQUEST,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}

impl From<UiError> for Failed {
    fn from(error: UiError) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl From<StoreError> for Failed {
    fn from(error: StoreError) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"error": self.error}))).into_response()
    }
}
