//! The recorder that watches runs for alerts.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use parking_lot::Mutex;
use portcullis::HookId;
use portcullis::points::PointId;
use portcullis::recording::{CallRecording, RecordedCall};
use portcullis_agent::{
    EventRow, HookEnd, HookRan, HookStart, RunEnd, RunRecorder, RunRow, RunState,
};

use crate::alert::{Alert, Place};
use crate::rule::Rule;
use crate::window::Sample;
use crate::worker::{AlertsError, Worker};

/// Running alerts. Cheap to clone. Dropping the last clone and the last recorder reports the
/// pending alerts, which takes at most 5 seconds.
#[derive(Debug, Clone)]
pub struct Alerts(Arc<Worker>);

impl Alerts {
    /// Starts a thread that checks these rules. On that thread, `observes` returns whether a hook
    /// is an observer, whose failure is not that of a guard, and `told` is called with every alert
    /// that fires or is resolved.
    ///
    /// # Errors
    ///
    /// There is no thread, or no HTTP client.
    pub fn start(
        rules: Vec<Rule>,
        observes: impl Fn(&str) -> bool + Send + 'static,
        told: impl Fn(&Alert) + Send + 'static,
    ) -> Result<Self, AlertsError> {
        let worker = Worker::start(rules, observes, told)?;
        Ok(Self(Arc::new(worker)))
    }

    /// Returns a recorder that watches runs, and passes them to the journal if there is one.
    pub fn recorder(&self, journal: Option<Arc<dyn RunRecorder>>) -> Arc<dyn RunRecorder> {
        Arc::new(Watching {
            alerts: self.clone(),
            journal,
            open: Mutex::default(),
        })
    }
}

/// The subject of a run that has not ended.
struct Open {
    hook: String,
    point: String,
    place: Place,
}

impl Open {
    fn new(hook: &HookId, point: PointId, session: &str, turn: u32) -> Self {
        Self {
            hook: hook.as_str().to_owned(),
            point: point.name().to_owned(),
            place: Place {
                session: session.to_owned(),
                turn,
            },
        }
    }
}

struct Watching {
    alerts: Alerts,
    journal: Option<Arc<dyn RunRecorder>>,
    open: Mutex<HashMap<i64, Open>>,
}

impl Watching {
    /// Counts a run if it has ended. A detached run has not.
    fn ended(&self, id: i64, end: &RunEnd) {
        if !end.state.is_open()
            && let Some(open) = self.open.lock().remove(&id)
        {
            self.count(open, end);
        }
    }

    /// Counts a run that has ended.
    fn count(&self, open: Open, end: &RunEnd) {
        // A model call is a part of the run that makes the call.
        if end.state.has_called() && open.point != "model" {
            self.alerts.0.count(sample(open, end));
        }
    }
}

impl RunRecorder for Watching {
    fn event(&self, event: EventRow) {
        if let Some(journal) = &self.journal {
            journal.event(event);
        }
    }

    fn keeps_values(&self) -> bool {
        let journal = self.journal.as_ref();
        journal.is_some_and(|journal| journal.keeps_values())
    }

    fn begin(&self, row: RunRow) {
        let open = Open {
            hook: row.hook.clone(),
            point: row.point.clone(),
            place: Place {
                session: row.session.clone(),
                turn: row.turn,
            },
        };
        self.open.lock().insert(row.id, open);
        if let Some(journal) = &self.journal {
            journal.begin(row);
        }
    }

    fn end(&self, id: i64, end: RunEnd) {
        self.ended(id, &end);
        if let Some(journal) = &self.journal {
            journal.end(id, end);
        }
    }

    fn hook_began(&self, start: HookStart) {
        let open = Open::new(start.hook(), start.point(), start.session(), start.turn());
        self.open.lock().insert(start.id, open);
        if let Some(journal) = &self.journal {
            journal.hook_began(start);
        }
    }

    fn hook_ended(&self, id: i64, end: HookEnd) {
        self.ended(id, &end.end());
        if let Some(journal) = &self.journal {
            journal.hook_ended(id, end);
        }
    }

    fn hook_ran(&self, ran: HookRan<'_>) {
        let open = Open::new(ran.hook(), ran.point(), ran.session(), ran.turn());
        self.count(open, &ran.end(false).end());
        if let Some(journal) = &self.journal {
            journal.hook_ran(ran);
        }
    }

    fn records_calls(&self) -> CallRecording {
        let journal = self.journal.as_ref();
        journal.map_or(CallRecording::Off, |journal| journal.records_calls())
    }

    fn call(&self, call: RecordedCall) {
        if let Some(journal) = &self.journal {
            journal.call(call);
        }
    }

    fn committed<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), String>> {
        match &self.journal {
            Some(journal) => journal.committed(session),
            None => {
                let error = "the host keeps no journal";
                Box::pin(std::future::ready(Err(error.to_owned())))
            }
        }
    }
}

fn sample(open: Open, end: &RunEnd) -> Sample {
    let failed = match end.state {
        // A cancelled run has no cause: its answer is no longer needed.
        RunState::Failed | RunState::TimedOut => end.cause.as_deref().map(str::to_owned),
        RunState::NotApplied => Some("replaced".to_owned()),
        _ => None,
    };
    Sample {
        hook: open.hook,
        point: open.point,
        place: open.place,
        latency: Duration::from_micros(end.latency_us.unwrap_or_default()),
        fuel: end.fuel.unwrap_or_default(),
        memory: end.memory.unwrap_or_default(),
        failed,
        // Set when the run is counted.
        observes: false,
    }
}
