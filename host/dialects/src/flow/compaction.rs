//! Compaction of the conversation.

use portcullis::Views;
use portcullis::points::post_compaction::CompactionResult;
use portcullis::points::pre_compaction::{CompactionHint, TokenBudget};
use portcullis::points::{PostCompaction, PreCompaction};

use super::{Caller, Decided, Flow, content, count, payload};
use crate::text;
use crate::verdict::Verdict;

impl<C: Caller> Flow<'_, C> {
    /// Decides about a compaction. Agents do not report messages, so a hint cannot keep any.
    pub(super) async fn before_compaction(&mut self) -> Decided<C::Error> {
        let input = TokenBudget {
            limit: 0,
            used: 0,
            messages: 0,
        };
        let reply = self.call::<PreCompaction>(input, Views::default()).await?;
        if let Some(text) = reply.decision.refusal("The conversation was not compacted") {
            return Ok(Verdict::Refused(text));
        }
        let hint: CompactionHint = payload(&reply)?;
        Ok(match hint.instructions {
            Some(instructions) => Verdict::Instructions(text::prose(&instructions)),
            None => Verdict::Passed,
        })
    }

    pub(super) async fn after_compaction(&mut self) -> Decided<C::Error> {
        let summary = self.event.optional("compact_summary");
        let summary = summary.unwrap_or_default();
        let input = CompactionResult {
            removed: 0,
            messages: 0,
            summary_bytes: count(summary.len()),
        };
        self.call::<PostCompaction>(input, content(summary)).await?;
        Ok(Verdict::Passed)
    }
}
