//! The parts of a message that are shown while it is written.

use portcullis::points::LlmDelta;
use portcullis::points::llm_delta::{Delta, DeltaKind};
use portcullis_bridge::{CallReply, Decision};

use super::{Caller, Decided, Flow, Undecided, content, count, payload_text};
use crate::verdict::Verdict;

impl<C: Caller> Flow<'_, C> {
    pub(super) async fn display(&mut self) -> Decided<C::Error> {
        let text = self.event.text("delta")?.to_owned();
        let last = self.event.value("final")?.as_bool() == Some(true);
        let index = self.event.number("index").unwrap_or_default();
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let reply = self.delta(&text, index, last).await?;
        Ok(match reply.decision.refusal("This text is withheld") {
            Some(text) => Verdict::Withheld(text),
            None => changed(&reply)?,
        })
    }

    /// Calls the hooks for a piece of a message.
    pub(super) async fn delta(
        &self,
        text: &str,
        index: u32,
        last: bool,
    ) -> Result<CallReply, Undecided<C::Error>> {
        let input = Delta {
            kind: DeltaKind::Text,
            index,
            bytes: count(text.len()),
            last,
        };
        self.call::<LlmDelta>(input, content(text)).await
    }
}

/// Returns the hooks' text, if they changed it.
pub(super) fn changed<E: std::error::Error>(reply: &CallReply) -> Result<Verdict, Undecided<E>> {
    Ok(match &reply.decision {
        Decision::Transform { .. } => Verdict::ChangedOutput(payload_text(reply)?),
        _ => Verdict::Passed,
    })
}
