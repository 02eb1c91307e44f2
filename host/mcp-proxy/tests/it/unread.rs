//! Clients that do not read their messages.
//!
//! The clock is paused, and advances to the next limit whenever all tasks are idle.

use std::time::Duration;

use portcullis::Hooks;
use portcullis_mcp_proxy::transport::Connection;
use portcullis_mcp_proxy::{HookOptions, RelayEnd};
use serde_json::json;
use tokio::time::{pause, resume, sleep, timeout};

use super::peers::{Fronted, Peer, ends};

/// Longer than any limit.
const LONG: Duration = Duration::from_secs(86_400);

/// More messages than a client can leave unread. All of them reach its queue.
const QUEUED: usize = 16;

/// Enough messages to fill the client's queue too, so that the relay waits to send.
const TOO_MANY: usize = 26;

/// Sends this number of messages from the server.
async fn send(server: &mut Peer, messages: usize) {
    let note = json!({"method": "note", "params": "x".repeat(90_000)}).to_string();
    for _ in 0..messages {
        server.send(&note).await;
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_does_not_keep_a_relay_that_is_stopped() {
    for messages in [QUEUED, TOO_MANY] {
        let (mut server, to_server) = ends();
        let fronted = Fronted::of(to_server, Hooks::none(), HookOptions::default());
        let mut client = fronted.client;
        client.send(r#"{"id":1,"method":"ping"}"#).await;
        assert_eq!(server.json().await["id"], 1);
        send(&mut server, messages).await;
        pause();
        fronted.stop.cancel();
        let end = timeout(LONG, fronted.relay).await.expect("it ends");
        assert_eq!(end.unwrap(), RelayEnd::Stopped);
        resume();
        drop(client);
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_does_not_keep_a_relay_whose_server_has_ended() {
    for messages in [QUEUED, TOO_MANY] {
        let (mut server, to_server) = ends();
        // A process that has ended, whose output is still read.
        let to_server = Connection {
            ended: tokio::spawn(async {}),
            ..to_server
        };
        let fronted = Fronted::of(to_server, Hooks::none(), HookOptions::default());
        send(&mut server, messages).await;
        drop(server);
        pause();
        let end = timeout(LONG, fronted.relay).await.expect("it ends");
        assert_eq!(end.unwrap(), RelayEnd::Server);
        resume();
        drop(fronted.client);
    }
}

#[tokio::test]
async fn a_client_that_reads_late_gets_all() {
    let (mut server, to_server) = ends();
    let fronted = Fronted::of(to_server, Hooks::none(), HookOptions::default());
    let mut client = fronted.client;
    client.send(r#"{"id":1,"method":"ping"}"#).await;
    assert_eq!(server.json().await["id"], 1);
    send(&mut server, QUEUED).await;
    pause();
    fronted.stop.cancel();
    // The relay waits for the client.
    sleep(Duration::from_secs(9)).await;
    for _ in 0..QUEUED {
        assert_eq!(client.json().await["method"], "note");
    }
    assert!(client.json().await["error"].is_object());
    assert_eq!(client.line().await, None);
    assert_eq!(fronted.relay.await.unwrap(), RelayEnd::Stopped);
}
