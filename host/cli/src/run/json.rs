//! A session as lines of JSON, one for each event.

use std::sync::Arc;

use portcullis_agent::{AgentEvent, Emitted, TurnEnd, TurnError};
use serde::Serialize;

use super::armed::Armed;
use super::view::View;
use crate::activity::RunRecord;
use crate::terminal::json;

/// Writes every event as a line of JSON.
pub struct JsonLines;

/// The first line.
#[derive(Serialize)]
struct Opening<'a> {
    event: &'static str,
    #[serde(flatten)]
    armed: &'a Armed,
}

/// A hook run in the same form as everywhere else.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Run<'a> {
    event: &'static str,
    session_id: &'a str,
    at_ms: u64,
    #[serde(flatten)]
    run: RunRecord<'a>,
}

impl View for JsonLines {
    fn opening(&mut self, armed: &Armed) -> anyhow::Result<()> {
        json::line(&Opening {
            event: "hooks-armed",
            armed,
        })
    }

    fn event(&mut self, emitted: &Arc<Emitted>) -> anyhow::Result<()> {
        match &emitted.event {
            AgentEvent::HookRun { run } => json::line(&Run {
                event: "hook-run",
                session_id: &emitted.session_id,
                at_ms: emitted.at_ms,
                run: RunRecord::new(&emitted.session_id, run),
            }),
            _ => json::line(&**emitted),
        }
    }

    fn asking(&mut self) -> anyhow::Result<()> {
        Ok(())
    }

    fn turn_ended(&mut self, _: &Result<TurnEnd, TurnError>) -> anyhow::Result<()> {
        // An event reported it.
        Ok(())
    }

    fn prompt(&mut self) -> anyhow::Result<()> {
        Ok(())
    }
}
