//! What would have followed the answers of hooks in audit mode.

use portcullis::points::PointId;
use portcullis::verdict::{Effect, Would};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::changes::{FieldChange, field_changes, shortened};

/// What would have followed if the answer of a hook in audit mode had counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct WouldHave {
    /// What would have happened.
    #[schemars(with = "String")]
    pub effect: Effect,
    /// Why it would have stopped the turn, or what it would have asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What it would have answered in place of the operation, as JSON, shortened; only where the journal keeps values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The digest of the value that it would have changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The digest of what the value would have become.
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
    /// What would have followed at a point, in words; `None` if there is no such point.
    pub fn at(&self, point: &str) -> Option<&'static str> {
        Some(self.effect.at(PointId::from_name(point)?))
    }

    /// What followed, with values only if they are to be kept.
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
