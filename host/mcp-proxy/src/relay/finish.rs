//! What a call gave, as hooks leave it.

use super::Relay;
use super::tasks::TaskCall;
use crate::hooks::{Checked, Outcome};
use crate::message::Malformed;
use crate::result::{error_output, made, output, with_error_output, with_output};

/// What a call gave, once the deciding hooks have seen it.
pub(super) struct Finished {
    /// What the client is given; `None` if it is what the call gave.
    pub(super) new: Option<New>,
    /// For the observing hooks.
    pub(super) checked: Checked,
}

/// What a client is given in place of what the call gave.
pub(super) enum New {
    /// A result.
    Result(String),
    /// An error.
    Error(String),
}

/// Why the client is not given what a call gave.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unfinished {
    #[error("the server's answer cannot be read, so that no hook could check it: {0}")]
    Unreadable(#[from] Malformed),
    /// What hooks remember of it cannot be kept, for this reason.
    #[error("{0}")]
    NotKept(String),
}

/// Asks the hooks about what a call gave: a result, or a JSON-RPC error. What they remember of it is kept before the
/// client has it: a budget that is not kept is none.
pub(super) async fn finish(
    relay: &Relay,
    call: &TaskCall,
    given: &str,
    is_error: bool,
) -> Result<Finished, Unfinished> {
    let output = match (relay.hooks.see_results(), is_error) {
        (false, _) => return Ok(Finished::unchanged()),
        (true, true) => error_output(given)?,
        (true, false) => output(given)?,
    };
    let outcome = Outcome {
        request: &call.request,
        arguments: call.arguments.clone(),
        output,
        elapsed: call.started.elapsed(),
    };
    let checked = relay.hooks.after(outcome).await;
    relay.hooks.keep().await.map_err(Unfinished::NotKept)?;
    let new = match &checked.changed {
        None => None,
        Some(refusal) if checked.withheld => Some(New::Result(made(refusal, call.is_stateless))),
        Some(new) if !is_error => Some(New::Result(with_output(given, new)?)),
        Some(new) if new.is_error => Some(New::Error(with_error_output(given, new)?)),
        Some(new) => Some(New::Result(made(new, call.is_stateless))),
    };
    Ok(Finished { new, checked })
}

impl Finished {
    fn unchanged() -> Self {
        Self {
            new: None,
            checked: Checked::unseen(),
        }
    }
}
