//! The result of a call after the hooks have run.

use super::Relay;
use super::tasks::TaskCall;
use crate::hooks::{Checked, Outcome};
use crate::message::{Malformed, check_names};
use crate::result::{error_output, made, output, with_error_output, with_output};

/// A call's answer to the client, after the deciding hooks have seen the outcome.
pub(super) struct Finished {
    pub(super) text: String,
    /// For the observing hooks.
    pub(super) checked: Checked,
}

/// The replacement for a call's outcome.
pub(super) enum New {
    /// A result.
    Result(String),
    /// An error.
    Error(String),
}

/// The reason that the client does not receive the outcome of a call.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unfinished {
    #[error("the server's answer cannot be read, so that no hook could check it: {0}")]
    Unreadable(#[from] Malformed),
    /// The hooks' state cannot be saved, for this reason.
    #[error("{0}")]
    NotKept(String),
}

/// Runs the deciding hooks on the outcome of a call: a result, or a JSON-RPC error. The hooks'
/// state is saved before the client receives the outcome, so that a budget is never lost. `write`
/// returns the text for the client, given the new result or error if hooks changed it. If there is
/// no text, the observing hooks run before this returns, because the call took effect.
pub(super) async fn finish(
    relay: &Relay,
    call: &TaskCall,
    given: &str,
    is_error: bool,
    write: impl FnOnce(Option<New>) -> Result<String, Unfinished>,
) -> Result<Finished, Unfinished> {
    if !relay.hooks.see_results() {
        return Ok(Finished {
            text: write(None)?,
            checked: Checked::unseen(),
        });
    }
    check_names(given)?;
    let output = match is_error {
        true => error_output(given)?,
        false => output(given)?,
    };
    let outcome = Outcome {
        request: &call.request,
        arguments: call.arguments.clone(),
        output,
        elapsed: call.started.elapsed(),
    };
    let checked = relay.hooks.after(outcome).await;
    let kept = relay.hooks.keep().await.map_err(Unfinished::NotKept);
    let new = kept.and_then(|()| Ok(replacement(call, given, is_error, &checked)?));
    match new.and_then(write) {
        Ok(text) => Ok(Finished { text, checked }),
        Err(error) => {
            relay.hooks.observe(checked).await;
            Err(error)
        }
    }
}

/// Returns the replacement for the outcome; `None` if the client receives the outcome itself.
fn replacement(
    call: &TaskCall,
    given: &str,
    is_error: bool,
    checked: &Checked,
) -> Result<Option<New>, Malformed> {
    Ok(match &checked.changed {
        None => None,
        Some(refusal) if checked.withheld => Some(New::Result(made(refusal, call.is_stateless))),
        Some(new) if !is_error => Some(New::Result(with_output(given, new)?)),
        Some(new) if new.is_error => Some(New::Error(with_error_output(given, new)?)),
        Some(new) => Some(New::Result(made(new, call.is_stateless))),
    })
}
