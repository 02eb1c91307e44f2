//! Hooks' own events among the agent's, and the record of their runs.

use std::sync::Arc;

use portcullis::prompt::{Aside, Contributed};
use portcullis::{
    HookEvent, HookRun, HookSink, LoadErrors, LogLine, NotRun, QuarantineChange, RunStarted,
    TracingSink,
};

use super::{AgentEvent, Emitted, EventSender};
use crate::agent::load_error_texts;
use crate::jobs::{Asides, Origin};
use crate::journal::{Journal, JournalRuns};

/// Takes what a session's hooks say: their events go to the agent's subscribers, their log lines to
/// `tracing`, their runs to the journal.
pub(crate) struct AgentSink {
    session: Arc<str>,
    events: EventSender,
    runs: Option<JournalRuns>,
    /// Where remarks and jobs go; nothing where nobody takes them.
    asides: Option<Asides>,
}

impl AgentSink {
    pub(crate) fn new(session: &str, events: EventSender, journal: Option<Journal>) -> Self {
        Self {
            session: session.into(),
            events,
            runs: journal.map(JournalRuns::new),
            asides: None,
        }
    }

    /// Settles the runs whose callers are gone: the operation they were part of was cancelled.
    pub(crate) fn cancelled(&self) {
        if let Some(runs) = &self.runs {
            runs.cancelled();
        }
    }

    pub(crate) fn with_asides(mut self, asides: Asides) -> Self {
        self.asides = Some(asides);
        self
    }

    fn emit(&self, turn: u32, step: u32, event: impl FnOnce() -> AgentEvent) {
        self.events
            .emit(|| Emitted::new(self.session.clone(), turn, step, event()));
    }
}

impl HookSink for AgentSink {
    fn log(&self, line: LogLine<'_>) {
        TracingSink.log(line);
    }

    fn event(&self, event: HookEvent) {
        self.emit(event.turn, event.step, || AgentEvent::HookEmitted {
            hook: event.hook.to_string(),
            name: event.name,
            data: event.data,
        });
    }

    fn watches_runs(&self) -> bool {
        self.runs.is_some()
    }

    fn started(&self, run: &RunStarted<'_>) {
        if let Some(runs) = &self.runs {
            runs.started(run);
        }
    }

    fn ended(&self, _: &str, run: &HookRun) {
        if let Some(runs) = &self.runs {
            runs.ended(run);
        }
    }

    fn ended_later(&self, session: &str, run: &HookRun) {
        self.ended(session, run);
        self.emit(run.turn, run.step, || AgentEvent::HookRun {
            run: run.clone(),
        });
    }

    fn did_not_run(&self, run: NotRun<'_>) {
        self.emit(run.turn, run.step, || AgentEvent::GuardDidNotRun {
            hook: run.hook.to_string(),
            point: run.point,
            cause: run.cause,
            refused: run.refused,
        });
    }

    fn quarantine(&self, change: QuarantineChange<'_>) {
        let hook = || change.hook.to_string();
        self.emit(change.turn, change.step, || match change.cause {
            Some(cause) => AgentEvent::HookQuarantined {
                hook: hook(),
                cause,
                failures: change.failures,
            },
            None => AgentEvent::HookReleased { hook: hook() },
        });
    }

    fn not_taken_up(&self, _: &str, errors: &LoadErrors) {
        self.emit(0, 0, || AgentEvent::HooksNotReloaded {
            all: true,
            kept: Vec::new(),
            errors: load_error_texts(&errors.0),
        });
    }

    fn contributed(&self, _: &str, asides: &[Contributed<Aside>]) {
        // The turn of a run in the background may be over by now, and the sink is not told which it
        // was.
        let origin = Origin {
            session_id: self.session.clone(),
            turn: 0,
            step: 0,
        };
        if let Some(takes) = &self.asides {
            takes.take(&origin, asides.to_vec());
        }
    }
}

#[cfg(test)]
mod tests {
    use portcullis::points::PointId;
    use portcullis::{Cause, HookId};

    use super::*;

    #[test]
    fn guards_that_do_not_run_reach_subscribers() {
        let events = EventSender::new();
        let mut heard = events.subscribe();
        let sink = AgentSink::new("s", events, None);
        let hook = HookId::from("guard");
        let change = |cause| QuarantineChange {
            hook: &hook,
            component: None,
            session: "s",
            turn: 2,
            step: 3,
            cause,
            failures: 5,
        };
        sink.did_not_run(NotRun {
            hook: &hook,
            point: PointId::PreTurn,
            session: "s",
            turn: 2,
            step: 3,
            cause: Cause::Quarantined,
            refused: false,
        });
        sink.quarantine(change(Some(Cause::Trap)));
        sink.quarantine(change(None));
        for expected in [
            serde_json::json!({
                "event": "guard-did-not-run", "hook": "guard", "point": "pre-turn",
                "cause": "quarantined", "refused": false,
            }),
            serde_json::json!({
                "event": "hook-quarantined", "hook": "guard", "cause": "trap", "failures": 5,
            }),
            serde_json::json!({ "event": "hook-released", "hook": "guard" }),
        ] {
            let emitted = heard.try_next().map(|event| serde_json::to_value(&*event));
            let json = emitted.and_then(Result::ok).unwrap_or_default();
            for (key, value) in expected.as_object().into_iter().flatten() {
                assert_eq!(&json[key], value, "{json}");
            }
            assert_eq!((&json["turn"], &json["step"]), (&2.into(), &3.into()));
        }
    }

    #[test]
    fn hooks_events_reach_subscribers() {
        let events = EventSender::new();
        let mut heard = events.subscribe();
        AgentSink::new("s", events, None).event(HookEvent {
            hook: "cost".into(),
            session: "s".into(),
            turn: 2,
            step: 3,
            name: "spent".into(),
            data: serde_json::json!({ "usd": 1 }),
        });
        let emitted = heard.try_next().map(|event| serde_json::to_value(&*event));
        let json = emitted.and_then(Result::ok).unwrap_or_default();
        assert_eq!(json["event"], "hook-emitted");
        assert_eq!(
            (&json["hook"], &json["session_id"]),
            (&"cost".into(), &"s".into())
        );
        assert_eq!((&json["turn"], &json["step"]), (&2.into(), &3.into()));
        assert_eq!(json["data"]["usd"], 1);
    }
}
