//! Asking the hooks of a point.

use portcullis::contract::Context;
use portcullis::points::Point;
use portcullis::{Call, CallData, Decision, Verdict, Views};

use super::running::Running;
use crate::error::TurnError;
use crate::events::AgentEvent;

/// What became of a call at a point.
pub(super) struct Ran<P: Point> {
    pub(super) decision: Decision<P>,
    /// What it was about, with what hooks changed.
    pub(super) subject: P::Subject,
    /// What was to be seen, with what hooks changed.
    pub(super) views: Views,
}

/// A call that is decided, while those who look on have not been told.
pub(super) struct Decided<P: Point> {
    pub(super) call: Call<P>,
    pub(super) verdict: Verdict<P>,
    /// How many of the verdict's runs have been told. They stay in it for those who look on.
    reported: usize,
}

impl Running {
    /// Runs the hooks of a point. Ask [`portcullis::Session::serves`] first: building the subject is
    /// work that an unserved point need not cost.
    pub(super) async fn ask<P: Point>(
        &self,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> Ran<P> {
        let mut decided = self.decide::<P>(subject, see).await;
        if !matches!(decided.verdict.decision, Decision::Pending(_)) {
            self.tell(&mut decided).await;
        }
        let CallData { subject, views, .. } = decided.call.into_data();
        Ran {
            decision: decided.verdict.decision,
            subject,
            views,
        }
    }

    /// Runs the hooks of a point that decide.
    pub(super) async fn decide<P: Point>(
        &self,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> Decided<P> {
        let mut views = self.views.clone();
        see(&mut views);
        let mut call = Call::<P>::new(self.context(), subject, views);
        let verdict = self.hooks.decide(&mut call).await;
        self.decided_as(call, verdict)
    }

    /// A call that was decided in this way.
    pub(super) fn decided_as<P: Point>(&self, call: Call<P>, verdict: Verdict<P>) -> Decided<P> {
        let mut decided = Decided {
            call,
            verdict,
            reported: 0,
        };
        self.report(&mut decided);
        decided
    }

    /// Runs the hooks of a point that look on, now that it is decided.
    pub(super) async fn tell<P: Point>(&self, decided: &mut Decided<P>) {
        let Decided { call, verdict, .. } = decided;
        self.hooks.observe(call, verdict).await;
        self.report(decided);
    }

    /// Runs the hooks of a point where they can only hear of something.
    pub(super) async fn hear<P: Point>(
        &self,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> Result<(), TurnError> {
        match self.ask::<P>(subject, see).await.decision {
            Decision::Failed(failed) => Err(failed.into()),
            _ => Ok(()),
        }
    }

    /// Where in the agent's life a call happens.
    pub(super) fn context(&self) -> Context {
        Context {
            session_id: self.place.session_id.to_string(),
            agent: self.place.agent().to_owned(),
            turn: self.place.turn,
            step: self.place.step,
        }
    }

    /// Hands on what a verdict brought that is for others than the caller.
    fn report<P: Point>(&self, decided: &mut Decided<P>) {
        let Decided {
            call,
            verdict,
            reported,
        } = decided;
        for run in verdict.runs.get(*reported..).unwrap_or_default() {
            self.emit_of(P::call_id(&call.subject), || AgentEvent::HookRun {
                run: run.clone(),
            });
        }
        *reported = verdict.runs.len();
        self.asides(std::mem::take(&mut verdict.asides));
    }
}
