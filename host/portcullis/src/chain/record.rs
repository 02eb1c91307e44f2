//! Recording calls of components.

use std::sync::Arc;

use crate::chain::merge::Flow;
use crate::model::call::Call;
use crate::model::hook::{Answer, Profile};
use crate::model::points::Point;
use crate::model::recording::{RecordedCall, Recording};
use crate::model::sink::HookObserver;
use crate::model::verdict::{Decision, HookRun};

/// A call that is recorded, and whose answer is not merged yet.
pub(super) struct Kept<P: Point> {
    recording: Box<Recording>,
    before: Call<P>,
}

/// Keeps the call as the hook saw it; nothing unless calls are recorded.
#[inline]
pub(super) fn begin<P: Point>(answer: &mut Answer<P>, call: &Call<P>) -> Option<Box<Kept<P>>> {
    let recording = answer.seen.as_mut()?.recording.take()?;
    Some(Box::new(Kept {
        recording,
        before: call.clone(),
    }))
}

impl<P: Point> Kept<P> {
    /// Tells of the call, now that its answer is merged.
    pub(super) fn end(
        self,
        profile: &Arc<Profile>,
        call: &Call<P>,
        flow: &Flow<P>,
        run: &HookRun,
        session: &Arc<str>,
        sink: &dyn HookObserver,
    ) {
        let Recording {
            setup,
            secrets,
            instance,
            world,
            directories,
        } = *self.recording;
        let after = run.change.is_some().then(|| Box::new(call.clone()) as _);
        sink.call_ended(RecordedCall {
            at: RecordedCall::began(run.latency),
            session: session.clone(),
            instance,
            world,
            directories,
            run: run.clone(),
            said: said(flow),
            setup,
            profile: profile.clone(),
            secrets,
            input: Box::new(self.before),
            after,
        });
    }
}

/// What the hook asked, answered, or ended the turn with. A refusal stands in the run.
fn said<P: Point>(flow: &Flow<P>) -> Option<Vec<u8>> {
    match flow {
        Flow::NextThenAsk(ask) => serde_json::to_vec(ask).ok(),
        Flow::End(Decision::Answered { answer, .. }) => serde_json::to_vec(answer).ok(),
        Flow::End(Decision::Stopped { stop, .. }) => serde_json::to_vec(stop).ok(),
        _ => None,
    }
}
