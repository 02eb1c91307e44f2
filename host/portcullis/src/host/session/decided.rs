//! A call that is decided, and that the observing hooks have not seen.

use std::sync::Arc;

use super::HookSets;
use crate::model::points::Point;
use crate::model::verdict::{Decision, Pending, Verdict};

/// What hooks decided about a call, and which hooks they were: those that observe it, or that a person
/// answers, are of the same load.
#[derive(Debug)]
pub struct Decided<P: Point> {
    /// What they decided.
    pub verdict: Verdict<P>,
    /// Nothing stands for the current hooks.
    pub(super) hooks: Option<Arc<HookSets>>,
}

impl<P: Point> From<Pending<P>> for Decided<P> {
    /// A decision that was left to a person by hooks that are gone, such as those of another process.
    /// The current hooks take their place.
    fn from(pending: Pending<P>) -> Self {
        Self {
            verdict: Verdict {
                decision: Decision::Pending(pending),
                ..Verdict::empty()
            },
            hooks: None,
        }
    }
}
