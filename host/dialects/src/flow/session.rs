//! The start and the end of a session.

use portcullis::Views;
use portcullis::points::session_end::{EndReason, SessionSummary};
use portcullis::points::session_start::SessionInfo;
use portcullis::points::{SessionEnd, SessionStart};

use super::{Caller, Decided, Flow, NO_USAGE, start};
use crate::verdict::Verdict;

impl<C: Caller> Flow<'_, C> {
    /// Decides about a session's start. A refusal is stored, since agents continue in spite of it.
    pub(super) async fn session_start(&mut self) -> Decided<C::Error> {
        if start::continues(self.event) {
            return Ok(Verdict::Passed);
        }
        let input = SessionInfo {
            provider: self.event.dialect().provider().into(),
            model: self.event.optional("model").unwrap_or_default().into(),
            tools: 0,
        };
        let reply = self.call::<SessionStart>(input, Views::default()).await?;
        self.progress.session_refused = reply.decision.refusal(start::SESSION);
        Ok(match &self.progress.session_refused {
            Some(text) => Verdict::Refused(text.clone()),
            None => Verdict::Passed,
        })
    }

    pub(super) async fn session_end(&mut self) -> Decided<C::Error> {
        let input = SessionSummary {
            reason: EndReason::Closed,
            turns: self.progress.turn,
            usage: NO_USAGE,
        };
        self.call::<SessionEnd>(input, Views::default()).await?;
        Ok(Verdict::Passed)
    }
}
