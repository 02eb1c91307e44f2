//! The bodies of requests and of errors.

use axum::http::StatusCode;
use portcullis_access::Failed;
use portcullis_bridge::{BridgeError, CallContext, CallRequest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A call of the point that the path names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PointRequest {
    /// The session, the turn and the step of the call.
    pub context: CallContext,
    /// The point's facts, as one object with the names of the contract.
    pub input: Value,
    /// The data that hooks may see, each view under its name. Default: none.
    #[serde(default)]
    pub views: Map<String, Value>,
}

impl PointRequest {
    /// Converts the request to a call of a point.
    pub(crate) fn at(self, point: String) -> CallRequest {
        CallRequest {
            point,
            context: self.context,
            input: self.input,
            views: Value::Object(self.views),
        }
    }
}

/// The health of a server that answers requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Health {
    /// The version of Portcullis.
    pub version: String,
    /// The number of hooks that are loaded.
    pub hooks: usize,
    /// The hooks that are in quarantine. Their guards refuse, or are skipped, as their failure policy says.
    pub quarantined: Vec<String>,
    /// The number of files in the hooks directory that do not load. A hook that was loaded before stays.
    pub broken: usize,
    /// The number of open sessions.
    pub sessions: usize,
}

/// The reason why nothing was decided. The operation must not proceed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ErrorReply {
    /// The cause and the fix.
    pub error: String,
}

/// Converts an error of the bridge to a response.
pub(crate) fn failed(error: &BridgeError) -> Failed {
    let status = match error {
        BridgeError::UnknownPoint { .. } | BridgeError::NoQuestion { .. } => StatusCode::NOT_FOUND,
        BridgeError::BadRequest { .. } | BridgeError::BadSessionId { .. } => {
            StatusCode::BAD_REQUEST
        }
        BridgeError::TooManySessions { .. } | BridgeError::Closed => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Failed::new(status, error.to_string())
}
