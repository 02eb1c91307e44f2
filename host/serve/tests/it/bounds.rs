//! The limits on calls at once, bytes and time.

use std::time::Duration;

use portcullis_access::ConnectionLimits;
use portcullis_serve::ServeOptions;
use reqwest::{Client, Method};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;

use crate::server::{Server, body, event, start};

#[tokio::test]
async fn a_call_over_the_limit_is_to_be_sent_again_later() {
    let options = ServeOptions {
        calls: 1,
        ..ServeOptions::default()
    };
    let server = start(options).await;
    let other = async {
        server.begun().await;
        let request = server.request(Method::POST, "/v1/points/pre-tool-call");
        let request = request
            .bearer_auth(&server.token)
            .body(body("read").to_string());
        let refused = request.send().await.unwrap();
        assert_eq!(refused.status(), 503);
        assert_eq!(refused.headers()["retry-after"], "1");
        // A client that reads the metrics is not refused.
        let (_, text) = server.get("/metrics").await;
        let text = text.as_str().unwrap();
        assert!(text.contains("portcullis_in_flight 1\n"), "{text}");
        assert!(
            text.contains("portcullis_errors_total{status=\"503\"} 1\n"),
            "{text}"
        );
        server.release();
    };
    let ((status, _), ()) = tokio::join!(server.call("slow"), other);
    assert_eq!(status, 200);
    assert_eq!(server.call("read").await.0, 200);
}

#[tokio::test]
async fn a_body_has_no_more_bytes_than_it_may() {
    let options = ServeOptions {
        body_bytes: 2_000,
        ..ServeOptions::default()
    };
    let server = start(options).await;
    let padded = |bytes: usize| format!("{:bytes$}", body("read").to_string());
    assert_eq!(server.call("read").await.0, 200);
    let (status, _) = server.post("/v1/points/pre-tool-call", padded(2_000)).await;
    assert_eq!(status, 200);
    for path in [
        "/v1/points/pre-tool-call",
        "/v1/answers",
        "/v1/events/claude",
    ] {
        let (status, error) = server.post(path, padded(2_001)).await;
        assert_eq!(status, 413, "{path}: {error}");
        assert!(error.to_string().contains("2000 bytes"), "{error}");
    }
    // A request that does not declare its length.
    let pieces = "POST /v1/answers HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";
    let sent = format!("{pieces}7d1\r\n{}\r\n0\r\n\r\n", " ".repeat(2_001));
    let answer = exchange(&server, &sent).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

/// Sends a text on the Unix socket, and returns what the server sends until it closes the connection.
async fn exchange(server: &Server, sent: &str) -> String {
    let mut stream = UnixStream::connect(server.place.socket()).await.unwrap();
    stream.write_all(sent.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A server that closes before it has read all resets the connection.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn a_client_that_does_not_send_holds_nothing() {
    let options = ServeOptions {
        calls: 1,
        connections: ConnectionLimits {
            connections: 2,
            read: Duration::from_millis(20),
        },
        ..ServeOptions::default()
    };
    let server = start(options).await;
    let half = "POST /v1/answers HTTP/1.1\r\nhost: loc";
    let answer = exchange(&server, half).await;
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.1 408 "),
        "{answer}"
    );
    let whole = "POST /v1/answers HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n{";
    let answer = exchange(&server, whole).await;
    assert!(answer.starts_with("HTTP/1.1 408 "), "{answer}");
    // Each connection is closed: only two are allowed at once.
    let (first, second) = tokio::join!(exchange(&server, half), exchange(&server, whole));
    assert!(second.starts_with("HTTP/1.1 408 "), "{first} {second}");
}

#[tokio::test]
async fn a_client_that_goes_ends_its_call() {
    let server = start(ServeOptions::default()).await;
    let client = Client::builder()
        .unix_socket(server.place.socket())
        .build()
        .unwrap();
    let request = client.post("http://localhost/v1/events/claude");
    let request = request.body(event("slow").to_string());
    tokio::select! {
        _ = request.send() => panic!("it was answered"),
        () = server.begun() => {}
    }
    drop(client);
    // The hook's call is dropped, so that the next event of the session has its turn.
    let (status, answered) = server
        .post("/v1/events/claude", event("read").to_string())
        .await;
    assert_eq!(status, 200, "{answered}");
}
