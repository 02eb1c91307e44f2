//! Errors, each with the name of its class.

use napi::Error;
use portcullis_bridge::BridgeError;

/// Converts an error of the bridge.
pub(crate) fn bridge_error(error: BridgeError) -> Error {
    let kind = match &error {
        BridgeError::Hooks(_) => "LoadError",
        BridgeError::UnknownPoint { .. }
        | BridgeError::BadRequest { .. }
        | BridgeError::BadSessionId { .. } => "RequestError",
        BridgeError::NoQuestion { .. } => "NoQuestionError",
        BridgeError::TooManySessions { .. } | BridgeError::Closed | BridgeError::Session(_) => {
            "SessionError"
        }
        BridgeError::State(_) | BridgeError::Journal(_) => "StoreError",
        _ => "PortcullisError",
    };
    failed(kind, &error)
}

/// Returns an error of a class. The package reads the class from the beginning of the message.
pub(crate) fn failed(kind: &str, error: &dyn std::fmt::Display) -> Error {
    Error::from_reason(format!("{kind}: {error}"))
}
