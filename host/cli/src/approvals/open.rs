//! Finding a suspended turn.

use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use portcullis_agent::{CheckpointId, CheckpointInfo, CheckpointStore, PendingCall, Wanted};
use portcullis_agent_file::AgentFile;
use portcullis_store::Store;

use crate::store::Where;

/// A suspended turn.
#[derive(Debug, Args)]
pub struct TurnArg {
    /// The checkpoint, as it was printed when the turn was suspended.
    #[arg(value_name = "ID")]
    id: String,
    #[command(flatten)]
    store: Where,
}

/// Returns the suspended turns in the store of an agent.toml, or of the user.
pub fn store(file: &AgentFile) -> anyhow::Result<Arc<dyn CheckpointStore>> {
    Ok(Arc::new(crate::store::of(file)?.checkpoints()))
}

impl Where {
    /// Returns the suspended turns in the store.
    pub fn checkpoints(&self) -> anyhow::Result<Arc<dyn CheckpointStore>> {
        Ok(Arc::new(self.open()?.checkpoints()))
    }
}

impl TurnArg {
    /// Opens the store, and reads the turn from it. A sub-agent's turn is refused.
    pub fn find(&self) -> anyhow::Result<(Store, CheckpointInfo)> {
        let store = self.store.open()?;
        let info = get(&store.checkpoints(), &self.id.parse()?)?;
        if info.of_subagent {
            bail!(
                "this is the turn of a sub-agent; name the turn of its parent, which has its calls too"
            );
        }
        Ok((store, info))
    }
}

/// Reads a turn from a store.
pub fn get(store: &dyn CheckpointStore, id: &CheckpointId) -> anyhow::Result<CheckpointInfo> {
    block_on(store.get(id))
}

/// Runs an operation of a store to its end.
pub fn block_on<T, E>(work: impl Future<Output = Result<T, E>>) -> anyhow::Result<T>
where
    anyhow::Error: From<E>,
{
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build()?;
    let done = runtime.block_on(work)?;
    // A thread may still wait for a line of input.
    runtime.shutdown_background();
    Ok(done)
}

/// Returns the turn's calls to decide: those given, or those that have no answer. If each has one,
/// or answers are replaced, returns all.
pub fn questions<'a>(
    info: &'a CheckpointInfo,
    calls: &[String],
    replaces: bool,
) -> anyhow::Result<Vec<&'a PendingCall>> {
    let waits = |call: &&PendingCall| matches!(call.wants, Wanted::Decision { .. });
    let waiting: Vec<&PendingCall> = info.pending.iter().filter(waits).collect();
    let names = || -> Vec<&str> { waiting.iter().map(|call| call.call_id.as_str()).collect() };
    if waiting.is_empty() {
        bail!(
            "no call of the turn waits for a decision; `portcullis approvals show` says what it waits for"
        );
    }
    for call in calls {
        if !names().contains(&call.as_str()) {
            bail!(
                "no call `{call}` waits for a decision; those that do: {}",
                names().join(", ")
            );
        }
    }
    let has_answer = |call: &PendingCall| info.resolutions.contains_key(&call.call_id);
    let all = replaces || waiting.iter().all(|call| has_answer(call));
    let meant = |call: &&PendingCall| match calls.is_empty() {
        true => all || !has_answer(call),
        false => calls.contains(&call.call_id),
    };
    Ok(waiting.into_iter().filter(meant).collect())
}
