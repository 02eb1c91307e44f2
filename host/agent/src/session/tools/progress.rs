//! What a running tool tells: `tool-update`, then it is shown, then `tool-update-sent`.

use std::future::Future;
use std::sync::Arc;

use portcullis::Decision;
use portcullis::contract::{ContentPart, ToolCall};
use portcullis::points::{ToolUpdate, ToolUpdateSent, tool_update, tool_update_sent};
use tokio::sync::mpsc;

use crate::events::AgentEvent;
use crate::session::running::{Running, count};
use crate::tool::ToolProgress;

/// How many updates may wait. A tool that tells more than is taken loses the newest: updates are
/// there to be looked at, and must not hold up the tool.
const MOST_WAITING: usize = 256;

impl Running {
    /// Where a tool tells, and where that comes out; nothing where nobody would hear it.
    pub(super) fn progress(&self) -> (ToolProgress, Option<mpsc::Receiver<String>>) {
        let asked = self.hooks.serves::<ToolUpdate>() || self.hooks.serves::<ToolUpdateSent>();
        if !asked && !self.events.is_heard() {
            return (ToolProgress::unheard(), None);
        }
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        let progress = ToolProgress::new(move |text| {
            if sender.try_send(text.to_owned()).is_err() {
                tracing::debug!("an update of a tool was lost: too many wait");
            }
        });
        (progress, Some(receiver))
    }

    /// Drives a tool and takes what it tells, to the last.
    pub(super) async fn pump<T>(
        &self,
        call: &ToolCall,
        mut updates: mpsc::Receiver<String>,
        tool: impl Future<Output = T>,
    ) -> T {
        tokio::pin!(tool);
        let mut index = 0;
        let done = loop {
            tokio::select! {
                biased;
                Some(text) = updates.recv() => {
                    self.update(call, index, text).await;
                    index += 1;
                }
                done = &mut tool => break done,
            }
        };
        while let Ok(text) = updates.try_recv() {
            self.update(call, index, text).await;
            index += 1;
        }
        done
    }

    async fn update(&self, call: &ToolCall, index: u32, text: String) {
        let content = Arc::new(vec![ContentPart::Text(text.clone())]);
        if self.hooks.serves::<ToolUpdate>() {
            let progress = tool_update::ToolProgress {
                call_id: call.id.clone(),
                name: self.prompt.target(&call.name).to_owned(),
                index,
                text_bytes: count(text.len()),
            };
            let seen = content.clone();
            let ran = self
                .ask::<ToolUpdate>(progress, |views| views.content = seen)
                .await;
            let held_by = match ran.decision {
                Decision::Passed => None,
                Decision::Rejected { by, .. } => Some(by),
                // What a guard has not seen is not shown.
                Decision::Failed(failed) => Some(failed.hook),
                Decision::Answered { answer, .. } => match answer {},
                Decision::Stopped { stop, .. } => match stop {},
                Decision::Pending(pending) => match pending.first.ask {},
            };
            if let Some(by) = held_by {
                self.emit(|| AgentEvent::ToolUpdateWithheld {
                    by: by.to_string(),
                    call_id: call.id.clone(),
                });
                return;
            }
        }
        let text_bytes = count(text.len());
        self.emit(|| AgentEvent::ToolProgress {
            call_id: call.id.clone(),
            name: call.name.clone(),
            text,
        });
        if self.hooks.serves::<ToolUpdateSent>() {
            let sent = tool_update_sent::ToolProgress {
                call_id: call.id.clone(),
                name: self.prompt.target(&call.name).to_owned(),
                index,
                text_bytes,
            };
            let told = self
                .hear::<ToolUpdateSent>(sent, |views| views.content = content)
                .await;
            if let Err(error) = told {
                tracing::warn!(session = self.id(), "{error}");
            }
        }
    }
}
