//! The start and the end of a session.

use portcullis::Decision;
use portcullis::contract::Usage;
use portcullis::points::session_end::{EndReason, SessionSummary};
use portcullis::points::session_start::SessionInfo;
use portcullis::points::{SessionEnd, SessionStart};
use portcullis::text::sanitize_for_terminal;

use super::SessionHooks;

impl SessionHooks {
    /// Starts the session.
    ///
    /// # Errors
    ///
    /// Returns the reason that a hook refuses the session, as text.
    pub(crate) async fn start(&self) -> Result<(), String> {
        if !self.session.serves::<SessionStart>() {
            return Ok(());
        }
        let info = SessionInfo {
            provider: "mcp".to_owned(),
            model: String::new(),
            tools: 0,
        };
        let mut call = self.call::<SessionStart>(0, info, |_| {});
        match self.session.run(&mut call).await.decision {
            Decision::Passed => Ok(()),
            Decision::Rejected { by, rejection } => {
                let reason = sanitize_for_terminal(&rejection.reason);
                Err(format!("hook `{by}` refuses the session: {reason}"))
            }
            Decision::Failed(failed) => Err(sanitize_for_terminal(&failed.to_string())),
        }
    }

    /// Ends the session.
    pub(crate) async fn end(&self, reason: EndReason) {
        if !self.session.serves::<SessionEnd>() {
            return;
        }
        let summary = SessionSummary {
            reason,
            turns: self.turns.load(std::sync::atomic::Ordering::Relaxed),
            usage: Usage {
                input_tokens: 0,
                output_tokens: 0,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        };
        let mut call = self.call::<SessionEnd>(0, summary, |_| {});
        self.session.run(&mut call).await;
    }
}
