//! The points that each family of events calls, and the decisions that follow.

mod compaction;
mod display;
mod model;
mod prompt;
mod session;
mod start;
mod stop;
mod subagent;
mod tool;

pub(crate) use model::is_last_chunk;
pub use start::starts;
pub(crate) use start::{UNDECIDED, refuse_start};

use std::future::Future;
use std::sync::Arc;

use portcullis::Views;
use portcullis::capabilities::View;
use portcullis::contract::{ContentPart, Usage};
use portcullis::json::{JsonError, JsonPoint, to_json, views_to_json};
use portcullis::session::SessionInfo;
use portcullis_bridge::{Bridge, BridgeError, CallContext, CallReply, CallRequest};
use serde::de::DeserializeOwned;

use crate::event::{Event, EventError};
use crate::events::Family;
use crate::progress::Progress;
use crate::verdict::Verdict;

/// A caller of the hooks of a point.
pub trait Caller: Sync {
    /// The reason why a call was not decided.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Calls the hooks of a point.
    fn call(
        &self,
        request: CallRequest,
    ) -> impl Future<Output = Result<CallReply, Self::Error>> + Send;
}

impl Caller for Bridge {
    type Error = BridgeError;

    async fn call(&self, request: CallRequest) -> Result<CallReply, BridgeError> {
        Self::call(self, request).await
    }
}

/// The reason why an event was not decided.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Undecided<E: std::error::Error + 'static> {
    #[error(transparent)]
    Event(#[from] EventError),
    #[error("the event cannot be written as a call: {0}")]
    Request(JsonError),
    #[error("the payload of the reply is wrong: {0}")]
    Reply(JsonError),
    #[error("{0}")]
    Call(#[source] E),
}

pub(crate) type Decided<E> = Result<Verdict, Undecided<E>>;

/// No usage, since agents do not report tokens.
pub(crate) const NO_USAGE: Usage = Usage {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_tokens: 0,
    cache_write_tokens: 0,
};

/// An event that is being decided.
pub(crate) struct Flow<'a, C> {
    pub(crate) event: &'a Event,
    pub(crate) progress: &'a mut Progress,
    pub(crate) caller: &'a C,
}

impl<C: Caller> Flow<'_, C> {
    /// Calls the points of the event.
    pub(crate) async fn decide(&mut self) -> Decided<C::Error> {
        match self.event.family() {
            Family::SessionStart => self.session_start().await,
            Family::SessionEnd => self.session_end().await,
            Family::Prompt => self.prompt().await,
            Family::BeforeTool => self.before_tool().await,
            Family::Permission => self.permission().await,
            Family::AfterTool => self.after_tool().await,
            Family::ToolFailure => self.tool_failure().await,
            Family::Batch => self.batch().await,
            Family::Stop => self.stop().await,
            Family::TurnError => self.turn_error().await,
            Family::SubagentStart => self.subagent_start().await,
            Family::SubagentStop => self.subagent_stop().await,
            Family::BeforeCompaction => self.before_compaction().await,
            Family::AfterCompaction => self.after_compaction().await,
            Family::Display => self.display().await,
            Family::BeforeModel => self.before_model().await,
            Family::AfterModel => self.after_model().await,
            Family::Unmapped => Ok(Verdict::Passed),
        }
    }

    /// Calls the hooks of a point.
    pub(crate) async fn call<P: JsonPoint>(
        &self,
        input: P::Input,
        views: Views,
    ) -> Result<CallReply, Undecided<C::Error>> {
        let views = Views {
            session: Arc::new(self.session_info()),
            ..views
        };
        let request = CallRequest {
            point: P::ID.name().into(),
            context: CallContext {
                session_id: self.event.session().into(),
                agent: self.event.dialect().agent_id().into(),
                turn: self.progress.turn,
                step: self.progress.step,
            },
            input: to_json(&input).map_err(Undecided::Request)?,
            views: views_to_json(&View::ALL, &views).map_err(Undecided::Request)?,
        };
        self.caller.call(request).await.map_err(Undecided::Call)
    }

    fn session_info(&self) -> SessionInfo {
        let told = [
            ("permission-mode", "permission_mode"),
            ("agent-id", "agent_id"),
            ("agent-type", "agent_type"),
            ("model", "model"),
            ("transcript-path", "transcript_path"),
        ];
        let metadata = told.into_iter().filter_map(|(name, key)| {
            let value = self.event.optional(key)?;
            Some((name.to_owned(), value.to_owned()))
        });
        SessionInfo {
            working_dir: self.event.optional("cwd").map(str::to_owned),
            metadata: metadata.collect(),
            ..SessionInfo::default()
        }
    }
}

/// Returns a text as the current content.
pub(crate) fn content(text: &str) -> Views {
    Views {
        content: Arc::new(vec![ContentPart::Text(text.to_owned())]),
        ..Views::default()
    }
}

/// Returns a number of items or bytes as 32 bits, or the largest such number.
pub(crate) fn count(items: usize) -> u32 {
    u32::try_from(items).unwrap_or(u32::MAX)
}

/// Returns the payload of a reply.
pub(crate) fn payload<T: DeserializeOwned, E: std::error::Error>(
    reply: &CallReply,
) -> Result<T, Undecided<E>> {
    portcullis::json::from_json(reply.payload.clone()).map_err(Undecided::Reply)
}

/// Returns the text of a payload that is content.
pub(crate) fn payload_text<E: std::error::Error>(
    reply: &CallReply,
) -> Result<String, Undecided<E>> {
    Ok(texts(&payload::<Vec<ContentPart>, E>(reply)?))
}

/// Returns the text of content.
pub(crate) fn texts(content: &[ContentPart]) -> String {
    let texts = content.iter().filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
