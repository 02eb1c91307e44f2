//! Calls that run as tasks: later requests return their results.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use super::Relay;
use super::finish::{New, Unfinished, finish};
use crate::hooks::ToolRequestFacts;
use crate::message::{Id, Malformed, Message, fields, not_null, own, string};

/// The maximum number of known tasks. Another one replaces the oldest. Tasks have no end, because a
/// result may be read again.
const MOST: usize = 1_024;

/// The calls that run as tasks.
#[derive(Default)]
pub(super) struct Tasks(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// By the tasks' ids.
    calls: HashMap<String, TaskCall>,
    /// The tasks' ids, oldest first.
    order: VecDeque<String>,
}

/// A call that ran, or runs as a task.
#[derive(Clone)]
pub(super) struct TaskCall {
    pub(super) request: Arc<ToolRequestFacts>,
    pub(super) arguments: Arc<str>,
    pub(super) started: Instant,
    pub(super) is_stateless: bool,
}

impl Tasks {
    /// Stores the call of a task.
    pub(super) fn remember(&self, id: String, call: TaskCall) {
        let Known { calls, order } = &mut *self.0.lock();
        if calls.insert(id.clone(), call).is_some() {
            order.retain(|known| *known != id);
        }
        order.push_back(id);
        if order.len() > MOST
            && let Some(oldest) = order.pop_front()
        {
            calls.remove(&oldest);
        }
    }

    /// Returns the call of the task that these parameters name.
    pub(super) fn named(&self, params: &str) -> Result<Option<TaskCall>, Malformed> {
        let [id] = fields(params, ["taskId"])?;
        let id = id.map(string).transpose()?;
        Ok(id.and_then(|id| self.0.lock().calls.get(&id).cloned()))
    }
}

/// The outcome of a call in a message about its task. The answer to `tasks/result` is the result;
/// the answer to `tasks/get` is a state that may contain the result or the error.
struct Given<'a> {
    /// The message itself, if it has content: the message is then the result.
    own: Option<&'a str>,
    result: Option<&'a str>,
    error: Option<&'a str>,
}

impl<'a> Given<'a> {
    fn read(state: &'a str) -> Result<Self, Malformed> {
        let names = ["content", "structuredContent", "result", "error"];
        let [content, structured, result, error] = fields(state, names)?.map(not_null);
        Ok(Self {
            own: content.or(structured).map(|_| state),
            result,
            error,
        })
    }
}

/// Returns the text of a message about a task, with the tool's result after the hooks have run.
async fn checked(
    relay: &Relay,
    task: TaskCall,
    message: &Message,
    state: &str,
) -> Result<String, Unfinished> {
    let Given { own, result, error } = Given::read(state)?;
    let (part, is_error) = match (own, result, error) {
        (None, None, None) => return Ok(message.text().to_owned()),
        (Some(part), None, None) | (None, Some(part), None) => (part, false),
        (None, None, Some(error)) => (error, true),
        _ => return Err(Malformed::new("it gives more than one result of the call").into()),
    };
    written(relay, task, message, part, is_error).await
}

/// Returns the text of a message, with this part after the hooks have run. The part is the tool's
/// result or error.
async fn written(
    relay: &Relay,
    task: TaskCall,
    message: &Message,
    part: &str,
    is_error: bool,
) -> Result<String, Unfinished> {
    let write = |new| match new {
        None => Ok(message.text().to_owned()),
        Some(New::Result(_)) if is_error => {
            let why = "a hook made a result of a task's error";
            Err(Malformed::new(why).into())
        }
        Some(New::Result(new) | New::Error(new)) => Ok(message.with(part, &new)),
    };
    let finished = finish(relay, &task, part, is_error, write).await?;
    relay.hooks.observe(finished.checked).await;
    Ok(finished.text)
}

/// Returns the text for the client of the answer to a request about a task.
pub(super) async fn answered(relay: &Relay, task: TaskCall, message: Message, id: &Id) -> String {
    let text = match (message.result(), message.error()) {
        (Some(state), _) => checked(relay, task, &message, state).await,
        (None, error) => written(relay, task, &message, error.unwrap_or("{}"), true).await,
    };
    text.unwrap_or_else(|error| {
        own::error(Some(id.json()), own::INTERNAL_ERROR, &error.to_string())
    })
}

/// Returns the text for the client of a notification about a task; `None` if it cannot be passed
/// on.
pub(super) async fn notified(relay: &Relay, message: Message) -> Option<String> {
    let text = match relay.tasks.named(message.params()) {
        Ok(None) => of_unknown(&message).map_err(Unfinished::from),
        Ok(Some(task)) => checked(relay, task, &message, message.params()).await,
        Err(error) => Err(error.into()),
    };
    text.inspect_err(|error| tracing::warn!("a notification is not passed on: {error}"))
        .ok()
}

/// Returns the text of a notification about an unknown task. Hooks cannot check its result.
fn of_unknown(message: &Message) -> Result<String, Malformed> {
    match Given::read(message.params())? {
        Given {
            own: None,
            result: None,
            error: None,
        } => Ok(message.text().to_owned()),
        _ => Err(Malformed::new("its task is not known")),
    }
}
