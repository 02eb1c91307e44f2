//! `post-compaction`: the conversation has been compacted; the summary is the content in hand.

use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::bindings::exports::portcullis::hooks::post_compaction::{CompactionResult, Outcome};

telling! {
    /// The point `post-compaction`.
    PostCompaction of CompactionResult: "removed, summary", Order::Reverse, FailureRule::NeverFatal
}
