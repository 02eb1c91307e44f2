//! An agent as another agent's sub-agent.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt as _;
use futures::future::BoxFuture;
use portcullis::contract::Usage;

use super::Agent;
use tokio_util::sync::CancellationToken;

use crate::checkpoint::{CheckpointId, Resolution};
use crate::exchange::{NewSession, TurnEnd, TurnError};
use crate::session::{AgentSession, NO_USAGE};
use crate::shared::{Parents, Shared, Subagent, SubagentEnd};

impl Subagent for Agent {
    fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    fn run(&self, new: NewSession, parents: Parents, task: String) -> BoxFuture<'_, SubagentEnd> {
        async move {
            match AgentSession::open(self.shared.clone(), new, parents).await {
                Ok(mut session) => {
                    let ended = session.turn(task).await;
                    close(session, ended).await
                }
                Err(error) => failed(&error, NO_USAGE),
            }
        }
        .boxed()
    }

    fn resume(
        &self,
        new: NewSession,
        parents: Parents,
        checkpoint: CheckpointId,
        resolutions: BTreeMap<String, Resolution>,
    ) -> BoxFuture<'_, SubagentEnd> {
        async move {
            let shared = self.shared.clone();
            let cancel = CancellationToken::new();
            let resumed =
                AgentSession::resume(shared, new, parents, checkpoint, resolutions, cancel).await;
            match resumed {
                Ok((session, ended)) => close(session, ended).await,
                Err(error) => failed(&error, NO_USAGE),
            }
        }
        .boxed()
    }
}

async fn close(session: AgentSession, ended: Result<TurnEnd, TurnError>) -> SubagentEnd {
    let usage = session.usage();
    session.close().await;
    match ended {
        Ok(ended) => SubagentEnd::Turn(ended),
        Err(error) => failed(&error, usage),
    }
}

fn failed(error: &dyn std::error::Error, usage: Usage) -> SubagentEnd {
    SubagentEnd::Failed(error.to_string(), usage)
}
