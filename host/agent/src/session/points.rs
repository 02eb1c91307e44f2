//! Asking the hooks of a point.

use portcullis::points::Point;
use portcullis::{Call, Decision, HookRun, Views};

use super::running::Running;
use crate::events::AgentEvent;

/// What became of a call at a point.
pub(super) struct Ran<P: Point> {
    pub(super) decision: Decision<P>,
    /// What it was about, with what hooks changed.
    pub(super) subject: P::Subject,
    /// What was to be seen, with what hooks changed.
    pub(super) views: Views,
}

impl Running {
    /// Runs the hooks of a point. Ask [`portcullis::Session::serves`] first: building the subject is
    /// work that an unserved point need not cost.
    pub(super) async fn ask<P: Point>(
        &mut self,
        subject: P::Subject,
        see: impl FnOnce(&mut Views),
    ) -> Ran<P> {
        let mut views = self.views.clone();
        see(&mut views);
        let mut call = Call::<P>::new(self.place.context(), subject, views);
        let verdict = self.hooks.run(&mut call).await;
        let Call {
            context,
            subject,
            views,
        } = call;
        self.place.give_back(context);
        self.emit_runs(verdict.runs);
        self.take_asides(verdict.asides);
        Ran {
            decision: verdict.decision,
            subject,
            views,
        }
    }

    fn emit_runs(&self, runs: Vec<HookRun>) {
        for run in runs {
            self.emit(|| AgentEvent::HookRun { run });
        }
    }
}
