//! The end of a server.

use std::time::Duration;

use portcullis_serve::ServeOptions;
use reqwest::Method;
use serde_json::json;

use crate::server::{body, start};

#[tokio::test]
async fn what_has_begun_is_answered_when_it_is_stopped() {
    let server = start(ServeOptions::default()).await;
    let socket = server.place.socket();
    let stopping = async {
        server.begun().await;
        server.stop.cancel();
        // No connection is accepted any more.
        while socket.exists() {
            tokio::task::yield_now().await;
        }
        server.release();
    };
    let ((status, passed), ()) = tokio::join!(server.call("slow"), stopping);
    assert_eq!(
        (status, &passed["decision"]["kind"]),
        (200, &json!("continue"))
    );
    assert_eq!(server.serving.ended().await.unwrap(), 0);
}

#[tokio::test]
async fn what_does_not_end_is_given_up() {
    let options = ServeOptions {
        drain: Duration::from_millis(20),
        ..ServeOptions::default()
    };
    let server = start(options).await;
    let request = server.request(Method::POST, "/v1/points/pre-tool-call");
    let request = request
        .bearer_auth(&server.token)
        .body(body("slow").to_string())
        .send();
    let request = tokio::spawn(request);
    server.begun().await;
    server.stop.cancel();
    server.serving.ended().await.unwrap();
    assert!(request.await.unwrap().is_err(), "it was answered");
}

#[tokio::test]
async fn a_server_that_nobody_uses_ends() {
    let options = ServeOptions {
        idle: Some(Duration::from_millis(10)),
        ..ServeOptions::default()
    };
    start(options).await.serving.ended().await.unwrap();
}

#[tokio::test]
async fn a_server_that_answers_a_call_is_used() {
    let idle = Duration::from_millis(50);
    let options = ServeOptions {
        idle: Some(idle),
        ..ServeOptions::default()
    };
    loop {
        let server = start(options.clone()).await;
        let request = server.request(Method::POST, "/v1/points/pre-tool-call");
        let request = request
            .bearer_auth(&server.token)
            .body(body("slow").to_string());
        let request = tokio::spawn(request.send());
        tokio::select! {
            () = server.begun() => {}
            // The server ended before the request arrived.
            () = server.stop.cancelled() => continue,
        }
        tokio::time::sleep(idle * 3).await;
        assert!(!server.stop.is_cancelled());
        server.release();
        assert_eq!(request.await.unwrap().unwrap().status(), 200);
        server.serving.ended().await.unwrap();
        return;
    }
}
