//! A decided call that the observers have not seen yet.

use std::sync::Arc;

use super::HookSets;
use crate::model::points::Point;
use crate::model::verdict::{Decision, Pending, Verdict};

/// The decision about a call, with the hooks that decided. The call's observers, and the hooks that
/// continue after a person's answer, are from the same load.
#[derive(Debug)]
pub struct Decided<P: Point> {
    /// The verdict.
    pub verdict: Verdict<P>,
    /// The hooks that decided. `None` means the current hooks.
    pub(super) hooks: Option<Arc<HookSets>>,
}

impl<P: Point> From<Pending<P>> for Decided<P> {
    /// Creates a decision that is pending a person's answer, from hooks that no longer exist, such
    /// as those of another process. The current hooks take their place.
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
