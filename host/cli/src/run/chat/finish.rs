//! Finishes turns that dead processes left, and turns whose time for answers is over.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::time::Duration;

use portcullis_agent::{
    Agent, CheckpointError, CheckpointStore as _, NewSession, ResumeError, SavedSessionError,
    SessionError, Steering,
};
use portcullis_store::Store;
use tokio_util::sync::CancellationToken;

use super::{Begin, Chat};

impl Chat {
    /// Finishes the agent's turns in this directory that were interrupted, and those whose time for
    /// answers is over, one after another, each once. With `again`, searches again at this interval
    /// until a signal comes.
    pub async fn finish_all(
        &mut self,
        agent: &Agent,
        new: &NewSession,
        store: &Store,
        again: Option<Duration>,
    ) -> anyhow::Result<ExitCode> {
        let dir = new.working_dir.as_ref();
        let dir = dir.map(|dir| dir.display().to_string());
        let mut tried = BTreeSet::new();
        loop {
            let name = &agent.context().config.name;
            let found = match left(store, name, dir.as_deref(), new.user.as_deref()).await {
                Ok(found) => found,
                // The database may be available again at the next search.
                Err(error) if again.is_some() => {
                    tracing::warn!("{error:#}");
                    Vec::new()
                }
                Err(error) => return Err(error),
            };
            for (id, session, begin) in found {
                if self.state.stopped.is_some() {
                    break;
                }
                // If another process had it and dies, it is tried again.
                if tried.insert(id.clone())
                    && !Box::pin(self.finish_one(agent, new, &session, begin)).await
                {
                    tried.remove(&id);
                }
            }
            let Some(again) = again.filter(|_| self.state.stopped.is_none()) else {
                return Ok(self.exit_code(false));
            };
            let interrupted = CancellationToken::new();
            let waits = async {
                tokio::select! {
                    () = tokio::time::sleep(again) => {}
                    () = interrupted.cancelled() => {}
                    () = new.park.cancelled() => {}
                }
            };
            self.state.park = new.park.clone();
            self.watch(waits, Some(&interrupted), &new.cancel).await?;
            if interrupted.is_cancelled() || self.state.stopped.is_some() {
                return Ok(self.exit_code(false));
            }
        }
    }

    /// Finishes the turn of a session. A failure is shown, and does not affect the next session. Returns
    /// false if another process was faster.
    async fn finish_one(
        &mut self,
        agent: &Agent,
        new: &NewSession,
        session: &str,
        begin: Begin,
    ) -> bool {
        let new = NewSession {
            id: session.to_owned(),
            steering: Steering::default(),
            ..new.clone()
        };
        let finishing = Box::pin(self.session(agent, new, begin, false));
        match finishing.await {
            Ok(_) => true,
            Err(error) if was_faster(&error) => {
                tracing::debug!(session, "another process has the turn: {error:#}");
                false
            }
            Err(error) => {
                self.state.failed = true;
                tracing::error!(session, "{error:#}");
                true
            }
        }
    }
}

/// A turn to finish: its id or its checkpoint's id, its session, and the session's beginning.
type LeftTurn = (String, String, Begin);

/// Returns the turns of an agent and a user in a directory that are to be finished. In other
/// directories an agent of the same name may have other tools, hooks and policies.
async fn left(
    store: &Store,
    agent: &str,
    dir: Option<&str>,
    user: Option<&str>,
) -> anyhow::Result<Vec<LeftTurn>> {
    let interrupted = store.turns().interrupted(agent, dir, user).await?;
    let mut left: Vec<LeftTurn> = interrupted
        .into_iter()
        .map(|turn| (turn.id, turn.session, Begin::default()))
        .collect();
    for turn in store.checkpoints().list(None).await? {
        if turn.agent != agent || turn.of_subagent || !turn.is_over() {
            continue;
        }
        let session = store.sessions().row(&turn.session).await?;
        let is_ours = session.is_some_and(|it| {
            // A process that waits for the answers has the session open.
            it.working_dir.as_deref() == dir && it.user.as_deref() == user && it.open_in.is_none()
        });
        if is_ours {
            let begin = Begin {
                resumed: Some((turn.id.clone(), BTreeMap::new())),
                message: None,
            };
            left.push((turn.id.to_string(), turn.session, begin));
        }
    }
    Ok(left)
}

/// Returns whether another process has the session of the turn, or resumed or discarded the turn.
fn was_faster(error: &anyhow::Error) -> bool {
    let opening = matches!(
        error.downcast_ref(),
        Some(SessionError::Saved(SavedSessionError::Held { .. }))
    );
    let resuming = matches!(
        error.downcast_ref(),
        Some(
            ResumeError::Session(SavedSessionError::Held { .. })
                | ResumeError::Checkpoint(
                    CheckpointError::AlreadyClaimed { .. } | CheckpointError::Unknown(_)
                )
        )
    );
    opening || resuming
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    fn held() -> SavedSessionError {
        SavedSessionError::Held {
            id: "s".into(),
            pid: 1,
            machine: "m".into(),
            since_ms: 0,
        }
    }

    #[test]
    fn a_session_that_another_process_has_is_a_lost_race_and_no_failure() {
        let opening: Result<(), _> = Err(SessionError::Saved(held()));
        let opening = opening.context("the session did not start");
        assert!(was_faster(&opening.expect_err("it is held")));
        assert!(was_faster(&ResumeError::Session(held()).into()));
        let other = SavedSessionError::Lost { id: "s".into() };
        assert!(!was_faster(&SessionError::Saved(other).into()));
        assert!(!was_faster(&anyhow::anyhow!("another error")));
    }
}
