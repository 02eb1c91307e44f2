//! Effects of a session: their work, and their changes to the session besides their value.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::Call;
use portcullis::approval::ApprovalDecision;
use portcullis::contract::Usage;
use portcullis::points::{Point, PointId};
use portcullis::session::{DecisionRecord, StateEdits};
use portcullis::state::PrivateState;
use portcullis::verdict::HookRun;
use portcullis::{HookId, Views};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};

use super::Decided;
use crate::basics::usage::{NO_USAGE, difference};
use crate::effects::{Place, Recorded};
use crate::session::state::SessionState;

/// A completed effect: its value, and its changes to the session.
#[derive(Serialize, Deserialize)]
struct Done {
    value: Box<RawValue>,
    /// The hooks' model usage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    /// The agent's state, if it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<Map<String, Value>>,
    /// The hooks' state that is not in a store, if it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    private: Option<Vec<PrivateState>>,
}

/// A decision of hooks.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct DecidedRecord<P: Point> {
    decision: DecisionRecord<P>,
    edits: Vec<(HookId, StateEdits)>,
}

/// The request to the deciding hooks of a point.
pub(super) enum Asks<P: Point> {
    Decide,
    Answer(Box<portcullis::session::Decided<P>>, ApprovalDecision),
}

impl SessionState {
    /// Does an effect, or takes its value and its changes to the session from the record.
    pub(crate) async fn effect<T, F>(&self, name: impl FnOnce() -> String, work: F) -> T
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = T> + Send,
    {
        self.effect_in(&self.effects, name, work).await
    }

    /// Does an effect of another scope of the turn.
    pub(crate) async fn effect_in<T, F>(
        &self,
        scope: &crate::effects::Scope,
        name: impl FnOnce() -> String,
        work: F,
    ) -> T
    where
        T: Serialize + DeserializeOwned + Send,
        F: Future<Output = T> + Send,
    {
        let Some(recorded) = scope.recording() else {
            return work.await;
        };
        // The value itself is kept, so that a value that was just made is not parsed.
        let mut made = None;
        let making = async {
            let value = work.await;
            let text = to_raw_value(&value);
            made = Some(value);
            text
        };
        let (place, text) = self.record_effect(recorded, name(), making.boxed()).await;
        if let Some(value) = made {
            return value;
        }
        self.read_effect(recorded, place, &text).await
    }

    /// Does an effect whose value is JSON, or takes it from the record. Returns its place and a
    /// [`Done`] as JSON.
    async fn record_effect(
        &self,
        recorded: &Recorded,
        name: String,
        work: BoxFuture<'_, serde_json::Result<Box<RawValue>>>,
    ) -> (Place, String) {
        let recording = async {
            let (usage, state) = (self.usage.turn(), self.state.get());
            let private = self.hooks.private_state();
            let value = work.await;
            // Before the value is recorded: a process that takes the value from the record does not
            // repeat these writes.
            self.flush_hooks_state().await;
            self.flush_journal().await;
            let used = difference(&self.usage.turn(), &usage);
            let (state_now, private_now) = (self.state.get(), self.hooks.private_state());
            serde_json::to_string(&Done {
                value: value?,
                usage: (used != NO_USAGE).then_some(used),
                state: (!Arc::ptr_eq(&state, &state_now)).then(|| state_now.values.clone()),
                private: (private != private_now).then_some(private_now),
            })
        };
        recorded.run(name, recording.boxed()).await
    }

    /// Returns the value of an effect that was done in another process, and restores its changes.
    async fn read_effect<T: DeserializeOwned>(
        &self,
        recorded: &Recorded,
        place: Place,
        done: &str,
    ) -> T {
        let value = self.restore_effect(done);
        match value.and_then(|value| serde_json::from_str(value.get())) {
            Ok(value) => value,
            Err(error) => recorded.unreadable(place, &error).await,
        }
    }

    /// Restores the changes of an effect that was done in another process, and returns its value.
    fn restore_effect(&self, done: &str) -> serde_json::Result<Box<RawValue>> {
        let done: Done = serde_json::from_str(done)?;
        if let Some(used) = &done.usage {
            self.usage.add(used);
        }
        if let Some(state) = done.state {
            self.state.set(state);
        }
        if let Some(private) = done.private {
            self.hooks.restore(private);
        }
        Ok(done.value)
    }

    /// Runs the deciding hooks of a point, as one effect. Boxed, because most sessions record no
    /// effects.
    pub(super) fn decide_recorded<'a, P: Point>(
        &'a self,
        recorded: &'a Recorded,
        mut call: Call<P>,
        asks: Asks<P>,
        reported: usize,
    ) -> BoxFuture<'a, Decided<P>> {
        async move {
            let before: Views = call.views.clone();
            let mut asked = call.clone();
            let mut live = None;
            let name = match asks {
                Asks::Decide => "decide",
                Asks::Answer(..) => "answer",
            };
            let work = async {
                let by = match asks {
                    Asks::Decide => self.hooks.decide(&mut asked).await,
                    Asks::Answer(by, says) => self.hooks.answer(&mut asked, *by, says).await,
                };
                let mut decided = Decided {
                    call: asked,
                    by,
                    reported,
                };
                self.announce(&mut decided);
                let edits = self.leave(&mut decided).await;
                let decision = decided.by.record(&decided.call, &before);
                let record = DecidedRecord { decision, edits };
                let text = to_raw_value(&record);
                live = Some((decided, record.edits));
                text
            };
            let name = format!("{name} {}", P::ID);
            let (place, text) = self.record_effect(recorded, name, work.boxed()).await;
            let (mut decided, edits) = match live {
                Some(decided) => decided,
                None => {
                    let record: DecidedRecord<P> = self.read_effect(recorded, place, &text).await;
                    match record.decision.restore(&mut call) {
                        Ok(by) => {
                            let mut decided = Decided { call, by, reported };
                            self.announce(&mut decided);
                            (decided, record.edits)
                        }
                        Err(error) => return self.effects.stop(error.to_string()).await,
                    }
                }
            };
            self.apply(&mut decided, edits).await;
            decided
        }
        .boxed()
    }

    /// Runs the observing hooks of a point on the decision, as one effect.
    pub(super) fn observe_recorded<'a, P: Point>(
        &'a self,
        decided: &'a mut Decided<P>,
    ) -> BoxFuture<'a, ()> {
        async move {
            let reported = decided.reported;
            let mut was_done = false;
            let work = async {
                was_done = true;
                let Decided { call, by, .. } = &mut *decided;
                self.hooks.observe(call, by).await;
                self.announce(decided);
                // Observers change no state.
                self.leave(decided).await;
                let runs = decided.by.verdict.runs.get(reported..);
                runs.unwrap_or_default().to_vec()
            };
            let runs: Vec<HookRun> = self.effect(observes(P::ID), work.boxed()).await;
            if !was_done {
                decided.by.verdict.runs.extend(runs);
                self.announce(decided);
            }
        }
        .boxed()
    }
}

/// Returns a function for the name of an effect, which is called only if effects are recorded.
fn observes(point: PointId) -> impl FnOnce() -> String {
    move || format!("observe {point}")
}
