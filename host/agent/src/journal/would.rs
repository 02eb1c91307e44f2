//! The effects that the answers of hooks in audit mode would have had.

use portcullis::points::PointId;
use portcullis::verdict::{Effect, Would};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::changes::{FieldChange, field_changes, shortened};

/// The effect that the answer of a hook in audit mode would have had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct WouldHave {
    /// The effect.
    #[schemars(with = "String")]
    pub effect: Effect,
    /// The reason for stopping the turn, or the question, that the answer would have had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The answer that would have replaced the operation, as JSON, shortened; only where the
    /// journal keeps values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The digest of the value that it would have changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The digest of the value after the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The fields that it would have changed; only where the journal keeps values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<FieldChange>>,
    /// The deciding hooks behind it that would not have run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_run: Vec<String>,
}

impl WouldHave {
    /// Returns the effect at a point, in words; `None` if the point does not exist.
    pub fn at(&self, point: &str) -> Option<&'static str> {
        Some(self.effect.at(PointId::from_name(point)?))
    }

    /// Converts a [`Would`], with values only if `keeps_values` is set.
    pub fn of(would: &Would, keeps_values: bool) -> Self {
        let change = would.change.as_deref();
        let values = change.and_then(|change| change.values.as_ref());
        let answer = would.answer.as_deref().filter(|_| keeps_values);
        Self {
            effect: would.effect,
            message: would.message.as_deref().map(str::to_owned),
            answer: answer.map(shortened),
            before: change.map(|change| change.before.to_string()),
            after: change.map(|change| change.after.to_string()),
            changes: values
                .filter(|_| keeps_values)
                .map(|(before, after)| field_changes(before, after)),
            not_run: would.not_run.iter().map(ToString::to_string).collect(),
        }
    }
}
