//! Replaying one call in an open session.

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use futures::future::LocalBoxFuture;
use portcullis::approval::DeferAll;
use portcullis::contract::Context;
use portcullis::json::JsonPoint;
use portcullis::observer::{HookEvent, HookObserver, LogLine};
use portcullis::points::{PointId, PointVisitor};
use portcullis::recording::{CallRecording, RecordedCall, World};
use portcullis::verdict::HookRun;
use portcullis::{Call, Session, SessionOptions, Views};
use portcullis_recording::{FileChanges, Outcome, RecordingError, StoredCall, file_changes};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use super::compare::Now;
use super::host::Host;
use super::state::{Changed, Space};

/// The maximum number of bytes of files in the directories of a replayed call. Recorded files fit
/// by default; the limit is for the writes of another version.
const MOST: NonZeroUsize = NonZeroUsize::new(1 << 30).expect("not zero");

/// An open session, which has one instance of the hook.
pub(super) struct Playing {
    session: Session,
    sink: Arc<Sink>,
    pub(super) setup: String,
    /// The number of the instance's next call; `None` if earlier calls are missing.
    pub(super) next: Option<u64>,
}

impl Playing {
    pub(super) fn open(host: &Host, setup: String, call: &StoredCall) -> Self {
        let sink = Arc::new(Sink::default());
        let session = host.hooks.session(SessionOptions {
            sink: sink.clone(),
            approver: Arc::new(DeferAll),
            ..SessionOptions::new(call.session.to_string())
        });
        Self {
            session,
            sink,
            setup,
            next: Some(0),
        }
    }

    /// Returns the private state of hooks, as JSON.
    pub(super) fn state(&self) -> Value {
        serde_json::to_value(self.session.private_state()).unwrap_or_default()
    }

    /// Sets the private state of the hook. Does nothing if there is no state.
    pub(super) fn remember(&self, hook: &portcullis::HookId, state: Option<&Value>) {
        match state {
            Some(state) => restore(&self.session, state),
            None => restore(&self.session, &json!([{ hook.as_str(): {} }])),
        }
    }

    /// Applies the changes by others.
    pub(super) fn set(&self, host: &Host, hook: &portcullis::HookId, changed: Vec<Changed>) {
        let mut own = Vec::new();
        for change in changed {
            match (change.space, change.value) {
                (Space::Shared(space), Some(value)) => {
                    host.hooks.state().set_shared(&space, &change.key, value)
                }
                (Space::Shared(space), None) => {
                    host.hooks.state().remove_shared(&space, &change.key)
                }
                (Space::Private(_), value) => own.push((change.key, value)),
            }
        }
        if own.is_empty() {
            return;
        }
        let mut state = self.state();
        if state.get(0).is_none() {
            state = json!([{}]);
        }
        let of_all = state.get_mut(0).and_then(Value::as_object_mut);
        let Some(of_all) = of_all else { return };
        let of_hook = of_all.entry(hook.to_string()).or_insert_with(|| json!({}));
        if let Some(of_hook) = of_hook.as_object_mut() {
            for (key, value) in own {
                match value {
                    Some(value) => drop(of_hook.insert(key, json!(value))),
                    None => drop(of_hook.remove(&key)),
                }
            }
        }
        restore(&self.session, &state);
    }

    /// Replays a call.
    ///
    /// # Errors
    ///
    /// The call cannot be replayed. Returns the reason.
    pub(super) fn call(
        &self,
        runtime: &Runtime,
        host: &Host,
        call: &StoredCall,
    ) -> Result<Now, String> {
        let unfit = |what: &dyn Display| {
            format!(
                "it does not fit its point as it is in this version: {what}; another version may have \
                 recorded it, or it is damaged"
            )
        };
        let damaged = |error: RecordingError| error.to_string();
        let point = PointId::from_name(&call.point)
            .ok_or_else(|| unfit(&format!("there is no point `{}`", call.point)))?;
        let context = call.context.clone().unwrap_or_else(crate::play::context);
        let mut views = call.views().map_err(damaged)?;
        let mut subject = call.subject.clone();
        if !host.secrets.is_empty() {
            let with = StoredCall {
                views: call
                    .views
                    .iter()
                    .map(|(name, view)| {
                        (name.clone(), Arc::new(host.secrets.put((**view).clone())))
                    })
                    .collect(),
                ..call.clone()
            };
            views = with.views().map_err(damaged)?;
            subject = host.secrets.put(subject);
        }
        let session = &self.session;
        let made = point.visit(Make {
            session,
            context,
            subject,
            views,
        });
        let runs = runtime.block_on(made.map_err(|e| unfit(&e))?);
        let mut missing = host.playback.take_missing();
        let run = runs.last();
        let status = run.map(|run| serde_json::to_value(&run.status)).transpose();
        let status = status.map_err(|e| e.to_string())?;
        let status = status.unwrap_or_else(|| "skipped".into());
        let fuel = run.and_then(|run| run.fuel);
        let (outcome, world, files) = match self.sink.take() {
            Some(made) => {
                let (outcome, world) =
                    portcullis_recording::ended(&made, &host.secrets.all).map_err(damaged)?;
                (outcome, world, file_changes(&made))
            }
            // The call did not start.
            None => {
                let outcome = Outcome {
                    status,
                    fuel,
                    ..Outcome::default()
                };
                (outcome, World::default(), FileChanges::new())
            }
        };
        missing.extend(world.missing.clone());
        Ok(Now {
            outcome,
            world,
            files,
            missing,
        })
    }
}

fn restore(session: &Session, state: &Value) {
    if let Ok(state) = serde_json::from_value(state.clone()) {
        session.restore(state);
    }
}

struct Make<'a> {
    session: &'a Session,
    context: Context,
    subject: Value,
    views: Views,
}

impl<'a> PointVisitor for Make<'a> {
    type Output = serde_json::Result<LocalBoxFuture<'a, Vec<HookRun>>>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let subject: P::Subject = serde_json::from_value(self.subject)?;
        let mut call = Call::<P>::unchecked(self.context, subject, self.views);
        let session = self.session;
        Ok(Box::pin(async move { session.run(&mut call).await.runs }))
    }
}

/// An observer that keeps the replayed calls.
#[derive(Default)]
struct Sink(Mutex<Option<RecordedCall>>);

impl Sink {
    fn take(&self) -> Option<RecordedCall> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl HookObserver for Sink {
    fn log(&self, _: LogLine<'_>) {}

    fn event(&self, _: HookEvent) {}

    fn records_calls(&self) -> CallRecording {
        CallRecording::WithDirectories(MOST)
    }

    fn call_ended(&self, call: RecordedCall) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(call);
    }
}
