//! Hook events of Claude, which the Claude Agent SDK passes to callbacks.

use portcullis_bridge::{Bridge, BridgeError, CallReply, CallRequest};
use portcullis_dialects::{Answer, Caller, Dialect, Event, Output, Progress, answer, unread};
use pyo3::PyErr;

use crate::error::{PortcullisError, RequestError, exception};
use crate::report::Report;

/// Decides an event, and returns the answer as JSON.
///
/// # Errors
///
/// The event must be blocked in a way that JSON has no form for.
pub(crate) async fn event(bridge: &Bridge, report: &Report, text: &[u8]) -> Result<String, PyErr> {
    let event = match Event::read(Dialect::Claude, text) {
        Ok(event) => event,
        Err(error) => {
            let message = error.to_string();
            let answer = unread(Dialect::Claude, text, &message);
            return written(answer).map_err(|_| RequestError::new_err(message));
        }
    };
    let (session, agent) = (event.session(), event.dialect().agent_id());
    let memo = bridge.memo(session, agent).await.map_err(exception)?;
    let before = Progress::read(memo).map_err(|error| {
        PortcullisError::new_err(format!(
            "what is remembered of the session is damaged: {error}"
        ))
    })?;
    let mut progress = before.clone();
    let answer = answer(&event, &mut progress, &Reported(bridge, report)).await;
    if progress != before {
        let memo = progress.to_json();
        let kept = bridge.set_memo(session, agent, memo).await;
        kept.map_err(exception)?;
    }
    written(answer)
}

fn written(answer: Answer) -> Result<String, PyErr> {
    match answer.output {
        _ if answer.code != 0 => Err(PortcullisError::new_err(answer.error)),
        Output::Json(value) => Ok(value.to_string()),
        Output::Text(text) => Ok(serde_json::json!({ "systemMessage": text }).to_string()),
        Output::None => Ok("{}".into()),
    }
}

/// A bridge that passes on the jobs of its replies.
struct Reported<'a>(&'a Bridge, &'a Report);

impl Caller for Reported<'_> {
    type Error = BridgeError;

    async fn call(&self, request: CallRequest) -> Result<CallReply, BridgeError> {
        let session = request.context.session_id.clone();
        let reply = self.0.call(request).await?;
        self.1.jobs(&session, &reply);
        Ok(reply)
    }
}
