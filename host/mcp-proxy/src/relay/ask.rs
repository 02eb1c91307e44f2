//! Questions to the person at the client.

use std::collections::{HashMap, VecDeque};

use parking_lot::Mutex;
use portcullis::approval::{ApprovalDecision, Asked as Question};
use portcullis::points::PreToolCall;
use portcullis::text::{escape_hidden, sanitize_for_terminal};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::batch::Reply;
use super::call::ToolCall;
use super::pending::{CallHandle, Request, Ticket, Waiting};
use super::{Relay, own_id};
use crate::hooks::Person;
use crate::message::{Id, Malformed, Message, fields, object, own, string, with_fields};

/// The maximum number of bytes of arguments that a person is shown. Longer arguments are not shown,
/// so they cannot be approved.
const MOST_SHOWN: usize = 16_384;

/// The maximum number of calls that wait until their clients repeat them.
const MOST_HELD: usize = 256;

/// The name of the question in a result that requires input.
const INPUT: &str = "decision";

/// Questions that the client has not answered.
#[derive(Default)]
pub(super) struct Asked {
    /// The questions that are requests. `None` is sent if an answer cannot be read.
    requests: Mutex<HashMap<Id, oneshot::Sender<Option<Message>>>>,
    /// The calls that wait until their clients repeat them with the answer, and their order.
    held: Mutex<(HashMap<String, Held>, VecDeque<String>)>,
}

/// A call that waits until its client repeats it.
pub(super) struct Held {
    pub(super) handle: CallHandle,
    pub(super) again: oneshot::Sender<Again>,
}

/// A repeated call.
pub(super) struct Again {
    pub(super) message: Message,
    pub(super) id: Id,
    pub(super) ticket: Ticket,
    pub(super) reply: Reply,
}

impl Asked {
    /// Delivers an answer. Returns the answer if it is not for a question of the proxy.
    pub(super) fn answered(&self, id: &Id, answer: Message) -> Option<Message> {
        match self.requests.lock().remove(id) {
            None => Some(answer),
            Some(asked) => {
                // A cancelled call needs no answer.
                let _ = asked.send(Some(answer));
                None
            }
        }
    }

    /// Ends a question whose answer cannot be read. Returns `false` if it is not a question of the
    /// proxy.
    pub(super) fn answered_unreadably(&self, id: &Id) -> bool {
        let Some(asked) = self.requests.lock().remove(id) else {
            return false;
        };
        // A cancelled call needs no answer.
        let _ = asked.send(None);
        true
    }

    /// Removes and returns the waiting call that a client repeats with these parameters.
    pub(super) fn made_again(&self, params: &str) -> Result<Option<Held>, Malformed> {
        let [state] = fields(params, ["requestState"])?;
        let state = state.filter(|state| *state != "null");
        let state = state.map(string).transpose()?;
        Ok(state.and_then(|state| self.held.lock().0.remove(&state)))
    }

    fn hold(&self, state: String, held: Held) {
        let (calls, order) = &mut *self.held.lock();
        order.retain(|state| calls.contains_key(state));
        if order.len() >= MOST_HELD
            && let Some(oldest) = order.pop_front()
        {
            calls.remove(&oldest);
        }
        calls.insert(state.clone(), held);
        order.push_back(state);
    }
}

/// The client of a call, whose person is asked.
pub(super) struct Client<'a> {
    pub(super) relay: &'a Relay,
    pub(super) call: &'a mut ToolCall,
    pub(super) elicits: bool,
    pub(super) is_stateless: bool,
}

