//! Messages from the server.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::answer;
use super::pending::{Progress, ToCall, Waiting};
use super::{Relay, tasks};
use crate::message::own::INVALID_REQUEST;
use crate::message::{Id, Incoming, Kind, Message, fields};
use crate::transport::Frame;

/// Handles the messages of the server, until it closes the connection.
pub(super) async fn pump(relay: &Arc<Relay>, mut frames: mpsc::Receiver<Frame>) {
    while let Some(frame) = frames.recv().await {
        match frame {
            Frame::Message(text) => match Incoming::parse(text.clone()) {
                Ok(Incoming::One(message)) => one(relay, message).await,
                Ok(Incoming::Batch(text, messages)) => batch(relay, text, messages).await,
                Err(error) => {
                    let (found, code, why) = answer::unreadable(&text, &error);
                    answer::unreadable_from_server(relay, found, code, &why).await;
                }
            },
            Frame::TooLong(found) => {
                let why = "the server's message is over the limit";
                answer::unreadable_from_server(relay, found, INVALID_REQUEST, why).await;
            }
            Frame::NotText(found) => {
                let why = "the server's message is not UTF-8";
                answer::unreadable_from_server(relay, found, INVALID_REQUEST, why).await;
            }
        }
    }
}

/// Handles a batch. The batch is passed on unchanged if neither hooks nor the proxy need its
/// messages.
async fn batch(relay: &Arc<Relay>, text: String, messages: Vec<Message>) {
    let is_plain = messages.iter().all(|message| match &message.kind {
        Kind::Answer { id } => id.as_ref().is_some_and(|id| relay.pending.is_plain(id)),
        Kind::Notification { method } => !is_for_the_proxy(method),
        Kind::Request { .. } => true,
    });
    if !is_plain {
        for message in messages {
            one(relay, message).await;
        }
        return;
    }
    for message in &messages {
        if let Kind::Answer { id: Some(id) } = &message.kind {
            relay.pending.take(id);
        }
    }
    pass(relay, text).await;
}

async fn one(relay: &Arc<Relay>, message: Message) {
    match message.kind.clone() {
        Kind::Request { .. } => pass(relay, message.into_text()).await,
        Kind::Notification { method } => notification(relay, message, &method).await,
        Kind::Answer { id: Some(id) } => answer(relay, message, &id).await,
        // The server could not read a message.
        Kind::Answer { id: None } if message.error().is_some() => {
            pass(relay, message.into_text()).await;
        }
        Kind::Answer { id: None } => tracing::warn!("a result of the server has no id"),
    }
}

/// Returns whether the proxy must see notifications of this method.
fn is_for_the_proxy(method: &str) -> bool {
    method == "notifications/progress"
        || method == "notifications/tools/list_changed"
        || method.starts_with("notifications/tasks")
}

async fn notification(relay: &Arc<Relay>, message: Message, method: &str) {
    match method {
        "notifications/progress" if relay.hooks.see_progress() => {
            let token = fields(message.params(), ["progressToken"]).ok();
            let token = token.and_then(|[token]| Id::parse(token?).ok()?);
            match token.and_then(|token| relay.pending.progress(&token)) {
                Some(Progress::Other) => pass(relay, message.into_text()).await,
                Some(Progress::Call(inbox)) => {
                    // An ended call needs no report.
                    let _ = inbox.send(ToCall::Progress(message)).await;
                }
                None => tracing::debug!("a report of progress belongs to no request"),
            }
        }
        "notifications/tools/list_changed" => {
            relay.listing.forget();
            pass(relay, message.into_text()).await;
        }
        _ if method.starts_with("notifications/tasks") && relay.hooks.see_results() => {
            if let Some(text) = tasks::notified(relay, message).await {
                pass(relay, text).await;
            }
        }
        _ => pass(relay, message.into_text()).await,
    }
}

async fn answer(relay: &Arc<Relay>, message: Message, id: &Id) {
    let Some(request) = relay.pending.take_answered(id) else {
        // A client might use the answer for another request, and no hook would have seen it.
        tracing::warn!("an answer of the server belongs to no request");
        return;
    };
    match request.waiting {
        Waiting::Client => {
            let text = message.into_text();
            request.reply.send(&relay.to_client, text).await;
        }
        Waiting::Call(call) => {
            // An ended call needs no answer.
            let _ = call.inbox.send(ToCall::Answer(message)).await;
        }
        Waiting::Proxy(asked) => {
            let _ = asked.send(message);
        }
        // The server does not have this request.
        Waiting::List(_) => {}
        Waiting::Task(task) => {
            let (relay, id) = (relay.clone(), id.clone());
            relay.clone().spawn(async move {
                let text = tasks::answered(&relay, task, message, &id).await;
                request.reply.send(&relay.to_client, text).await;
            });
        }
    }
}

async fn pass(relay: &Relay, text: String) {
    // A client that is gone needs no message.
    let _ = relay.to_client.send(text).await;
}
