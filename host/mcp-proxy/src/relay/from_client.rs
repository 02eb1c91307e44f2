//! Messages from the client.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::answer::{self, SERVER_GONE};
use super::ask::Asked;
use super::batch::{Batch, Reply};
use super::call::ToolCall;
use super::meta::{ClientCapabilities, Meta};
use super::pending::{CallHandle, NotAccepted, Request, Waiting};
use super::{Relay, listing, run_to_end};
use crate::message::own::{self, INVALID_PARAMS, INVALID_REQUEST, SERVER_ERROR};
use crate::message::{Id, Incoming, Kind, Malformed, Message, fields};
use crate::transport::Frame;

/// The maximum number of server messages that wait for one call.
const INBOX: usize = 16;

/// The prefix of the methods of notifications.
const NOTIFICATION: &str = "notifications/";

/// Handles the messages of the client, until it closes the connection.
pub(super) async fn pump(relay: &Arc<Relay>, mut frames: mpsc::Receiver<Frame>) {
    while let Some(frame) = frames.recv().await {
        match frame {
            Frame::Message(text) => match Incoming::parse(text.clone()) {
                Ok(Incoming::One(message)) => one(relay, message, Reply::Alone).await,
                Ok(Incoming::Batch(text, messages)) => batch(relay, text, messages).await,
                Err(error) => {
                    let (found, code, why) = answer::unreadable(&text, &error);
                    answer::unreadable_from_client(relay, found, code, &why).await;
                }
            },
            Frame::TooLong(found) => {
                let why = "the message is over the limit";
                answer::unreadable_from_client(relay, found, INVALID_REQUEST, why).await;
            }
            Frame::NotText(found) => {
                let why = "the message is not UTF-8";
                answer::unreadable_from_client(relay, found, INVALID_REQUEST, why).await;
            }
        }
    }
}

/// Handles a batch. The batch is passed on unchanged if hooks need not see its messages. Otherwise
/// its messages are handled one by one, and the answers are joined.
async fn batch(relay: &Arc<Relay>, text: String, messages: Vec<Message>) {
    let is_plain = messages.iter().all(|message| match &message.kind {
        Kind::Request { method, .. } => !is_for_hooks(relay, method) && method != "initialize",
        Kind::Notification { method } => {
            method.starts_with(NOTIFICATION) && method != "notifications/cancelled"
        }
        Kind::Answer { .. } => false,
    });
    if !is_plain || relay.start().await.is_err() {
        let is_request = |message: &&Message| matches!(message.kind, Kind::Request { .. });
        let requests = messages.iter().filter(is_request).count();
        let batch = Batch::new(requests, relay.to_client.clone());
        for message in messages {
            one(relay, message, Reply::Batch(batch.clone())).await;
        }
        return;
    }
    let mut accepted = Vec::new();
    for message in &messages {
        if let Kind::Request { id, .. } = &message.kind {
            match accept(relay, message, id, Reply::Alone) {
                Ok(()) => accepted.push(id),
                Err(why) => {
                    accepted
                        .into_iter()
                        .for_each(|id| drop(relay.pending.take(id)));
                    let text = own::error(Some(id.json()), INVALID_REQUEST, &why);
                    return Reply::Alone.send(&relay.to_client, text).await;
                }
            }
        }
    }
    relay.send_to_server(text).await;
}

async fn one(relay: &Arc<Relay>, message: Message, reply: Reply) {
    match message.kind.clone() {
        Kind::Request { id, method } => {
            if let Err((code, why)) = request(relay, message, &id, &method, reply.clone()).await {
                let text = own::error(Some(id.json()), code, &why);
                reply.send(&relay.to_client, text).await;
            }
        }
        Kind::Notification { method } => notification(relay, message, &method).await,
        Kind::Answer { id } => {
            let message = match &id {
                Some(id) => relay.asked.answered(id, message),
                None => Some(message),
            };
            if let Some(message) = message {
                send(relay, message).await;
            }
        }
    }
}

/// Passes on a notification. A notification with the method of a request is dropped: a server may
/// run a call without an id, which no hook has seen.
async fn notification(relay: &Relay, message: Message, method: &str) {
    if !method.starts_with(NOTIFICATION) {
        tracing::warn!("a message of the client is dropped: it is a request without an id");
    } else if method != "notifications/cancelled" || !cancels(relay, &message) {
        send(relay, message).await;
    }
}

/// Sends a message that is not a request to the server, unless a hook refuses the session.
async fn send(relay: &Relay, message: Message) {
    match relay.start().await {
        Ok(()) => {
            relay.send_to_server(message.into_text()).await;
        }
        Err(why) => tracing::warn!("a message of the client is dropped: {why}"),
    }
}

/// Returns whether hooks may have to see requests of this method.
fn is_for_hooks(relay: &Relay, method: &str) -> bool {
    let hooks = &relay.hooks;
    match method {
        "tools/call" => {
            hooks.see_calls() || hooks.see_results() || hooks.see_progress() || hooks.is_traced()
        }
        "tools/list" => hooks.choose_tools(),
        "tasks/get" | "tasks/result" => hooks.see_results(),
        _ => false,
    }
}

