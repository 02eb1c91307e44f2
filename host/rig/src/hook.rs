//! The hook for rig.

use std::sync::Arc;

use portcullis::contract::Usage;
use portcullis::points::session_end::{EndReason, SessionSummary};
use portcullis::points::session_start::SessionInfo;
use portcullis::points::{SessionEnd, SessionStart};
use portcullis_bridge::Bridge;
use rig_agent::agent::{
    AgentHook, DispatchAction, DispatchEvent, HookContext, OutcomeAction, OutcomeEvent, RunStart,
    RunStartAction,
};
use rig_core::effect::{EffectKind, Outcome};

use crate::error::{SessionError, refusal};
use crate::session::Session;

/// A hook for rig agents that calls a directory's hooks in one session. Clones share the hook.
///
/// Each run is a turn. Agents that share the hook share the session. Add it to the agent as the
/// last of rig's hooks: it does not see the changes of later ones.
#[derive(Debug, Clone)]
pub struct PortcullisHook(Arc<Session>);

impl PortcullisHook {
    /// Calls `session-start`. The session's id is 1 to 256 bytes.
    ///
    /// # Errors
    ///
    /// A hook refused, or nothing was decided. The agent must not be run then.
    pub async fn start(
        bridge: Arc<Bridge>,
        session: impl Into<String>,
    ) -> Result<Self, SessionError> {
        let id = session.into();
        let session = Session::new(bridge.clone(), id.clone());
        let facts = SessionInfo {
            provider: String::new(),
            model: String::new(),
            tools: 0,
        };
        let reply = session.outside::<SessionStart>(&facts).await?;
        if reply.decision.passed() {
            return Ok(Self(Arc::new(session)));
        }
        bridge.close_session(&id).await?;
        let what = "The session was not started";
        Err(SessionError::Refused(refusal(what, &reply.decision)))
    }

    /// Calls `session-end` and closes the session.
    ///
    /// # Errors
    ///
    /// The session cannot be saved.
    pub async fn end(&self) -> Result<(), SessionError> {
        let summary = SessionSummary {
            reason: EndReason::Closed,
            turns: self.0.turns(),
            usage: Usage {
                input_tokens: 0,
                output_tokens: 0,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        };
        self.0.outside::<SessionEnd>(&summary).await?;
        Ok(())
    }
}

impl AgentHook for PortcullisHook {
    fn name(&self) -> Option<String> {
        Some("portcullis".into())
    }

    async fn on_run_start(&self, cx: &HookContext, event: RunStart<'_>) -> RunStartAction {
        self.0.begin(cx);
        match self.0.before_turn(cx, event.prompt).await {
            Ok(None) => RunStartAction::Continue,
            Ok(Some(prompt)) => RunStartAction::Rewrite(prompt),
            Err(refusal) => RunStartAction::Stop(refusal),
        }
    }

    async fn on_dispatch(&self, cx: &HookContext, event: DispatchEvent<'_>) -> DispatchAction {
        match event.kind {
            EffectKind::Completion { request, stream } => {
                match self.0.before_model(cx, event.id, request).await {
                    Ok(None) => DispatchAction::Proceed,
                    Ok(Some(request)) => DispatchAction::Patch(EffectKind::Completion {
                        request,
                        stream: *stream,
                    }),
                    Err(refusal) => DispatchAction::stop(refusal),
                }
            }
            EffectKind::ToolCall { name, args } => {
                match self.0.before_tool(cx, &event, name, args).await {
                    Ok(None) => DispatchAction::Proceed,
                    Ok(Some(args)) => DispatchAction::rewrite_tool_args(event.kind, args),
                    Err(text) => DispatchAction::skip(text),
                }
            }
            _ => DispatchAction::Proceed,
        }
    }

    async fn on_outcome(&self, cx: &HookContext, event: OutcomeEvent<'_>) -> OutcomeAction {
        match (event.kind, event.outcome) {
            (EffectKind::Completion { request, .. }, Ok(Outcome::Completion(response))) => {
                match self.0.after_model(cx, event.id, request, response).await {
                    Ok(None) => OutcomeAction::Proceed,
                    Ok(Some(response)) => OutcomeAction::Replace(Ok(Outcome::Completion(response))),
                    Err(refusal) => OutcomeAction::stop(refusal),
                }
            }
            (EffectKind::ToolCall { .. }, _) => match self.0.after_tool(cx, &event).await {
                None => OutcomeAction::Proceed,
                Some(result) => OutcomeAction::Replace(Ok(Outcome::ToolResult { result })),
            },
            _ => OutcomeAction::Proceed,
        }
    }
}
