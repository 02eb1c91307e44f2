//! A session as lines of JSON, one for each event.

use std::sync::Arc;

use portcullis::contract::ContentPart;
use portcullis_agent::{AgentEvent, ApprovalRequest, Emitted, Suspension, TurnEnd, TurnError};

use super::armed::Armed;
use super::protocol::FrontEvent;
use super::view::{View, text_of};
use crate::activity::RunRecord;
use crate::terminal::json;

/// Writes every event as a line of JSON.
pub struct JsonLines;

impl View for JsonLines {
    fn opening(&mut self, armed: &Armed) -> anyhow::Result<()> {
        json::line(&FrontEvent::HooksArmed(armed))
    }

    fn finishing(&mut self, said: &[ContentPart]) -> anyhow::Result<()> {
        json::line(&FrontEvent::TurnFinishing {
            text: &text_of(said),
        })
    }

    fn event(&mut self, emitted: &Arc<Emitted>) -> anyhow::Result<()> {
        match &emitted.event {
            AgentEvent::HookRun { run } => json::line(&FrontEvent::HookRun {
                session_id: &emitted.session_id,
                at_ms: emitted.at_ms,
                replayed: emitted.replayed,
                run: &RunRecord::new(&emitted.session_id, run),
            }),
            _ => json::line(&**emitted),
        }
    }

    fn asking(&mut self, id: &str, request: &ApprovalRequest) -> anyhow::Result<()> {
        json::line(&FrontEvent::ApprovalAsked { id, request })
    }

    fn steering_queued(&mut self, text: &str) -> anyhow::Result<()> {
        json::line(&FrontEvent::SteeringQueued { text })
    }

    fn steering_left(&mut self, texts: &[String]) -> anyhow::Result<()> {
        json::line(&FrontEvent::SteeringLeft { texts })
    }

    fn waiting(&mut self, suspension: &Suspension) -> anyhow::Result<()> {
        json::line(&FrontEvent::TurnWaits {
            checkpoint: suspension.checkpoint.as_str(),
            reason: suspension.reason,
            pending: &suspension.pending,
        })
    }

    fn not_waiting(&mut self, reason: &str) -> anyhow::Result<()> {
        json::line(&FrontEvent::TurnNotContinued { reason })
    }

    fn not_sent(&mut self, text: &str) -> anyhow::Result<()> {
        json::line(&FrontEvent::InputNotSent { text })
    }

    fn bad_request(&mut self, line: u64, error: &str) -> anyhow::Result<()> {
        json::line(&FrontEvent::BadRequest { line, error })
    }

    fn turn_ended(&mut self, _: &Result<TurnEnd, TurnError>) -> anyhow::Result<()> {
        // An event reported it.
        Ok(())
    }
}
