//! Why there are not enough mappings.

use crate::model::failure::Failure;

/// Why there are not as many mappings as something takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoRoom {
    /// There never are, however few calls run.
    #[error(
        "it takes {takes} memory mappings, and it may have no more than {may} ([engine] memory-mappings, vm.max_map_count)"
    )]
    TooMany {
        /// How many it takes.
        takes: u64,
        /// How many it may have where no call runs.
        may: u64,
    },
    /// Others have them now.
    #[error(
        "the calls that run now {} the {most} memory mappings that instances may have together ([engine] memory-mappings, vm.max_map_count)",
        if *.may_have_all { "of all sessions have" } else { "of observers, of unnamed hooks and of large components have half of" }
    )]
    InUse {
        /// Whether it may have all.
        may_have_all: bool,
        /// How many there are.
        most: u64,
    },
}

impl From<NoRoom> for Failure {
    fn from(why: NoRoom) -> Self {
        Self::Overload(why.to_string())
    }
}
