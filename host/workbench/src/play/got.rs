//! The result of a call.

use std::time::Duration;

use portcullis::points::OutcomeKind;
use portcullis::verdict::Cause;
use serde::Serialize;
use serde_json::{Map, Value};

use super::Trace;

/// The outcome of a hook, or another end of its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// The hook answered.
    Answered(OutcomeKind),
    /// The hook failed.
    #[serde(serialize_with = "failed")]
    Failed(Cause),
    /// Its answer was not applied, because an earlier hook had replaced the value.
    #[serde(serialize_with = "not_applied")]
    NotApplied,
    /// The hook was not called, because an earlier hook ended the chain.
    #[serde(serialize_with = "skipped")]
    Skipped,
}

fn failed<S: serde::Serializer>(_: &Cause, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(Outcome::FAILED)
}

fn not_applied<S: serde::Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(Outcome::NOT_APPLIED)
}

fn skipped<S: serde::Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(Outcome::SKIPPED)
}

impl Outcome {
    /// The name of a failure.
    pub const FAILED: &str = "failed";
    /// The name of an answer that was not applied.
    pub const NOT_APPLIED: &str = "not-applied";
    /// The name of a hook that was not called.
    pub const SKIPPED: &str = "skipped";

    /// Returns the name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Answered(kind) => kind.name(),
            Self::Failed(_) => Self::FAILED,
            Self::NotApplied => Self::NOT_APPLIED,
            Self::Skipped => Self::SKIPPED,
        }
    }

    /// Returns the cause of a failure.
    pub fn cause(self) -> Option<Cause> {
        match self {
            Self::Failed(cause) => Some(cause),
            _ => None,
        }
    }
}

/// The result of a call.
#[derive(Debug, Clone, Serialize)]
pub struct Got {
    /// The hook's outcome.
    pub outcome: Outcome,
    /// Everything that a case can expect, by the keys of `[expect]`.
    #[serde(skip)]
    pub fields: Map<String, Value>,
    /// The mismatches with the setup: an unanswered request, or an unused entry.
    #[serde(skip)]
    pub problems: Vec<String>,
    /// The trace, if the setup asks for it.
    #[serde(skip)]
    pub trace: Option<Trace>,
    /// The duration of the call.
    #[serde(skip)]
    pub took: Duration,
    /// The fuel it used; `None` if fuel is not counted.
    #[serde(skip)]
    pub fuel: Option<u64>,
}
