//! The calls of a batch whose turn was suspended.

use std::collections::BTreeMap;

use futures::future::join_all;

use super::call::{Admitted, CallResult, Slot, WaitingCall, WaitingFor};
use super::{StepTools, admit, dispatch, subagent};
use crate::checkpoint::Resolution;
use crate::journal::NotRun;
use crate::session::state::SessionState;
use crate::tool::refusal;

/// A call of the batch, with its answer.
enum Resolved {
    /// It is done, or waits on.
    Unchanged(Slot),
    Admitted(Admitted),
    Subagent(Box<WaitingCall>, BTreeMap<String, Resolution>),
}

/// Resolves the waiting calls of the batch: admits them in order, then dispatches them in parallel,
/// as in a batch that was never suspended. Calls without a resolution wait on.
pub(crate) async fn resume(
    session: &SessionState,
    tools: &mut StepTools,
    mut resolutions: BTreeMap<String, Resolution>,
) {
    let mut resolved = Vec::with_capacity(tools.batch.len());
    for slot in std::mem::take(&mut tools.batch) {
        let call = match slot {
            Slot::Waiting(call) => resolve(session, *call, &mut resolutions, tools).await,
            done => Resolved::Unchanged(done),
        };
        resolved.push((call, session.effects.enter()));
    }
    let running = resolved.into_iter().map(|(resolved, effects)| async move {
        match resolved {
            Resolved::Unchanged(slot) => slot,
            Resolved::Admitted(admitted) => dispatch::dispatch(session, &effects, admitted).await,
            Resolved::Subagent(waiting, resolutions) => {
                subagent::resume(session, &effects, *waiting, resolutions).await
            }
        }
    });
    tools.batch = join_all(running).await;
}

async fn resolve(
    session: &SessionState,
    mut waiting: WaitingCall,
    resolutions: &mut BTreeMap<String, Resolution>,
    tools: &StepTools,
) -> Resolved {
    if let WaitingFor::Child { .. } = &waiting.wants {
        session
            .trace
            .tool_began(session.position.step, &waiting.call);
        let prefix = format!("{}/", waiting.call.id);
        let of_child: BTreeMap<String, Resolution> = resolutions
            .iter()
            .filter_map(|(id, it)| Some((id.strip_prefix(&prefix)?.to_owned(), it.clone())))
            .collect();
        return if of_child.is_empty() {
            Resolved::Unchanged(waiting.into())
        } else {
            Resolved::Subagent(Box::new(waiting), of_child)
        };
    }
    let Some(resolution) = resolutions.remove(&waiting.call.id) else {
        return Resolved::Unchanged(waiting.into());
    };
    let result = match (&mut waiting.wants, resolution) {
        (WaitingFor::Decision(questions), Resolution::Decision(says)) => {
            let questions = std::mem::take(questions);
            let offered = tools.offered();
            match admit::admit_decided(session, waiting, questions, says, offered).await {
                Ok(admitted) => return Resolved::Admitted(admitted),
                Err(refused) => refused,
            }
        }
        (WaitingFor::Result, Resolution::Result(output)) => {
            session
                .trace
                .tool_began(session.position.step, &waiting.call);
            CallResult {
                arguments: waiting.arguments,
                settled_by_hooks: true,
                ..CallResult::ran(waiting.call, output)
            }
        }
        // The snapshot has checked the resolutions.
        (_, _) => CallResult::not_run(
            waiting.call,
            NotRun::CannotResume,
            refusal::invalid_call("its resolution is not what it waits for"),
        ),
    };
    Resolved::Unchanged(result.into())
}
