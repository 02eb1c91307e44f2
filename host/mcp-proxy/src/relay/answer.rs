//! Answers to messages that cannot be passed on, and to requests that the server did not answer.

use super::Relay;
use super::batch::Reply;
use super::pending::{ToCall, Waiting};
use crate::message::own::{INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR, SERVER_ERROR, error};
use crate::message::{Fragment, Id, Malformed, Scanner};

/// Handles a message of the client that cannot be passed on.
pub(super) async fn unreadable_from_client(relay: &Relay, found: Fragment, code: i32, why: &str) {
    tracing::warn!("a message of the client is not passed on: {why}");
    match (found.id, found.has_method) {
        // The message answers a request of the server, which would wait forever, or a question of
        // the proxy.
        (Some(id), false) => {
            let answered = Id::parse(&id).ok().flatten();
            if !answered.is_some_and(|id| relay.asked.answered_unreadably(&id)) {
                relay.send_to_server(error(Some(&id), code, why)).await;
            }
        }
        (None, true) => {}
        (id, _) => {
            let text = error(id.as_deref(), code, why);
            Reply::Alone.send(&relay.to_client, text).await;
        }
    }
}

/// Handles a message of the server that cannot be passed on.
pub(super) async fn unreadable_from_server(relay: &Relay, found: Fragment, code: i32, why: &str) {
    tracing::warn!("a message of the server is not passed on: {why}");
    match (found.id, found.has_method) {
        (Some(id), true) => {
            relay.send_to_server(error(Some(&id), code, why)).await;
        }
        (Some(id), false) => {
            if let Ok(Some(id)) = Id::parse(&id) {
                fail(relay, &id, why).await;
            }
        }
        (None, _) => {}
    }
}

/// Returns the known part of a text that is not a message, and the code and text of its error.
pub(super) fn unreadable(text: &str, error: &Malformed) -> (Fragment, i32, String) {
    let mut scanner = Scanner::default();
    scanner.read(text.as_bytes());
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let code = if is_json {
        INVALID_REQUEST
    } else {
        PARSE_ERROR
    };
    (
        scanner.finish(),
        code,
        format!("the message cannot be read: {error}"),
    )
}

/// Ends a request that has no answer with an error.
async fn fail(relay: &Relay, id: &Id, why: &str) {
    let Some(request) = relay.pending.take_answered(id) else {
        return;
    };
    match request.waiting {
        Waiting::Client | Waiting::Task(_) => {
            let text = error(Some(id.json()), INTERNAL_ERROR, why);
            request.reply.send(&relay.to_client, text).await;
        }
        // The task of the call sends the answer. An ended call needs none.
        Waiting::Call(call) => drop(call.inbox.send(ToCall::Failed(why.to_owned())).await),
        // The proxy's own request ends when its channel is dropped.
        Waiting::Proxy(_) => {}
        // The server does not have this request.
        Waiting::List(_) => {}
    }
}

/// Ends all requests: the server will not answer any more.
pub(super) async fn server_is_gone(relay: &Relay) {
    for (id, request) in relay.pending.clear() {
        let ends_itself = match &request.waiting {
            // A forwarded call ends when its channel is dropped.
            Waiting::Call(call) => call.is_forwarded,
            Waiting::Proxy(_) | Waiting::List(_) => true,
            Waiting::Client | Waiting::Task(_) => false,
        };
        if !ends_itself {
            let text = error(Some(id.json()), SERVER_ERROR, SERVER_GONE);
            request.reply.send(&relay.to_client, text).await;
        }
    }
}

/// The reason that there is no answer.
pub(super) const SERVER_GONE: &str = "the MCP server has ended";
