//! A call with its result: the post point, the state, the message.

use std::sync::Arc;

use portcullis::contract::{ContentPart, Role, ToolResult, Usage};
use portcullis::points::post_subagent::SubagentResult;
use portcullis::points::post_tool_call::ToolOutcome;
use portcullis::points::{PostSubagent, PostToolCall};
use portcullis::{Decision, ToolCatalog};
use serde::{Deserialize, Serialize};

use super::Executed;
use crate::error::TurnError;
use crate::events::AgentEvent;
use crate::session::points::Decided;
use crate::session::refusal;
use crate::session::running::{Running, count};
use crate::session::step::micros;
use crate::session::turn::millis;
use crate::text;
use crate::tool::ToolOutput;

/// What a sub-agent was.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::session) struct ChildResult {
    pub(in crate::session) session: Option<String>,
    pub(in crate::session) steps: u32,
    pub(in crate::session) usage: Usage,
}

/// Those who look on at a post point, to be told once the message is committed.
enum Onlookers {
    Tool(Box<Decided<PostToolCall>>),
    Subagent(Box<Decided<PostSubagent>>),
    None,
}

impl Running {
    /// Settles a call and commits its result. Gives the name and the output where that is the
    /// turn's.
    pub(super) async fn settle(
        &mut self,
        mut done: Executed,
        offered: &Arc<ToolCatalog>,
    ) -> Result<Option<(String, String)>, TurnError> {
        let most = self.shared.context.config.max_tool_output_bytes;
        done.output.content = text::cut(&done.output.content, most).into_owned();
        if let Some(child) = &done.child {
            self.spend(&child.usage);
        }
        let mut onlookers = match (&done.child, done.settled_by_hooks) {
            (Some(child), _) if self.hooks.serves::<PostSubagent>() => {
                let child = child.clone();
                self.decide_subagent(&mut done, child).await
            }
            (None, true) if self.hooks.serves::<PostToolCall>() => {
                self.decide_tool(&mut done, offered).await
            }
            _ => Onlookers::None,
        };
        let changes = std::mem::take(&mut done.changes);
        self.change_state(&done.call, changes).await?;
        let finished = (done.ran
            && !done.output.is_error
            && self
                .shared
                .finish_tools
                .contains(self.prompt.target(&done.call.name)))
        .then(|| (done.call.name.clone(), done.output.content.clone()));
        self.commit(done).await?;
        match &mut onlookers {
            Onlookers::Tool(decided) => self.tell(decided).await,
            Onlookers::Subagent(decided) => self.tell(decided).await,
            Onlookers::None => {}
        }
        Ok(finished)
    }

    async fn decide_tool(&self, done: &mut Executed, offered: &Arc<ToolCatalog>) -> Onlookers {
        let outcome = ToolOutcome {
            call_id: done.call.id.clone(),
            name: self.prompt.target(&done.call.name).to_owned(),
            output_bytes: count(done.output.content.len()),
            is_error: done.output.is_error,
            elapsed_us: micros(done.elapsed),
        };
        let decided = self
            .decide::<PostToolCall>(outcome, |views| {
                views.tool_arguments = done.arguments.as_str().into();
                views.tool_output = Some(done.output.content.as_str().into());
                views.conversation = self.conversation.clone();
                views.tools = offered.clone();
            })
            .await;
        done.output = match &decided.verdict.decision {
            Decision::Passed => ToolOutput {
                content: decided
                    .call
                    .views
                    .tool_output
                    .as_deref()
                    .unwrap_or_default()
                    .into(),
                is_error: decided.call.subject.is_error,
            },
            Decision::Rejected { by, rejection } => refusal::withheld(by, rejection),
            Decision::Failed(failed) => refusal::unseen(failed),
            Decision::Answered { answer, .. } => match *answer {},
            Decision::Stopped { stop, .. } => match *stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        };
        Onlookers::Tool(Box::new(decided))
    }

    async fn decide_subagent(&self, done: &mut Executed, child: ChildResult) -> Onlookers {
        let result = SubagentResult {
            call_id: done.call.id.clone(),
            agent: done.call.name.clone(),
            session_id: child.session,
            is_error: done.output.is_error,
            output_bytes: count(done.output.content.len()),
            steps: child.steps,
            usage: child.usage,
            elapsed_us: micros(done.elapsed),
        };
        let said = vec![ContentPart::Text(done.output.content.clone())];
        let decided = self
            .decide::<PostSubagent>(result, |views| {
                views.content = Arc::new(said);
                views.conversation = self.conversation.clone();
            })
            .await;
        match &decided.verdict.decision {
            Decision::Passed => done.output.content = text::joined(&decided.call.views.content),
            Decision::Failed(failed) => done.output = refusal::unseen(failed),
            Decision::Rejected { rejection, .. } => match *rejection {},
            Decision::Answered { answer, .. } => match *answer {},
            Decision::Stopped { stop, .. } => match *stop {},
            Decision::Pending(pending) => match pending.first.ask {},
        }
        Onlookers::Subagent(Box::new(decided))
    }

    /// Puts a result into the conversation.
    async fn commit(&mut self, done: Executed) -> Result<(), TurnError> {
        self.emit(|| AgentEvent::ToolFinished {
            call_id: done.call.id.clone(),
            name: done.call.name.clone(),
            is_error: done.output.is_error,
            ran: done.ran,
            content: done.output.content.clone(),
            elapsed_ms: millis(done.elapsed),
        });
        let result = ToolResult {
            call_id: done.call.id,
            name: done.call.name,
            content: done.output.content,
            is_error: done.output.is_error,
        };
        self.add(Role::Tool, vec![ContentPart::ToolResult(result)])
            .await
            .map(drop)
    }
}
