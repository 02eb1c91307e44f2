//! Limits on a client that does not send the announced bytes.

use std::time::Duration;

use portcullis_access::ConnectionLimits;
use portcullis_mcp_proxy::listen::{ListenOptions, listen};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_util::sync::CancellationToken;

use super::{TOKEN, options};

/// Sends a text, and returns the received text until the proxy closes the connection.
async fn exchange(address: std::net::SocketAddr, sent: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(sent.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A connection that is closed before all bytes are read is reset.
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

const HEAD: &str = "POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n";

#[tokio::test]
async fn a_body_without_a_token_is_not_waited_for() {
    let stop = CancellationToken::new();
    let never = ListenOptions {
        limits: ConnectionLimits {
            read: Duration::from_secs(86_400),
            ..ConnectionLimits::default()
        },
        ..options()
    };
    let listener = listen(never, stop.clone()).await.unwrap();
    let sent = format!("{HEAD}content-length: 9\r\n\r\n");
    let answer = exchange(listener.address, &sent).await;
    assert!(answer.starts_with("HTTP/1.1 401 "), "{answer}");
    stop.cancel();
}

#[tokio::test]
async fn a_client_that_does_not_send_holds_nothing() {
    let stop = CancellationToken::new();
    let soon = ListenOptions {
        limits: ConnectionLimits {
            connections: 2,
            read: Duration::from_millis(20),
        },
        ..options()
    };
    let listener = listen(soon, stop.clone()).await.unwrap();
    let half = "POST /mcp HTTP/1.1\r\nhost: loc";
    let whole = format!("{HEAD}authorization: Bearer {TOKEN}\r\ncontent-length: 9\r\n\r\n{{");
    // Each connection is closed: there is room for only two.
    for _ in 0..2 {
        let address = listener.address;
        let (first, second) = tokio::join!(exchange(address, half), exchange(address, &whole));
        assert!(
            first.is_empty() || first.starts_with("HTTP/1.1 408 "),
            "{first}"
        );
        assert!(second.starts_with("HTTP/1.1 408 "), "{second}");
    }
    stop.cancel();
    listener.ended(Duration::from_secs(60)).await;
}
