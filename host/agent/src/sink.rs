//! The observer of a session's hooks: their events, log lines, runs, notes and jobs.

use std::sync::Arc;

use futures::future::BoxFuture;
use portcullis::hooks::LoadError;
use portcullis::observer::{
    HookEvent, HookObserver, HostCall, LogLine, NotRun, QuarantineChange, RecordError, RunStarted,
    TracingSink,
};
use portcullis::prompt::{Contributed, SideOutput};
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis::text::sanitize_for_terminal;
use portcullis::verdict::HookRun;

use crate::events::{AgentEvent, EventSender, Position};
use crate::jobs::SideOutputs;
use crate::journal::{JournalObserver, RunRecorder};

/// The receivers of a session's hook reports.
#[derive(Default)]
pub(crate) struct Reports {
    pub(crate) events: EventSender,
    /// The recorder of runs, if there is one.
    pub(crate) journal: Option<Arc<dyn RunRecorder>>,
    /// The receiver of notes and jobs.
    pub(crate) side_outputs: Option<SideOutputs>,
    /// Whether runs keep their host calls.
    pub(crate) keep_calls: bool,
}

impl Reports {
    /// Returns the observer of a session's hooks.
    pub(crate) fn observer(self, session: &str) -> Arc<dyn HookObserver> {
        let tracer = self.events.tracer();
        let traced = tracer.and_then(|tracer| tracer.observer(session));
        let sink = AgentSink {
            session: Position::session(session),
            events: self.events,
            side_outputs: self.side_outputs,
            keep_calls: self.keep_calls,
            traced,
        };
        Arc::new(JournalObserver::new(Arc::new(sink), self.journal))
    }
}

/// Passes hooks' events to the agent's subscribers, their log lines to `tracing`, and their notes and
/// jobs to [`SideOutputs`].
struct AgentSink {
    session: Position,
    events: EventSender,
    side_outputs: Option<SideOutputs>,
    keep_calls: bool,
    /// Records runs as spans.
    traced: Option<Arc<dyn HookObserver>>,
}

impl AgentSink {
    fn emit(&self, turn: u32, step: u32, event: impl FnOnce() -> AgentEvent) {
        let session_id = self.session.session_id.clone();
        let position = Position {
            session_id,
            turn,
            step,
        };
        self.events.emit_at(&position, event);
    }
}

// A method added to the trait must be forwarded too, or be documented as not forwarded.
#[deny(clippy::missing_trait_methods)]
impl HookObserver for AgentSink {
    fn log(&self, line: LogLine<'_>) {
        TracingSink.log(line);
        if let Some(traced) = &self.traced {
            traced.log(line);
        }
    }

    fn event(&self, event: HookEvent) {
        self.emit(event.turn, event.step, || AgentEvent::HookEmitted {
            hook: event.hook.to_string(),
            name: event.name,
            data: event.data,
        });
    }

    fn watches_host_calls(&self) -> bool {
        self.keep_calls
    }

    /// Not forwarded: host calls are kept in runs.
    fn host_call(&self, _: HostCall) {}

    fn records_calls(&self) -> CallRecording {
        CallRecording::Off
    }

    fn call_ended(&self, _: RecordedCall) {}

    fn recorded<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), RecordError>> {
        let error = RecordError("the host keeps no journal".to_owned());
        Box::pin(std::future::ready(Err(error)))
    }

    fn watches_runs(&self) -> bool {
        self.traced.is_some()
    }

    fn digests_inputs(&self) -> bool {
        false
    }

    fn started(&self, run: &RunStarted<'_>) {
        if let Some(traced) = &self.traced {
            traced.started(run);
        }
    }

    fn watches_starts(&self) -> bool {
        let traced = self.traced.as_ref();
        traced.is_some_and(|traced| traced.watches_starts())
    }

    fn ran(&self, start: &RunStarted<'_>, run: &HookRun) {
        if let Some(traced) = &self.traced {
            traced.ran(start, run);
        }
    }

    fn ended(&self, session: &str, run: &HookRun) {
        if let Some(traced) = &self.traced {
            traced.ended(session, run);
        }
    }

    fn abandoned(&self, session: &str, run: u64) {
        if let Some(traced) = &self.traced {
            traced.abandoned(session, run);
        }
    }

    fn on_background_end(&self, session: &str, run: &HookRun) {
        if let Some(traced) = &self.traced {
            traced.on_background_end(session, run);
        }
        self.emit(run.turn, run.step, || AgentEvent::HookRun {
            run: run.clone(),
        });
    }

    fn on_guard_skipped(&self, run: NotRun<'_>) {
        if let Some(traced) = &self.traced {
            traced.on_guard_skipped(run);
        }
        self.emit(run.turn, run.step, || AgentEvent::GuardDidNotRun {
            hook: run.hook.to_string(),
            point: run.point,
            cause: run.cause,
            refused: run.refused,
        });
    }

    fn quarantine(&self, change: QuarantineChange<'_>) {
        if let Some(traced) = &self.traced {
            traced.quarantine(change);
        }
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

    fn on_reload_rejected(&self, _: &str, errors: &[String]) {
        self.emit(0, 0, || AgentEvent::HooksNotReloaded {
            all: true,
            kept: Vec::new(),
            errors: errors
                .iter()
                .map(|text| sanitize_for_terminal(text))
                .collect(),
        });
    }

    fn contributed(&self, _: &str, side_outputs: &[Contributed<SideOutput>]) {
        // Without turn and step: the run was detached, and its turn may be over.
        if let Some(handler) = &self.side_outputs {
            // The answer does not wait for the store.
            drop(handler.take(&self.session, side_outputs.to_vec()));
        }
    }
}

/// Returns load errors as texts that may be shown.
pub(crate) fn load_error_texts(errors: &[LoadError]) -> Vec<String> {
    let texts = errors.iter().map(ToString::to_string);
    texts.map(|text| sanitize_for_terminal(&text)).collect()
}

#[cfg(test)]
mod tests {
    use portcullis::HookId;
    use portcullis::points::PointId;
    use portcullis::verdict::Cause;

    use super::*;

    fn reports(events: EventSender) -> Reports {
        Reports {
            events,
            ..Reports::default()
        }
    }

    #[test]
    fn guards_that_do_not_run_reach_subscribers() {
        let events = EventSender::new();
        let mut heard = events.subscribe();
        let sink = reports(events).observer("s");
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
        sink.on_guard_skipped(NotRun {
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
    fn runs_are_watched_only_if_somebody_records_them() {
        let observer = Reports::default().observer("s");
        assert!(!observer.watches_runs() && !observer.digests_inputs());
        assert!(!observer.watches_host_calls());
    }

    #[test]
    fn hooks_events_reach_subscribers() {
        let events = EventSender::new();
        let mut heard = events.subscribe();
        reports(events).observer("s").event(HookEvent {
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
            (&json["hook"], &json["session-id"]),
            (&"cost".into(), &"s".into())
        );
        assert_eq!((&json["turn"], &json["step"]), (&2.into(), &3.into()));
        assert_eq!(json["data"]["usd"], 1);
    }
}
