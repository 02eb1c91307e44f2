//! Every limit of HTTP, just kept and just broken; and the next call is healthy.

use std::time::Duration;

use super::server::{Answer, Server};
use super::{ask, session};

/// Checks a session in which the first request keeps a limit, the second breaks it, and the first
/// keeps it again.
async fn holds(server: &Server, limits: &str, kept: (&str, &str), broken: (&str, &str)) {
    let session = session(&[server.grant("GET,POST")], limits);
    for (what, expected) in [kept, broken, kept] {
        let what = what.replace("URL", &server.url());
        let said = ask(&session, &what).await;
        assert!(said.contains(expected), "{limits}: {what}: {said}");
    }
    server.closed().await;
}

#[tokio::test]
async fn requests_in_a_call() {
    let server = Server::new(Answer::Text("hello")).await;
    let broken = ("times URL 4", "cause http-requests");
    holds(&server, "http-requests = 3", ("times URL 3", "all"), broken).await;
    assert_eq!(server.heads().len(), 3 + 3 + 3, "the fourth is not sent");
}

#[tokio::test]
async fn refused_requests_count_too() {
    let server = Server::new(Answer::Text("hello")).await;
    let session = session(&["GET http://127.0.0.1:9/none".into()], "http-requests = 1");
    for _ in 0..2 {
        let said = ask(&session, &format!("GET {}", server.url())).await;
        assert!(said.contains("not granted it"), "{said}");
    }
    let said = ask(&session, &format!("at-once {} 2", server.url())).await;
    assert_eq!(said, "cause http-requests");
}

#[tokio::test]
async fn requests_at_once() {
    let server = Server::new(Answer::After(Duration::from_millis(200))).await;
    let kept = ("at-once URL 2", "200 200");
    let broken = ("at-once URL 3", "200 200 ErrorCode::ConnectionLimitReached");
    holds(&server, "http-concurrent = 2", kept, broken).await;
}

#[tokio::test]
async fn bytes_sent() {
    let server = Server::new(Answer::Text("hello")).await;
    let kept = ("POST URL 1000", "200 hello");
    let broken = ("POST URL 100000", "cause http-request-bytes");
    holds(&server, "http-request-bytes = 2_000", kept, broken).await;
    assert!(server.bytes() <= 3 * 2_000, "{}", server.bytes());
}

#[tokio::test]
async fn bytes_sent_over_all_requests_of_a_call() {
    let server = Server::new(Answer::Text("hello")).await;
    let broken = ("times URL 12", "cause http-request-bytes");
    let limits = "http-request-bytes = 400";
    holds(&server, limits, ("times URL 3", "all"), broken).await;
}

#[tokio::test]
async fn bytes_received() {
    for (bytes, said) in [
        (1_000, "200 and 1000 bytes"),
        (3_000, "cause http-response-bytes"),
    ] {
        let server = Server::new(Answer::Bytes(bytes)).await;
        let session = session(&[server.grant("GET")], "http-response-bytes = 2_000");
        for _ in 0..2 {
            assert_eq!(ask(&session, &format!("GET {}", server.url())).await, said);
        }
        server.closed().await;
    }
}

#[tokio::test]
async fn a_body_without_end() {
    let server = Server::new(Answer::Endless).await;
    let session = session(&[server.grant("GET")], "fuel = false");
    let said = ask(&session, &format!("GET {}", server.url())).await;
    assert_eq!(said, "cause http-response-bytes");
    server.closed().await;
}

#[tokio::test]
async fn headers_of_a_request() {
    let server = Server::new(Answer::Text("hello")).await;
    let broken = ("head URL 3000", "its headers are longer than the limit");
    let limits = "http-header-bytes = 4_096";
    holds(
        &server,
        limits,
        ("head URL 2500", "200 hello"),
        ("head URL 5000", "cause bad-output"),
    )
    .await;
    let session = session(&[server.grant("GET")], limits);
    let long = format!("head {}/{} 2500", server.url(), "x".repeat(2_000));
    let said = ask(&session, &long).await;
    assert!(said.contains(broken.1), "{said}");
}

#[tokio::test]
async fn headers_of_a_response() {
    let limits = "http-header-bytes = 4_096";
    for (bytes, said) in [
        (3_000, "200 with a header"),
        (6_000, "response's headers are longer than the limit"),
    ] {
        let server = Server::new(Answer::Header(bytes)).await;
        let session = session(&[server.grant("GET")], limits);
        let told = ask(&session, &format!("GET {}", server.url())).await;
        assert!(told.contains(said), "{bytes}: {told}");
        server.closed().await;
    }
}