/// Handles a request.
///
/// # Errors
///
/// Returns the code and the text of the error that answers the request.
async fn request(
    relay: &Arc<Relay>,
    message: Message,
    id: &Id,
    method: &str,
    reply: Reply,
) -> Result<(), (i32, String)> {
    let unreadable = |error: Malformed| (INVALID_PARAMS, error.to_string());
    if let Err(why) = relay.start().await {
        return Err((SERVER_ERROR, why.clone()));
    }
    if method == "initialize" {
        let [capabilities] = fields(message.params(), ["capabilities"]).map_err(unreadable)?;
        let read = ClientCapabilities::read(capabilities).map_err(unreadable)?;
        *relay.capabilities.lock() = read;
    }
    if !is_for_hooks(relay, method) {
        accept(relay, &message, id, reply).map_err(|why| (INVALID_REQUEST, why))?;
        return pass(relay, message, id).await;
    }
    match method {
        "tools/list" => {
            let cancel = CancellationToken::new();
            let request = Request {
                waiting: Waiting::List(cancel.clone()),
                reply,
                token: None,
            };
            let accepted = relay.pending.accept(id, request);
            let wanted = listing::Wanted {
                message,
                id: id.clone(),
                ticket: accepted.map_err(|why| (INVALID_REQUEST, why.to_string()))?,
                cancel,
            };
            let relay = relay.clone();
            relay.clone().spawn(async move {
                listing::list(&relay, wanted).await;
            });
            Ok(())
        }
        "tools/call" => start_call(relay, message, id, reply).await,
        _ => {
            let task = relay.tasks.named(message.params()).map_err(unreadable)?;
            let task = task.ok_or_else(|| {
                let why =
                    "the task was not started in this session, or too many were started after it";
                (INVALID_PARAMS, why.to_owned())
            })?;
            let request = Request {
                waiting: Waiting::Task(task),
                reply,
                token: None,
            };
            let accepted = relay.pending.accept(id, request);
            accepted.map_err(|why| (INVALID_REQUEST, why.to_string()))?;
            pass(relay, message, id).await
        }
    }
}

/// Accepts a request whose answer is passed on unchanged.
fn accept(relay: &Relay, message: &Message, id: &Id, reply: Reply) -> Result<(), String> {
    // The token is needed only if hooks see the progress of calls.
    let token = match relay.hooks.see_progress() {
        true => Meta::of(message.params()).ok().and_then(|meta| meta.token),
        false => None,
    };
    let request = Request {
        waiting: Waiting::Client,
        reply,
        token,
    };
    let accepted = relay.pending.accept(id, request);
    accepted
        .map(|_| ())
        .map_err(|why: NotAccepted| why.to_string())
}

/// Sends an accepted request to the server.
async fn pass(relay: &Relay, message: Message, id: &Id) -> Result<(), (i32, String)> {
    if relay.send_to_server(message.into_text()).await {
        return Ok(());
    }
    match relay.pending.take(id) {
        Some(_) => Err((SERVER_ERROR, SERVER_GONE.to_owned())),
        // The request was answered when the server ended.
        None => Ok(()),
    }
}

async fn start_call(
    relay: &Arc<Relay>,
    message: Message,
    id: &Id,
    reply: Reply,
) -> Result<(), (i32, String)> {
    let unreadable = |error: Malformed| (INVALID_PARAMS, error.to_string());
    let token = Meta::of(message.params()).map_err(unreadable)?.token;
    let held = relay
        .asked
        .made_again(message.params())
        .map_err(unreadable)?;
    if let Some(held) = held {
        let resumed = Asked::resume(relay, held, message, id, reply, token);
        return resumed.map_err(|why| (INVALID_REQUEST, why));
    }
    let (sender, inbox) = mpsc::channel(INBOX);
    let handle = CallHandle {
        inbox: sender,
        cancel: CancellationToken::new(),
        is_forwarded: false,
    };
    let request = Request {
        waiting: Waiting::Call(handle.clone()),
        reply: reply.clone(),
        token,
    };
    let accepted = relay.pending.accept(id, request);
    let call = ToolCall {
        message,
        id: id.clone(),
        ticket: accepted.map_err(|why| (INVALID_REQUEST, why.to_string()))?,
        reply,
        handle,
        inbox,
    };
    let relay = relay.clone();
    relay.clone().spawn(async move {
        run_to_end(&relay, call).await;
    });
    Ok(())
}

/// Returns whether a notice cancels a request that has not reached the server. Such a request is
/// never sent.
fn cancels(relay: &Relay, message: &Message) -> bool {
    let id = fields(message.params(), ["requestId"]).ok();
    let id = id.and_then(|[id]| Id::parse(id?).ok()?);
    id.is_some_and(|id| relay.pending.cancel(&id))
}
