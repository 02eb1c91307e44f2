//! The responses to errors of the store.

use axum::http::StatusCode;
use portcullis_access::Failed;
use portcullis_agent::CheckpointError;

use crate::ui::UiError;

impl From<UiError> for Failed {
    fn from(error: UiError) -> Self {
        let status = match &error {
            UiError::Checkpoints(error) => status(error),
            UiError::NotLoopback(_)
            | UiError::Listen { .. }
            | UiError::Token(_)
            | UiError::Journal(_)
            | UiError::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Self::new(status, error.to_string())
    }
}

fn status(error: &CheckpointError) -> StatusCode {
    match error {
        CheckpointError::Unknown(_) => StatusCode::NOT_FOUND,
        CheckpointError::Resolutions { .. } => StatusCode::BAD_REQUEST,
        CheckpointError::AlreadyClaimed { .. }
        | CheckpointError::Answered { .. }
        | CheckpointError::Late { .. } => StatusCode::CONFLICT,
        CheckpointError::Damaged { .. } | CheckpointError::Store(_) => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}