impl Person for Client<'_> {
    async fn ask(
        &mut self,
        asked: &Question<PreToolCall>,
        tool: &str,
        arguments: &str,
    ) -> ApprovalDecision {
        if !self.elicits {
            let why = "the MCP client cannot ask one: it does not support elicitation";
            return not_asked(asked, why);
        }
        if arguments.len() > MOST_SHOWN {
            return not_asked(asked, "the arguments are too long to be shown to one");
        }
        let form = form(asked, tool, arguments).to_string();
        let answer = match self.is_stateless {
            true => self.ask_by_result(form).await,
            false => self.ask_by_request(form).await,
        };
        match answer.as_deref().map(decision) {
            Some(Ok(decision)) => decision,
            Some(Err(error)) => {
                let error = Malformed::from(error);
                unanswered(&format!("the client's answer cannot be read: {error}"))
            }
            None => unanswered("the client gave no answer that can be read"),
        }
    }
}

impl Client<'_> {
    /// Asks by a request, and returns the result.
    async fn ask_by_request(&self, form: String) -> Option<String> {
        let id = Id::from(own_id()?.as_str());
        let (answer, answered) = oneshot::channel();
        self.relay.asked.requests.lock().insert(id.clone(), answer);
        let mut open = Open {
            relay: self.relay,
            id: Some(id.clone()),
        };
        let text = own::request(&id, "elicitation/create", form);
        self.relay.to_client.send(text).await.ok()?;
        let answer = answered.await.ok()?;
        open.id = None;
        answer?.result().map(str::to_owned)
    }

    /// Asks by the call's result: the client repeats the call with the answer.
    async fn ask_by_result(&mut self, form: String) -> Option<String> {
        let state = own_id()?;
        let request = object(&[
            ("method", Value::from("elicitation/create").to_string()),
            ("params", form),
        ]);
        let result = object(&[
            ("resultType", Value::from("input_required").to_string()),
            ("inputRequests", object(&[(INPUT, request)])),
            ("requestState", Value::from(state.as_str()).to_string()),
        ]);
        let (again, made_again) = oneshot::channel();
        let handle = self.call.handle.clone();
        // A cancelled call asks no question.
        self.relay
            .pending
            .take_own(&self.call.id, self.call.ticket)?;
        self.relay.asked.hold(state, Held { handle, again });
        let text = own::result(&self.call.id, result);
        self.call.reply.send(&self.relay.to_client, text).await;
        let again = made_again.await.ok()?;
        let answer = read_again(&self.call.message, &again.message);
        (self.call.id, self.call.ticket, self.call.reply) = (again.id, again.ticket, again.reply);
        let (answer, message) = answer.ok()?;
        self.call.message = message;
        answer
    }
}

impl Asked {
    /// Passes a repeated call to the task of the waiting call, after accepting its request.
    pub(super) fn resume(
        relay: &Relay,
        held: Held,
        message: Message,
        id: &Id,
        reply: Reply,
        token: Option<Id>,
    ) -> Result<(), String> {
        let request = Request {
            waiting: Waiting::Call(held.handle),
            reply: reply.clone(),
            token,
        };
        let accepted = relay.pending.accept(id, request);
        let again = Again {
            message,
            id: id.clone(),
            ticket: accepted.map_err(|error| error.to_string())?,
            reply,
        };
        held.again.send(again).map_err(|again| {
            relay.pending.take_own(&again.id, again.ticket);
            "the call does not wait any more".to_owned()
        })
    }
}

/// Returns the answer in a repeated call, and the call for the server: the first call with the
/// metadata of the repeated one.
fn read_again(first: &Message, again: &Message) -> Result<(Option<String>, Message), Malformed> {
    let [name, arguments] = fields(first.params(), ["name", "arguments"])?;
    let [input, state] = fields(first.params(), ["inputResponses", "requestState"])?;
    let params = again.params();
    if [name, arguments] != fields(params, ["name", "arguments"])? {
        return Err(Malformed::new("the call changed while a person was asked"));
    }
    let [answers] = fields(params, ["inputResponses"])?;
    let answer = match answers {
        Some(answers) => fields(answers, [INPUT])?[0].map(str::to_owned),
        None => None,
    };
    let owned = |part: Option<&str>| part.map(str::to_owned);
    let changes = [
        ("inputResponses", owned(input)),
        ("requestState", owned(state)),
    ];
    let message = again.with(params, &with_fields(params, &changes)?);
    Ok((answer, Message::parse(message)?))
}

