//! The updates of a running tool: `tool-update`, then the event, then `tool-update-sent`.

use std::future::Future;
use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::{ContentPart, ToolCall};
use portcullis::points::{ToolUpdate, ToolUpdateSent, tool_update, tool_update_sent};
use tokio::sync::mpsc;

use crate::basics::units::count;
use crate::events::AgentEvent;
use crate::session::state::SessionState;
use crate::tool::ToolProgress;

/// How many updates may wait. If a tool sends more, the newest are lost: updates must not slow the
/// tool down.
const MAX_WAITING: usize = 256;

/// A channel for a tool's updates; without a receiver if no hook and no subscriber wants them.
pub(super) fn channel(session: &SessionState) -> (ToolProgress, Option<mpsc::Receiver<String>>) {
    let hooks = &session.hooks;
    let asked = hooks.serves::<ToolUpdate>() || hooks.serves::<ToolUpdateSent>();
    if !asked && !session.events.is_heard() {
        return (ToolProgress::unheard(), None);
    }
    let (sender, receiver) = mpsc::channel(MAX_WAITING);
    let progress = ToolProgress::new(move |text| {
        if sender.try_send(text.to_owned()).is_err() {
            tracing::debug!("an update of a tool was lost: too many wait");
        }
    });
    (progress, Some(receiver))
}

/// Runs a tool to its end, and forwards its updates.
pub(super) async fn forward<T>(
    session: &SessionState,
    call: &ToolCall,
    mut updates: mpsc::Receiver<String>,
    tool: impl Future<Output = T>,
) -> T {
    tokio::pin!(tool);
    let mut index = 0;
    let done = loop {
        // The tool first, or one that sends updates without end would never be seen to end.
        tokio::select! {
            biased;
            done = &mut tool => break done,
            Some(text) = updates.recv() => {
                update(session, call, index, text).await;
                index += 1;
            }
        }
    };
    // Processes that the tool left running may send more, which is ignored.
    updates.close();
    while let Ok(text) = updates.try_recv() {
        update(session, call, index, text).await;
        index += 1;
    }
    done
}

async fn update(session: &SessionState, call: &ToolCall, index: u32, text: String) {
    let content = Arc::new(vec![ContentPart::Text(text.clone())]);
    let name = session.prompt.target(&call.name);
    let text_bytes = count(text.len());
    if session.hooks.serves::<ToolUpdate>() {
        let progress = tool_update::ToolProgress {
            call_id: call.id.clone(),
            name: name.to_owned(),
            index,
            text_bytes,
        };
        let fired = session
            .ask::<ToolUpdate>(progress, |views| {
                views.content = content.clone();
                views.conversation = Arc::default();
            })
            .await;
        let withheld_by = match fired.decision {
            Decision::Passed => None,
            Decision::Rejected { by, .. } => Some(by),
            // An update that a guard has not seen is not shown.
            Decision::Failed(failed) => Some(failed.hook),
        };
        if let Some(by) = withheld_by {
            session.emit(|| AgentEvent::ToolUpdateWithheld {
                by: by.to_string(),
                call_id: call.id.clone(),
            });
            return;
        }
    }
    session.emit(|| AgentEvent::ToolProgress {
        call_id: call.id.clone(),
        name: call.name.clone(),
        text,
    });
    if session.hooks.serves::<ToolUpdateSent>() {
        let sent = tool_update_sent::ToolProgress {
            call_id: call.id.clone(),
            name: name.to_owned(),
            index,
            text_bytes,
        };
        let notified = session
            .notify::<ToolUpdateSent>(sent, |views| {
                views.content = content;
                views.conversation = Arc::default();
            })
            .await;
        if let Err(error) = notified {
            tracing::warn!(session = session.id(), "{error}");
        }
    }
}
