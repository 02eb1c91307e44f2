//! The error for too few mappings.

use crate::model::failure::Failure;

/// The reason why there are too few mappings for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoRoom {
    /// The request exceeds its limit, however few calls run.
    #[error(
        "it takes {takes} memory mappings, and it may have no more than {may} ([engine] memory-mappings, vm.max_map_count)"
    )]
    TooMany {
        /// The number of mappings that the request takes.
        takes: u64,
        /// The number that the request may take while no call runs.
        may: u64,
    },
    /// Running calls have the mappings now.
    #[error(
        "the calls that run now {} the {most} memory mappings that instances may have together ([engine] memory-mappings, vm.max_map_count)",
        if *.may_have_all { "of all sessions have" } else { "of observers, of unnamed hooks and of large components have half of" }
    )]
    InUse {
        /// Whether the request may take the whole budget.
        may_have_all: bool,
        /// The size of the budget.
        most: u64,
    },
}

impl From<NoRoom> for Failure {
    fn from(why: NoRoom) -> Self {
        Self::Overload(why.to_string())
    }
}
