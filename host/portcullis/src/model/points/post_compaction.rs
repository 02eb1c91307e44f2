//! `post-compaction`: the conversation has been compacted; the summary is the current content.

use super::imports::facts;
use super::telling::telling;
use super::{FailureRule, Order};

pub use crate::contract::bindings::portcullis::hooks::post_compaction_facts::CompactionResult;

telling! {
    /// The point `post-compaction`.
    PostCompaction of CompactionResult: "removed, summary", Order::Reverse, FailureRule::NeverFatal
}

facts! {
    PostCompaction: post_compaction_facts, CompactionResult {
        removed: u32,
        messages: u32,
        summary_bytes: u32,
    }
}
