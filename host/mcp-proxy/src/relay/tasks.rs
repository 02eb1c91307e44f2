//! Calls that run as tasks: their results come later, with another request.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use super::Relay;
use super::finish::{New, Unfinished, finish};
use crate::hooks::ToolRequestFacts;
use crate::message::{Id, Malformed, Message, fields, own, string};

/// The most tasks whose calls are known.
const MOST: usize = 1_024;

/// The calls that run as tasks, by the tasks' ids.
#[derive(Default)]
pub(super) struct Tasks(Mutex<HashMap<String, TaskCall>>);

/// A call that ran, or runs as a task.
#[derive(Clone)]
pub(super) struct TaskCall {
    pub(super) request: Arc<ToolRequestFacts>,
    pub(super) arguments: Arc<str>,
    pub(super) started: Instant,
    pub(super) is_stateless: bool,
}

impl Tasks {
    /// Remembers the call of a task. `false` if there are too many.
    pub(super) fn remember(&self, id: String, call: TaskCall) -> bool {
        let mut tasks = self.0.lock();
        let has_room = tasks.len() < MOST || tasks.contains_key(&id);
        if has_room {
            tasks.insert(id, call);
        }
        has_room
    }

    /// The call of the task that these parameters name.
    pub(super) fn named(&self, params: &str) -> Result<Option<TaskCall>, Malformed> {
        let [id] = fields(params, ["taskId"])?;
        let id = id.map(string).transpose()?;
        Ok(id.and_then(|id| self.0.lock().get(&id).cloned()))
    }
}

/// The text of a message about a task, with the tool's result in it as hooks leave it.
async fn checked(
    relay: &Relay,
    task: TaskCall,
    message: &Message,
    state: &str,
) -> Result<String, Unfinished> {
    // `tasks/result` is answered with the result, and `tasks/get` with a state that may hold it.
    let [content, result, error] = fields(state, ["content", "result", "error"])?;
    let (part, is_error) = match (content, result, error) {
        (Some(_), ..) => (state, false),
        (_, Some(result), _) => (result, false),
        (.., Some(error)) => (error, true),
        _ => return Ok(message.text().to_owned()),
    };
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

/// Passes on the answer to a request about a task.
pub(super) async fn answered(relay: &Relay, task: TaskCall, message: Message, id: &Id) -> String {
    let text = match message.result() {
        None => Ok(message.text().to_owned()),
        Some(state) => checked(relay, task, &message, state).await,
    };
    text.unwrap_or_else(|error| {
        own::error(Some(id.json()), own::INTERNAL_ERROR, &error.to_string())
    })
}

/// Passes on a notification about a task; `None` if it cannot be.
pub(super) async fn notified(relay: &Relay, message: Message) -> Option<String> {
    let text = match relay.tasks.named(message.params()) {
        Ok(None) => Ok(message.text().to_owned()),
        Ok(Some(task)) => checked(relay, task, &message, message.params()).await,
        Err(error) => Err(error.into()),
    };
    text.inspect_err(|error| tracing::warn!("a notification is not passed on: {error}"))
        .ok()
}
