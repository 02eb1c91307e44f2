//! Firing a session's points, and emitting its events.

mod changes;
mod effects;
mod events;
mod messages;

pub(crate) use self::changes::ChangedBy;
pub(crate) use self::messages::role_name;

use portcullis::approval::ApprovalDecision;
use portcullis::contract::Context;
use portcullis::points::Point;
use portcullis::session::{CallData, StateEdits};
use portcullis::{Call, Decision, HookId, Views};

use self::effects::Asks;
use super::state::SessionState;
use crate::events::{AgentEvent, Emitted};
use crate::exchange::TurnError;

/// The decision of a point's hooks.
pub(crate) struct Fired<P: Point> {
    pub(crate) decision: Decision<P>,
    /// The subject after the hooks have run.
    pub(crate) subject: P::Subject,
    /// The views after the hooks have run.
    pub(crate) views: Views,
}

/// A decided call, which the observing hooks have not seen.
pub(crate) struct Decided<P: Point> {
    pub(crate) call: Call<P>,
    /// The decisions, and the hooks that made them.
    pub(crate) by: portcullis::session::Decided<P>,
    /// The number of the verdict's runs that have been reported. They stay in the verdict for the
    /// observing hooks.
    reported: usize,
}

impl SessionState {
    /// Runs all hooks of a point. Check [`portcullis::Session::serves`] first, to build the subject
    /// only if there is a hook.
    ///
    /// The views contain the conversation; `see` sets the others.
    pub(crate) async fn ask<P: Point>(
        &self,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> Fired<P> {
        let mut decided = self.decide::<P>(subject, see).await;
        if !matches!(decided.by.verdict.decision, Decision::Pending(_)) {
            self.observe(&mut decided).await;
        }
        let CallData { subject, views, .. } = decided.call.into_data();
        Fired {
            decision: decided.by.verdict.decision,
            subject,
            views,
        }
    }

    /// Runs the deciding hooks of a point.
    pub(crate) async fn decide<P: Point>(
        &self,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> Decided<P> {
        let mut call = self.call::<P>(subject, see);
        if let Some(recorded) = self.effects.recording() {
            return self.decide_recorded(recorded, call, Asks::Decide, 0).await;
        }
        let by = self.hooks.decide(&mut call).await;
        self.decided(call, by).await
    }

    /// Creates a call to a point's hooks.
    pub(crate) fn call<P: Point>(
        &self,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> Call<P> {
        let mut views = self.views.clone();
        views.conversation = self.conversation.messages().clone();
        views.turn_start = self.conversation.turn_start();
        views.state = self.state.get();
        views.trace = self.trace.of_call(P::ID, P::call_id(&subject));
        see(&mut views);
        Call::unchecked(self.context(), subject, views)
    }

    /// Reports the runs, answers, notes and jobs of a verdict, and applies the changes of the
    /// agent's state. If a `state-changed` hook fails closed, the call has failed.
    pub(crate) async fn decided<P: Point>(
        &self,
        call: Call<P>,
        by: portcullis::session::Decided<P>,
    ) -> Decided<P> {
        let mut decided = Decided {
            call,
            by,
            reported: 0,
        };
        self.report(&mut decided).await;
        decided
    }

    /// Continues a deferred decision with a person's answer.
    pub(crate) async fn answer<P: Point>(
        &self,
        decided: Decided<P>,
        says: ApprovalDecision,
    ) -> Decided<P> {
        let Decided {
            mut call,
            by,
            reported,
        } = decided;
        if let Some(recorded) = self.effects.recording() {
            let asks = Asks::Answer(Box::new(by), says);
            return self.decide_recorded(recorded, call, asks, reported).await;
        }
        let by = self.hooks.answer(&mut call, by, says).await;
        let mut decided = Decided { call, by, reported };
        self.report(&mut decided).await;
        decided
    }

    /// Runs the observing hooks of a decided call.
    pub(crate) async fn observe<P: Point>(&self, decided: &mut Decided<P>) {
        if self.effects.is_recorded() {
            return self.observe_recorded(decided).await;
        }
        let Decided { call, by, .. } = decided;
        self.hooks.observe(call, by).await;
        self.report(decided).await;
    }

    /// Runs the hooks of a point at which no hook can refuse.
    pub(crate) async fn notify<P: Point>(
        &self,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> Result<(), TurnError> {
        match self.ask::<P>(subject, see).await.decision {
            Decision::Failed(failed) => Err(failed.into()),
            _ => Ok(()),
        }
    }

    /// Returns the context of a call.
    pub(crate) fn context(&self) -> Context {
        Context {
            session_id: self.id().to_owned(),
            agent: self.agent().to_owned(),
            turn: self.position.turn,
            step: self.position.step,
        }
    }

    /// Reports the runs, answers, notes and jobs of a verdict, and applies the changes of the
    /// agent's state.
    async fn report<P: Point>(&self, decided: &mut Decided<P>) {
        self.announce(decided);
        let edits = self.leave(decided).await;
        self.apply(decided, edits).await;
    }

    /// Records people's answers, and emits the runs that were not reported.
    fn announce<P: Point>(&self, decided: &mut Decided<P>) {
        let call_id = P::call_id(&decided.call.subject);
        for answer in std::mem::take(&mut decided.by.verdict.answers) {
            self.record_answer(answer, P::ID, call_id);
        }
        let runs = &decided.by.verdict.runs;
        let new = runs.get(decided.reported..).unwrap_or_default();
        for run in new {
            self.events.emit(|| Emitted {
                call_id: call_id.map(str::to_owned),
                ..self.at(AgentEvent::HookRun { run: run.clone() })
            });
        }
        decided.reported = runs.len();
    }

    /// Passes on notes and jobs. Returns the changes of the agent's state.
    async fn leave<P: Point>(&self, decided: &mut Decided<P>) -> Vec<(HookId, StateEdits)> {
        let mut side_outputs = std::mem::take(&mut decided.by.verdict.side_outputs);
        if side_outputs.is_empty() {
            return Vec::new();
        }
        let edits = changes::take_edits(&mut side_outputs);
        let queued = self.side_outputs.take(&self.position, side_outputs);
        queued.stored().await;
        edits
    }

    /// Applies the hooks' changes of the agent's state.
    async fn apply<P: Point>(&self, decided: &mut Decided<P>, edits: Vec<(HookId, StateEdits)>) {
        let decision = &mut decided.by.verdict.decision;
        if !edits.is_empty()
            && let Err(failed) = self.apply_edits(edits).await
            // A failure does not replace a refusal.
            && !matches!(decision, Decision::Rejected { .. } | Decision::Failed(_))
        {
            *decision = Decision::Failed(failed);
        }
    }
}
