//! Finishing the turns that dead processes left.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Duration;

use portcullis_agent::{Agent, NewSession, Steering};
use portcullis_store::Turns;
use tokio_util::sync::CancellationToken;

use super::{Begin, Chat};

impl Chat {
    /// Finishes the agent's turns that were interrupted, one after another, each once; then looks for more after this
    /// time, until a signal comes, or else ends.
    pub async fn finish_all(
        &mut self,
        agent: &Agent,
        new: &NewSession,
        turns: &Turns,
        again: Option<Duration>,
    ) -> anyhow::Result<ExitCode> {
        let mut tried = BTreeSet::new();
        loop {
            let name = &agent.context().config.name;
            let found = match turns.interrupted(name, new.user.as_deref()).await {
                Ok(found) => found,
                // The database may be back when it is next looked.
                Err(error) if again.is_some() => {
                    tracing::warn!("{error}");
                    Vec::new()
                }
                Err(error) => return Err(error.into()),
            };
            for turn in found {
                if self.state.stopped.is_some() {
                    break;
                }
                if tried.insert(turn.id) {
                    Box::pin(self.finish_one(agent, new, &turn.session)).await;
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

    /// Finishes the turn of a session, unless another process was faster. A failure is shown, and the next session
    /// is not concerned.
    async fn finish_one(&mut self, agent: &Agent, new: &NewSession, session: &str) {
        let new = NewSession {
            id: session.to_owned(),
            steering: Steering::default(),
            ..new.clone()
        };
        let finishing = Box::pin(self.session(agent, new, Begin::default(), false));
        if let Err(error) = finishing.await {
            self.state.failed = true;
            tracing::error!(session, "{error:#}");
        }
    }
}
