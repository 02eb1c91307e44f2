//! The journal events of a connection: the results of its tool calls.

use std::time::Duration;

use portcullis::points::PointId;
use portcullis::time::now_ms;
use portcullis::verdict::PersonAnswer;
use portcullis_agent::{EventRow, JournalEvent, NotRun, next_run_id};

use super::{SessionHooks, ToolRequestFacts};

impl SessionHooks {
    /// Records the answers to hook questions about a call.
    pub(crate) fn answered(&self, call: &ToolRequestFacts, answers: Vec<PersonAnswer>) {
        let keeps_values = self
            .journal
            .as_ref()
            .is_some_and(|journal| journal.keeps_values());
        for answer in answers {
            self.record(call, |call_id, _| {
                JournalEvent::decided(answer, PointId::PreToolCall, Some(&call_id), keeps_values)
            });
        }
    }

    /// Records that a call is sent to the server.
    pub(crate) fn tool_started(&self, call: &ToolRequestFacts) {
        self.record(call, |call_id, name| JournalEvent::ToolStarted {
            call_id,
            name,
            arguments: None,
        });
    }

    /// Records that the server answered a call.
    pub(crate) fn tool_finished(&self, call: &ToolRequestFacts, is_error: bool, elapsed: Duration) {
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        self.record(call, |call_id, name| JournalEvent::ToolFinished {
            call_id,
            name,
            is_error,
            ran: true,
            not_run: None,
            elapsed_ms,
            result: None,
        });
    }

    /// Records that a call is not sent to the server.
    pub(crate) fn tool_not_run(&self, call: &ToolRequestFacts, why: NotRun) {
        self.record(call, |call_id, name| JournalEvent::ToolFinished {
            call_id,
            name,
            is_error: why != NotRun::HookAnswered,
            ran: false,
            not_run: Some(why),
            elapsed_ms: 0,
            result: None,
        });
    }

    fn record(&self, call: &ToolRequestFacts, event: impl FnOnce(String, String) -> JournalEvent) {
        if let Some(journal) = &self.journal {
            journal.event(EventRow {
                id: next_run_id(),
                session: self.session.id().to_owned(),
                turn: call.turn,
                step: 1,
                at_ms: now_ms(),
                event: event(call.call_id.clone(), call.name.clone()),
            });
        }
    }
}
