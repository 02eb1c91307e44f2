//! The effect of a hook's failure.

use portcullis::contract::FailurePolicy;
use portcullis::points::{FailureRule, PointId};
use serde::Serialize;

/// The effect of a hook failure on the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// The operation continues, as if there were no hook.
    Continues,
    /// The operation is refused.
    Refused,
    /// The operation fails, because it cannot be refused.
    Fails,
    /// The operation continues, because no failure is fatal there.
    Recorded,
}

impl Consequence {
    /// Returns a description of the effect.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Continues => "fails open: the operation continues as if there were no hook",
            Self::Refused => "fails closed: the operation is refused, with the hook and the cause",
            Self::Fails => "fails closed: the operation fails, because it cannot be refused there",
            Self::Recorded => {
                "fails closed, but no failure is fatal there: it is recorded, and the operation continues"
            }
        }
    }

    /// Returns whether the operation continues.
    pub const fn continues(self) -> bool {
        matches!(self, Self::Continues | Self::Recorded)
    }
}

/// Returns the effect of a failure of a hook with this policy at a point. All causes have the same
/// effect: a trap, a limit, an answer that is not allowed.
pub fn consequence(policy: FailurePolicy, point: PointId) -> Consequence {
    match (policy, point.info().failure) {
        (FailurePolicy::FailOpen, _) => Consequence::Continues,
        (FailurePolicy::FailClosed, FailureRule::Refuses) => Consequence::Refused,
        (FailurePolicy::FailClosed, FailureRule::Fails) => Consequence::Fails,
        (FailurePolicy::FailClosed, FailureRule::NeverFatal) => Consequence::Recorded,
    }
}
