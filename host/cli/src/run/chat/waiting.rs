//! A suspended turn that is continued in this process.

use std::collections::{BTreeMap, VecDeque};

use portcullis::approval::ApprovalDecision;
use portcullis_agent::{
    Answerer, CheckpointError, CheckpointStore, PendingCall, Resolution, Suspension, ToolOutput,
    Wanted,
};

use super::Chat;
use crate::run::front::{Heard, Phase, Said};
use crate::run::poll::Poll;
use crate::run::protocol::Request;

/// The store's state of a suspended turn.
pub enum Recorded {
    /// Every call that waits has its answer.
    All,
    /// A call has no answer, and the time for answers is over.
    Over,
    /// A call has no answer yet.
    Some,
    /// The turn is not continued here, for this reason.
    Gone(&'static str),
}

impl Chat {
    /// Waits until every call has its answer in the store, or the time for answers is over. Returns false if the turn
    /// stays suspended, or another process continues it.
    pub(super) async fn answers(&mut self, suspension: &Suspension) -> anyhow::Result<bool> {
        let Some(store) = self.store.clone().filter(|_| self.waits) else {
            return Ok(false);
        };
        // The program sent `end` while the turn ran, so the session does not wait, although later
        // requests could still be read.
        if self.state.more_requests && !self.state.more_inputs {
            return Ok(false);
        }
        self.view.waiting(suspension)?;
        let mut poll = Poll::default();
        loop {
            tokio::select! {
                () = poll.next() => match recorded(&*store, suspension).await? {
                    Recorded::All | Recorded::Over => return Ok(true),
                    Recorded::Some => {}
                    Recorded::Gone(why) => {
                        self.view.not_waiting(why)?;
                        return Ok(false);
                    }
                },
                signal = self.state.signals.next() => {
                    self.state.stopped = Some(signal);
                    return Ok(false);
                }
                Some(emitted) = self.events.next() => self.view.event(&emitted)?,
                said = self.front.next(Phase::Waiting) => match said {
                    Some(Said { heard: Heard::Request(Request::End), .. }) | None => return Ok(false),
                    Some(said) => {
                        let line = said.line;
                        let inputs = &mut self.state.inputs;
                        if let Err(why) = answer(&*store, said, suspension, inputs).await {
                            self.view.bad_request(line, &why)?;
                        }
                        poll = Poll::default();
                    }
                },
            }
        }
    }
}

/// Reads the answers of a suspended turn from the store.
pub async fn recorded(
    store: &dyn CheckpointStore,
    suspension: &Suspension,
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
    Ok(match (info.is_resolved(), info.is_over()) {
        (true, _) => Recorded::All,
        (false, true) => Recorded::Over,
        (false, false) => Recorded::Some,
    })
}

/// Records the answer of a waiting call. The error has the reason why the answer is invalid, or the
/// person who has answered before.
pub async fn answer(
    store: &dyn CheckpointStore,
    said: Said,
    suspension: &Suspension,
    inputs: &mut VecDeque<String>,
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
    let answers = BTreeMap::from([(call.call_id.clone(), resolution)]);
    let by = Answerer::new("the program that has the session open");
    let answered = store.resolve(&suspension.checkpoint, answers, by).await;
    answered.map(drop).map_err(|error| error.to_string())
}