/// An open question. It is withdrawn if the call is cancelled.
struct Open<'a> {
    relay: &'a Relay,
    id: Option<Id>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else {
            return;
        };
        self.relay.asked.requests.lock().remove(&id);
        let params = object(&[("requestId", id.json().to_owned())]);
        let notice = own::notification("notifications/cancelled", params);
        // If the client's queue is full, the question is not withdrawn, and its answer is ignored.
        let _ = self.relay.to_client.try_send(notice);
    }
}

/// Returns the question as a form.
fn form(asked: &Question<PreToolCall>, tool: &str, arguments: &str) -> Value {
    let request = &asked.ask;
    let clean = sanitize_for_terminal;
    let mut message = clean(&request.question);
    if let Some(details) = &request.details {
        message.push('\n');
        message.push_str(&clean(details));
    }
    // The arguments are shown in full, because an approval applies to all of them.
    let (tool, arguments) = (clean(tool), escape_hidden(arguments, |_| false));
    message.push_str(&format!(
        "\nHook `{}` asks. Tool `{tool}` would run with: {arguments}",
        asked.by
    ));
    json!({
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": {
                "decision": {
                    "type": "string",
                    "title": "Decision",
                    "enum": ["approve", "deny"],
                },
                "reason": {
                    "type": "string",
                    "title": "Reason",
                    "description": "Why not, for the model",
                },
            },
            "required": ["decision"],
        },
    })
}

/// Reads the person's decision.
fn decision(result: &str) -> Result<ApprovalDecision, serde_json::Error> {
    #[derive(Deserialize)]
    struct Answer {
        action: String,
        #[serde(default)]
        content: Option<Content>,
    }
    #[derive(Deserialize)]
    struct Content {
        decision: String,
        #[serde(default)]
        reason: Option<String>,
    }
    let answer: Answer = serde_json::from_str(result)?;
    Ok(match (answer.action.as_str(), answer.content) {
        ("accept", Some(content)) if content.decision == "approve" => ApprovalDecision::Approve,
        ("accept", Some(content)) => {
            no(content.reason.as_deref().unwrap_or("the person denied it"))
        }
        ("decline", _) => no("the person denied it"),
        _ => unanswered("the person did not decide"),
    })
}

/// Returns the decision if no person was asked. The model receives the question.
fn not_asked(asked: &Question<PreToolCall>, why: &str) -> ApprovalDecision {
    let request = &asked.ask;
    let details = request.details.as_deref().map(|it| format!(" ({it})"));
    unanswered(&format!(
        "a person must agree, and {why}. The hook asks: {}{}",
        request.question,
        details.unwrap_or_default()
    ))
}

fn unanswered(why: &str) -> ApprovalDecision {
    ApprovalDecision::Unanswered(why.to_owned())
}

fn no(why: &str) -> ApprovalDecision {
    ApprovalDecision::Deny(why.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clear_yes_approves() {
        for (answer, approves) in [
            (
                json!({"action": "accept", "content": {"decision": "approve"}}),
                true,
            ),
            (
                json!({"action": "accept", "content": {"decision": "deny", "reason": "r"}}),
                false,
            ),
            (
                json!({"action": "accept", "content": {"decision": "Approve"}}),
                false,
            ),
            (json!({"action": "accept"}), false),
            (
                json!({"action": "decline", "content": {"decision": "approve"}}),
                false,
            ),
            (json!({"action": "cancel"}), false),
        ] {
            let said = decision(&answer.to_string()).unwrap();
            assert_eq!(said == ApprovalDecision::Approve, approves, "{answer}");
        }
        assert!(decision("[]").is_err());
        assert!(decision(r#"{"action": "accept", "content": {"decision": 1}}"#).is_err());
    }
}
