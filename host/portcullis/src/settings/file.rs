//! The shape of `hooks.toml`, as it is written.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Integrity, Isolation, named};
use crate::capabilities::View;
use crate::contract::{ContributionKind, ExecutionPolicy, FailurePolicy, HookRole};
use crate::hook::Mode;
use crate::points::PointId;

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct File {
    pub(super) engine: Engine,
    pub(super) turn: Turn,
    pub(super) quarantine: Quarantine,
    pub(super) integrity: Integrity,
    pub(super) http: Http,
    pub(super) defaults: Defaults,
    pub(super) hooks: BTreeMap<String, Hook>,
    pub(super) scripts: BTreeMap<String, Script>,
    pub(super) secrets: BTreeMap<String, Secret>,
}

/// One of the two is required.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Secret {
    pub(super) env: Option<String>,
    pub(super) file: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Engine {
    pub(super) tick_ms: Option<i64>,
    pub(super) fuel: Option<bool>,
    pub(super) compile_ms: Option<i64>,
    pub(super) component_bytes: Option<i64>,
    pub(super) concurrent_calls: Option<i64>,
    pub(super) queued_calls: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Turn {
    pub(super) hooks_ms: Option<i64>,
    pub(super) fuel: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Quarantine {
    pub(super) failures: Option<i64>,
    pub(super) seconds: Option<i64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Http {
    pub(super) roots: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Defaults {
    pub(super) limits: Limits,
    #[serde(deserialize_with = "named::all")]
    pub(super) views: Option<Vec<View>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Hook {
    pub(super) enabled: Option<bool>,
    pub(super) priority: Option<i32>,
    pub(super) after: Option<Vec<String>>,
    #[serde(deserialize_with = "named::one")]
    pub(super) role: Option<Role>,
    #[serde(deserialize_with = "named::one")]
    pub(super) failure: Option<Failure>,
    #[serde(deserialize_with = "named::one")]
    pub(super) execution: Option<ExecutionPolicy>,
    #[serde(deserialize_with = "named::one")]
    pub(super) isolation: Option<Isolation>,
    #[serde(deserialize_with = "named::one")]
    pub(super) mode: Option<Mode>,
    pub(super) limits: Limits,
    pub(super) grants: Grants,
    pub(super) config: serde_json::Map<String, serde_json::Value>,
}

/// `command` and `points` are required; that they are there is checked with the rest, so that
/// every mistake is found at once.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Script {
    pub(super) command: Option<Vec<String>>,
    #[serde(deserialize_with = "named::all")]
    pub(super) points: Option<Vec<PointId>>,
    pub(super) enabled: Option<bool>,
    pub(super) priority: Option<i32>,
    pub(super) after: Option<Vec<String>>,
    #[serde(deserialize_with = "named::one")]
    pub(super) role: Option<Role>,
    #[serde(deserialize_with = "named::one")]
    pub(super) failure: Option<Failure>,
    #[serde(deserialize_with = "named::one")]
    pub(super) mode: Option<Mode>,
    #[serde(deserialize_with = "named::one")]
    pub(super) execution: Option<ExecutionPolicy>,
    #[serde(deserialize_with = "named::all")]
    pub(super) contribute: Option<Vec<ContributionKind>>,
    pub(super) timeout_ms: Option<i64>,
    pub(super) max_output_bytes: Option<i64>,
    pub(super) env: BTreeMap<String, String>,
    #[serde(deserialize_with = "named::all")]
    pub(super) views: Option<Vec<View>>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Role {
    Gate,
    Transform,
    Observe,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Failure {
    FailOpen,
    FailClosed,
}

impl From<Role> for HookRole {
    fn from(role: Role) -> Self {
        match role {
            Role::Gate => Self::Gate,
            Role::Transform => Self::Transform,
            Role::Observe => Self::Observe,
        }
    }
}

impl From<Failure> for FailurePolicy {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::FailOpen => Self::FailOpen,
            Failure::FailClosed => Self::FailClosed,
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Grants {
    #[serde(deserialize_with = "named::all")]
    pub(super) views: Option<Vec<View>>,
    pub(super) state: bool,
    pub(super) shared_state: Vec<String>,
    pub(super) events: bool,
    pub(super) secrets: Vec<String>,
    pub(super) read: Vec<String>,
    pub(super) write: Vec<String>,
    pub(super) http: Vec<String>,
    #[serde(deserialize_with = "named::all")]
    pub(super) contribute: Option<Vec<ContributionKind>>,
}

/// Limits are read as signed numbers, so that a negative one is told from a wrong type.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub(super) struct Limits {
    pub(super) fuel: Option<Fuel>,
    pub(super) deadline_ms: Option<i64>,
    pub(super) wall_ms: Option<i64>,
    pub(super) memory_bytes: Option<i64>,
    pub(super) host_calls: Option<i64>,
    pub(super) table_elements: Option<i64>,
    pub(super) instances: Option<i64>,
    pub(super) handles: Option<i64>,
    pub(super) output_bytes: Option<i64>,
    pub(super) log_bytes: Option<i64>,
    pub(super) log_lines: Option<i64>,
    pub(super) event_bytes: Option<i64>,
    pub(super) contributions: Option<i64>,
    pub(super) state_bytes: Option<i64>,
    pub(super) state_keys: Option<i64>,
    pub(super) http_requests: Option<i64>,
    pub(super) http_concurrent: Option<i64>,
    pub(super) http_request_bytes: Option<i64>,
    pub(super) http_response_bytes: Option<i64>,
    pub(super) http_header_bytes: Option<i64>,
    pub(super) http_connect_ms: Option<i64>,
    pub(super) http_first_byte_ms: Option<i64>,
    pub(super) http_between_bytes_ms: Option<i64>,
    pub(super) http_total_ms: Option<i64>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged, expecting = "a number of units, or false to count none")]
pub(super) enum Fuel {
    Units(i64),
    Counted(bool),
}
