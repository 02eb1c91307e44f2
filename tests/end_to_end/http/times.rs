//! Slow servers: each part of a request has a time limit, and the whole has one.

use std::time::{Duration, Instant};

use tokio::net::TcpListener;

use super::server::{Answer, Server};
use super::{ask, session};

/// Returns the answer to a request with these limits, once the server has no connection.
async fn told(answer: Answer, limits: &str) -> String {
    let server = Server::new(answer).await;
    let session = session(&[server.grant("GET")], limits);
    let said = ask(&session, &format!("GET {}", server.url())).await;
    server.closed().await;
    said
}

#[tokio::test]
async fn until_a_response_begins() {
    for (limits, said) in [
        ("http-first-byte-ms = 5_000", "200 late"),
        ("http-first-byte-ms = 50", "http-first-byte-ms"),
    ] {
        let answer = Answer::After(Duration::from_millis(300));
        let told = told(answer, limits).await;
        assert!(told.contains(said), "{limits}: {told}");
    }
    let never = told(Answer::Never, "http-first-byte-ms = 50").await;
    assert!(never.contains("http-first-byte-ms"), "{never}");
    let head = told(Answer::DripHead, "http-first-byte-ms = 50").await;
    assert!(head.contains("http-first-byte-ms"), "{head}");
}

#[tokio::test]
async fn between_the_pieces_of_a_response() {
    let slow = Answer::Drip(Duration::from_secs(1));
    let said = told(slow, "http-between-bytes-ms = 50").await;
    assert!(said.contains("http-first-byte-ms"), "{said}");
}

#[tokio::test]
async fn a_request_in_all() {
    // Each piece is in time: only the whole is not.
    let steady = Answer::Drip(Duration::from_millis(20));
    let limits = "http-between-bytes-ms = 5_000\nhttp-total-ms = 300";
    let said = told(steady, limits).await;
    assert!(said.contains("http-total-ms"), "{said}");
    let never = told(Answer::Never, "http-total-ms = 50").await;
    assert!(never.contains("http-total-ms"), "{never}");
}

#[tokio::test]
async fn until_there_is_a_connection() {
    // The server accepts, and sends nothing while the client waits for TLS to begin.
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("https://{}", silent.local_addr().expect("an address"));
    let session = session(&[format!("GET {url}")], "http-connect-ms = 50");
    let said = ask(&session, &format!("GET {url}")).await;
    assert!(said.contains("http-connect-ms"), "{said}");
}

#[tokio::test]
async fn a_hook_may_ask_for_less_time_and_not_for_more() {
    let server = Server::new(Answer::Never).await;
    let session = session(&[server.grant("GET")], "http-first-byte-ms = 300");
    for (ms, least) in [(50, 40), (60_000, 290)] {
        let begun = Instant::now();
        let said = ask(&session, &format!("within {} {ms}", server.url())).await;
        let took = begun.elapsed();
        assert!(said.contains("http-first-byte-ms"), "{said}");
        assert!(took >= Duration::from_millis(least), "{took:?}");
        assert!(took < Duration::from_millis(60_000), "{took:?}");
    }
}
