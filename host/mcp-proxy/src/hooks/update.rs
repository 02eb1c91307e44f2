//! `tool-update` and `tool-update-sent`.

use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::ContentPart;
use portcullis::points::{ToolUpdate, ToolUpdateSent, tool_update, tool_update_sent};
use portcullis_telemetry::EntryContext;

use super::before::count;
use super::{SessionHooks, ToolRequestFacts};

impl SessionHooks {
    /// Returns whether a progress report is sent to the client. A report that a guard has not seen
    /// is not sent.
    pub(crate) async fn shows(&self, request: &ToolRequestFacts, index: u32, text: &str) -> bool {
        if !self.session.serves::<ToolUpdate>() {
            return true;
        }
        let progress = tool_update::ToolProgress {
            call_id: request.call_id.clone(),
            name: request.name.clone(),
            index,
            text_bytes: count(text.len()),
        };
        let mut call = self.call::<ToolUpdate>(request.turn, progress, |views| {
            views.content = content(text);
            views.trace = request.trace.as_ref().map(EntryContext::of_call);
        });
        let verdict = self.session.run(&mut call).await;
        match verdict.decision {
            Decision::Passed => true,
            Decision::Rejected { by, .. } => {
                tracing::info!(hook = %by, "a report of progress is withheld");
                false
            }
            Decision::Failed(failed) => {
                tracing::warn!("a report of progress is withheld: {failed}");
                false
            }
        }
    }

    /// Notifies the hooks that the client was sent a progress report.
    pub(crate) async fn shown(&self, request: &ToolRequestFacts, index: u32, text: &str) {
        if !self.session.serves::<ToolUpdateSent>() {
            return;
        }
        let progress = tool_update_sent::ToolProgress {
            call_id: request.call_id.clone(),
            name: request.name.clone(),
            index,
            text_bytes: count(text.len()),
        };
        let mut call = self.call::<ToolUpdateSent>(request.turn, progress, |views| {
            views.content = content(text);
            views.trace = request.trace.as_ref().map(EntryContext::of_call);
        });
        self.session.run(&mut call).await;
    }
}

fn content(text: &str) -> Arc<Vec<ContentPart>> {
    Arc::new(vec![ContentPart::Text(text.to_owned())])
}
