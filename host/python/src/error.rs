//! The exceptions of the package.

use portcullis_bridge::BridgeError;
use pyo3::exceptions::PyException;
use pyo3::{PyErr, create_exception};

create_exception!(
    portcullis_host,
    PortcullisError,
    PyException,
    "The hooks decided nothing. An agent that guards something must then not proceed."
);
create_exception!(
    portcullis_host,
    LoadError,
    PortcullisError,
    "The hooks do not load. The message names each file, its fault and the fix."
);
create_exception!(
    portcullis_host,
    RequestError,
    PortcullisError,
    "The call is wrong: there is no such point, or the input, a view or the session's id does not fit."
);
create_exception!(
    portcullis_host,
    NoQuestionError,
    PortcullisError,
    "No question waits for this answer. It was answered, or was left for too long."
);
create_exception!(
    portcullis_host,
    SessionError,
    PortcullisError,
    "The session cannot be opened: another process has it, or too many are open."
);
create_exception!(
    portcullis_host,
    StoreError,
    PortcullisError,
    "The store cannot be opened, read or written."
);

/// Converts an error of the bridge to its exception.
pub(crate) fn exception(error: BridgeError) -> PyErr {
    let text = error.to_string();
    match error {
        BridgeError::Hooks(_) => LoadError::new_err(text),
        BridgeError::UnknownPoint { .. }
        | BridgeError::BadRequest { .. }
        | BridgeError::BadSessionId { .. } => RequestError::new_err(text),
        BridgeError::NoQuestion { .. } => NoQuestionError::new_err(text),
        BridgeError::TooManySessions { .. } | BridgeError::Closed | BridgeError::Session(_) => {
            SessionError::new_err(text)
        }
        BridgeError::State(_) | BridgeError::Journal(_) => StoreError::new_err(text),
        _ => PortcullisError::new_err(text),
    }
}
