//! What a failure of a hook means, in plain words.

use portcullis::points::{FailureRule, PointId};
use portcullis::report::Failure;
use serde::Serialize;

/// What a hook's failure does to the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consequence {
    /// It goes on, as if the hook were not there.
    GoesOn,
    /// It is refused.
    Refused,
    /// It fails, since it cannot be refused.
    Fails,
    /// It goes on, since nothing there is fatal.
    Recorded,
}

impl Consequence {
    /// In plain words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::GoesOn => "fails open: it goes on as if the hook were not there",
            Self::Refused => "fails closed: it is refused, and hook and cause are named",
            Self::Fails => "fails closed: it fails, since it cannot be refused there",
            Self::Recorded => {
                "fails closed, but nothing is fatal there: it is recorded and goes on"
            }
        }
    }

    /// Whether the operation goes on.
    pub const fn goes_on(self) -> bool {
        matches!(self, Self::GoesOn | Self::Recorded)
    }
}

/// What a failure of a hook with this policy does at a point, whatever its cause: a trap, a limit, an
/// answer that is not allowed.
pub fn consequence(policy: Failure, point: PointId) -> Consequence {
    match (policy, point.info().failure) {
        (Failure::FailOpen, _) => Consequence::GoesOn,
        (Failure::FailClosed, FailureRule::Refuses) => Consequence::Refused,
        (Failure::FailClosed, FailureRule::Fails) => Consequence::Fails,
        (Failure::FailClosed, FailureRule::NeverFatal) => Consequence::Recorded,
    }
}
