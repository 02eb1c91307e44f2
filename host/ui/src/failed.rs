//! Errors of the store, as they are answered.

use axum::http::StatusCode;
use portcullis_access::Failed;
use portcullis_agent::CheckpointError;

use crate::ui::UiError;

impl From<UiError> for Failed {
    fn from(error: UiError) -> Self {
        let status = match &error {
            UiError::Checkpoints(CheckpointError::Unknown(_)) => StatusCode::NOT_FOUND,
            UiError::Checkpoints(
                CheckpointError::AlreadyClaimed { .. }
                | CheckpointError::Answered { .. }
                | CheckpointError::Late { .. },
            ) => StatusCode::CONFLICT,
            UiError::Checkpoints(CheckpointError::Resolutions { .. }) => StatusCode::BAD_REQUEST,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}
