//! Records component calls.

use std::sync::Arc;
use std::time::Instant;

use crate::chain::merge::Flow;
use crate::model::call::{Call, CallData};
use crate::model::hook::{Answer, Profile};
use crate::model::moment;
use crate::model::points::Point;
use crate::model::recording::{RecordedCall, Recording};
use crate::model::sink::HookObserver;
use crate::model::verdict::{Decision, HookRun};

/// A recorded call whose answer is not merged yet.
pub(super) struct Kept<P: Point> {
    recording: Box<Recording>,
    before: Arc<CallData<P>>,
}

/// Keeps the call as the hook saw it; returns `None` unless calls are recorded.
#[inline]
pub(super) fn begin<P: Point>(answer: &mut Answer<P>, call: &Call<P>) -> Option<Kept<P>> {
    let recording = answer.seen.as_mut()?.recording.take()?;
    Some(Kept {
        recording,
        before: call.share(),
    })
}

impl<P: Point> Kept<P> {
    /// Reports the call to the session's observer after its answer was merged. `ended` is the time
    /// when the call ended.
    pub(super) fn end(
        self,
        profile: &Arc<Profile>,
        call: &Call<P>,
        flow: &Flow<P>,
        run: &HookRun,
        ended: Instant,
        (session, sink): (&Arc<str>, &dyn HookObserver),
    ) {
        let Recording {
            setup,
            secrets,
            instance,
            world,
            directories,
        } = *self.recording;
        let after = run.change.is_some().then(|| call.share() as _);
        sink.call_ended(RecordedCall {
            at: moment::since_1970(ended).saturating_sub(run.latency),
            session: session.clone(),
            instance,
            world,
            directories,
            run: run.clone(),
            said: said(flow),
            setup,
            profile: profile.clone(),
            secrets,
            input: self.before,
            after,
        });
    }
}

/// Returns the hook's question, its answer, or its reason to end the turn. A refusal is in the run.
fn said<P: Point>(flow: &Flow<P>) -> Option<Vec<u8>> {
    match flow {
        Flow::NextThenAsk(ask) => serde_json::to_vec(ask).ok(),
        Flow::End(Decision::Answered { answer, .. }) => serde_json::to_vec(answer).ok(),
        Flow::End(Decision::Stopped { stop, .. }) => serde_json::to_vec(stop).ok(),
        _ => None,
    }
}
