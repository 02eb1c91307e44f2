//! The proxy's own messages.

use serde_json::{Value, json};

use super::{Id, object};

/// JSON-RPC: the text is not JSON.
pub(crate) const PARSE_ERROR: i32 = -32_700;
/// JSON-RPC: the text is not a request.
pub(crate) const INVALID_REQUEST: i32 = -32_600;
/// JSON-RPC: the parameters are wrong.
pub(crate) const INVALID_PARAMS: i32 = -32_602;
/// JSON-RPC: the proxy failed.
pub(crate) const INTERNAL_ERROR: i32 = -32_603;
/// In the range that JSON-RPC reserves for servers: a hook refuses, or the server is gone.
pub(crate) const SERVER_ERROR: i32 = -32_000;

/// Returns an error for a request. Without an id, it is for a request that could not be read.
pub(crate) fn error(id: Option<&str>, code: i32, why: &str) -> String {
    let message = format!("portcullis: {why}");
    answer(
        "error",
        id,
        json!({ "code": code, "message": message }).to_string(),
    )
}

/// Returns an answer with this result, which is JSON.
pub(crate) fn result(id: &Id, result: String) -> String {
    answer("result", Some(id.json()), result)
}

/// Returns an answer with this error, which is JSON.
pub(crate) fn given_error(id: &Id, error: String) -> String {
    answer("error", Some(id.json()), error)
}

fn answer(kind: &str, id: Option<&str>, value: String) -> String {
    object(&[
        ("jsonrpc", Value::from("2.0").to_string()),
        ("id", id.unwrap_or("null").to_owned()),
        (kind, value),
    ])
}

/// Returns a request.
pub(crate) fn request(id: &Id, method: &str, params: String) -> String {
    object(&[
        ("jsonrpc", Value::from("2.0").to_string()),
        ("id", id.json().to_owned()),
        ("method", Value::from(method).to_string()),
        ("params", params),
    ])
}

/// Returns a notification.
pub(crate) fn notification(method: &str, params: String) -> String {
    object(&[
        ("jsonrpc", Value::from("2.0").to_string()),
        ("method", Value::from(method).to_string()),
        ("params", params),
    ])
}
