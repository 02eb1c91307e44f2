//! A suspended turn that is continued in this process.

use std::collections::{BTreeMap, VecDeque};

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{
    CheckpointError, CheckpointStore, PendingCall, Resolution, Suspension, ToolOutput, Wanted,
};

use super::Chat;
use crate::run::front::{Heard, Phase, Said};
use crate::run::poll::Poll;
use crate::run::protocol::Request;

/// What the store says of a suspended turn.
pub enum Recorded {
    /// Every call that waits has its answer, here or in the store.
    All,
    /// Not every one.
    Some,
    /// The turn is not continued here, for this reason.
    Gone(&'static str),
}

impl Chat {
    /// Waits until every call has its answer. Returns the answers that were given here; those of other
    /// processes are in the store. `None`: the turn stays suspended, or is another process's.
    pub(super) async fn answers(
        &mut self,
        suspension: &Suspension,
    ) -> anyhow::Result<Option<BTreeMap<String, Resolution>>> {
        let Some(store) = self.store.clone().filter(|_| self.waits) else {
            return Ok(None);
        };
        // An `end` came while the turn ran. Later requests would be read still.
        if self.state.more_requests && !self.state.more_inputs {
            return Ok(None);
        }
        self.view.waiting(suspension)?;
        let mut known = BTreeMap::new();
        let mut poll = Poll::default();
        loop {
            tokio::select! {
                () = poll.next() => match recorded(&*store, suspension, &known).await? {
                    Recorded::All => return Ok(Some(known)),
                    Recorded::Some => {}
                    Recorded::Gone(why) => {
                        self.view.not_waiting(why)?;
                        return Ok(None);
                    }
                },
                signal = self.state.signals.next() => {
                    self.state.stopped = Some(signal);
                    return Ok(None);
                }
                Some(emitted) = self.events.next() => self.view.event(&emitted)?,
                said = self.front.next(Phase::Waiting) => match said {
                    Some(Said { heard: Heard::Request(Request::End), .. }) | None => return Ok(None),
                    Some(said) => {
                        let line = said.line;
                        let inputs = &mut self.state.inputs;
                        if let Err(why) = answer(said, suspension, inputs, &mut known) {
                            self.view.bad_request(line, &why)?;
                        }
                        poll = Poll::default();
                    }
                },
            }
        }
    }
}

/// Looks for the answers of a suspended turn.
pub async fn recorded(
    store: &dyn CheckpointStore,
    suspension: &Suspension,
    known: &BTreeMap<String, Resolution>,
) -> Result<Recorded, CheckpointError> {
    let info = match store.get(&suspension.checkpoint).await {
        Ok(info) => info,
        Err(CheckpointError::Unknown(_)) => {
            return Ok(Recorded::Gone("another process resumed or discarded it"));
        }
        Err(error) => return Err(error),
    };
    if info.claim.is_some() {
        return Ok(Recorded::Gone("another process resumes it"));
    }
    let mut pending = suspension.pending.iter();
    let all = pending.all(|call| {
        known.contains_key(&call.call_id) || info.resolutions.contains_key(&call.call_id)
    });
    Ok(match all {
        true => Recorded::All,
        false => Recorded::Some,
    })
}

/// Reads the answer of a call that waits. The error says in words why it is none.
pub fn answer(
    said: Said,
    suspension: &Suspension,
    inputs: &mut VecDeque<String>,
    known: &mut BTreeMap<String, Resolution>,
) -> Result<(), String> {
    let waits = |id: &str| -> Result<&PendingCall, String> {
        let found = suspension.pending.iter().find(|call| call.call_id == id);
        found.ok_or_else(|| format!("no call `{id}` waits"))
    };
    let request = match said.heard {
        Heard::Request(request) => request,
        Heard::Command(_) | Heard::Interrupt => return Ok(()),
        Heard::Wrong(why) => return Err(why),
    };
    let (call, resolution) = match request {
        Request::Input { text } => {
            inputs.push_back(text);
            return Ok(());
        }
        Request::Approval { id, decision } => (waits(&id)?, Resolution::Decision(decision)),
        Request::ToolResult {
            call_id,
            content,
            is_error,
        } => {
            let output = ToolOutput { content, is_error };
            (waits(&call_id)?, Resolution::Result(output))
        }
        Request::Steer { .. } | Request::Cancel | Request::End => {
            return Err("no turn runs: it is suspended".into());
        }
    };
    match (&call.wants, &resolution) {
        (_, Resolution::Decision(ApprovalDecision::Defer)) => {
            return Err("the call waits already".into());
        }
        (Wanted::Decision { .. }, Resolution::Decision(_))
        | (Wanted::Result, Resolution::Result(_)) => {}
        (Wanted::Decision { .. }, _) => {
            return Err("the call waits for an `approval`, not for a result".into());
        }
        (Wanted::Result, _) => {
            return Err("the call waits for a `tool-result`, not for an approval".into());
        }
    }
    known.insert(call.call_id.clone(), resolution);
    Ok(())
}
