//! Opening the session of a suspended turn, before the turn continues.

use std::collections::BTreeMap;
use std::sync::Arc;

use scopeguard::ScopeGuard;
use tokio_util::sync::CancellationToken;

use super::state::SessionState;
use super::suspension::{Claim, Snapshot};
use super::turn::Resumed;
use super::{recording, resources, saving};
use crate::checkpoint::{CheckpointError, CheckpointId, Resolution};
use crate::exchange::{NewSession, ResumeError};
use crate::shared::{Parents, Shared};

/// A session that is ready to resume its turn.
pub(crate) struct Reopened {
    pub(crate) state: Box<SessionState>,
    /// The claim of the turn's checkpoint.
    pub(crate) claim: Claim,
    pub(crate) turn: Resumed,
}

/// Claims a checkpoint and opens its session. If that fails, is cancelled or is dropped, the workspace
/// is closed, the session is released and the checkpoint waits again.
pub(crate) async fn reopen(
    shared: Arc<Shared>,
    new: NewSession,
    parents: Parents,
    checkpoint: CheckpointId,
    mut resolutions: BTreeMap<String, Resolution>,
    cancel_turn: &CancellationToken,
) -> Result<Reopened, ResumeError> {
    let ended = new.ended();
    let (claim, snapshot) =
        Claim::take(&shared, &new, &parents.agents, checkpoint, &mut resolutions).await?;
    let new = snapshot.new_session(new);
    let state = Box::new(SessionState::new(shared, new, parents));
    let mut opening = scopeguard::guard((state, claim), give_back_later);
    let (state, claim) = &mut *opening;
    let opened = tokio::select! {
        biased;
        () = ended => Err(ResumeError::Cancelled),
        () = cancel_turn.cancelled() => Err(ResumeError::Cancelled),
        opened = open(state, &snapshot, claim.id()) => opened,
    };
    let (mut state, claim) = ScopeGuard::into_inner(opening);
    if let Err(error) = opened {
        give_back(state, claim).await?;
        return Err(error);
    }
    let turn = Resumed {
        checkpoint: claim.id().clone(),
        restored: snapshot.restore(&mut state),
        resolutions,
    };
    Ok(Reopened { state, claim, turn })
}

async fn open(
    state: &mut SessionState,
    snapshot: &Snapshot,
    checkpoint: &CheckpointId,
) -> Result<(), ResumeError> {
    let opened = resources::open_workspace(state).await;
    opened.map_err(ResumeError::Workspace)?;
    saving::open(state).await.map_err(ResumeError::Session)?;
    snapshot.check_turns(checkpoint, state)?;
    recording::find(state).await?;
    let opened = resources::open_hooks_state(state).await;
    opened.map_err(ResumeError::State)
}

/// Restores an open session to the suspension of its turn, which was resumed and then interrupted.
pub(crate) async fn restore(
    state: &mut SessionState,
    checkpoint: CheckpointId,
    resolutions: BTreeMap<String, Resolution>,
) -> Result<(Claim, Resumed), ResumeError> {
    let (claim, snapshot) = Claim::retake(state, checkpoint, &resolutions).await?;
    snapshot.check_turns(claim.id(), state)?;
    let turn = Resumed {
        checkpoint: claim.id().clone(),
        restored: snapshot.restore(state),
        resolutions,
    };
    Ok((claim, turn))
}

/// Releases the session before its checkpoint, so that the process that claims the checkpoint can
/// open the session.
async fn give_back(mut state: Box<SessionState>, claim: Claim) -> Result<(), CheckpointError> {
    resources::release(&mut state).await;
    claim.release().await
}

fn give_back_later((state, claim): (Box<SessionState>, Claim)) {
    let (shared, session) = (state.shared.clone(), state.id().to_owned());
    let given_back = shared.endings.spawn(async move {
        let id = claim.id().clone();
        if let Err(error) = give_back(state, claim).await {
            tracing::warn!(checkpoint = %id, "the checkpoint stays claimed: {error}");
        }
    });
    // The dropped claim reports its checkpoint.
    if let Err(error) = given_back {
        tracing::warn!("the session `{session}` stays open: {error}");
    }
}
