//! Effects of a session: what a turn does, and what it leaves in the session beside its value.

use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::Call;
use portcullis::approval::ApprovalDecision;
use portcullis::contract::Usage;
use portcullis::points::Point;
use portcullis::session::{DecisionRecord, StateEdits};
use portcullis::state::PrivateState;
use portcullis::verdict::HookRun;
use portcullis::{HookId, Views};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Decided;
use crate::basics::usage::{NO_USAGE, difference};
use crate::session::state::SessionState;

/// An effect that is done: its value, and what it left.
#[derive(Serialize, Deserialize)]
struct Done<T> {
    value: T,
    /// What hooks used of models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    usage: Option<Usage>,
    /// The agent's state, if it changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<Map<String, Value>>,
    /// What hooks remember where no store keeps it, if it changed.
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

/// What the deciding hooks of a point are asked.
pub(super) enum Asks<P: Point> {
    Decide,
    Answer(Box<portcullis::session::Decided<P>>, ApprovalDecision),
}

impl SessionState {
    /// Does an effect, or takes its value and what it left from the record.
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
        if !scope.is_recorded() {
            return work.await;
        }
        let mut was_done = false;
        let recording = async {
            was_done = true;
            let (usage, state) = (self.usage.turn(), self.state.get());
            let private = self.hooks.private_state();
            let value = work.await;
            // Before the value counts: a process that takes it from the record does not call them again.
            self.flush_hooks_state().await;
            self.flush_journal().await;
            let used = difference(&self.usage.turn(), &usage);
            let (state_now, private_now) = (self.state.get(), self.hooks.private_state());
            Done {
                value,
                usage: (used != NO_USAGE).then_some(used),
                state: (!Arc::ptr_eq(&state, &state_now)).then(|| state_now.values.clone()),
                private: (private != private_now).then_some(private_now),
            }
        };
        let done = scope.run(name, recording.boxed()).await;
        if !was_done {
            if let Some(used) = &done.usage {
                self.usage.add(used);
            }
            if let Some(state) = done.state {
                self.state.set(state);
            }
            if let Some(private) = done.private {
                self.hooks.restore(private);
            }
        }
        done.value
    }

    /// Has the deciding hooks of a point decide, as one effect. Boxed, because most sessions record none.
    pub(super) fn decide_recorded<'a, P: Point>(
        &'a self,
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
                let answered = by.verdict.runs.get(..reported).unwrap_or_default();
                self.record_decisions(answered, P::call_id(&asked.subject));
                let mut decided = Decided {
                    call: asked,
                    by,
                    reported,
                };
                self.announce(&mut decided);
                let edits = self.leave(&mut decided).await;
                let decision = decided.by.record(&decided.call, &before);
                live = Some(decided);
                DecidedRecord { decision, edits }
            };
            let record = self
                .effect(|| format!("{name} {}", P::ID), work.boxed())
                .await;
            let mut decided = match live {
                Some(decided) => decided,
                None => match record.decision.restore(&mut call) {
                    Ok(by) => {
                        let mut decided = Decided { call, by, reported };
                        self.announce(&mut decided);
                        decided
                    }
                    Err(error) => return self.effects.stop(error.to_string()).await,
                },
            };
            self.apply(&mut decided, record.edits).await;
            decided
        }
        .boxed()
    }

    /// Has the observing hooks of a point see what was decided, as one effect.
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
            let name = || format!("observe {}", P::ID);
            let runs: Vec<HookRun> = self.effect(name, work.boxed()).await;
            if !was_done {
                decided.by.verdict.runs.extend(runs);
                self.announce(decided);
            }
        }
        .boxed()
    }
}
