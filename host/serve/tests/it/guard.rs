//! Access control of requests over TCP.

use std::os::unix::fs::PermissionsExt as _;

use portcullis_serve::ServeOptions;
use reqwest::Method;
use reqwest::header::{HOST, ORIGIN};

use crate::server::start;

const PATHS: [&str; 5] = [
    "/health",
    "/metrics",
    "/openapi.json",
    "/v1/points/pre-tool-call",
    "/none",
];

#[tokio::test]
async fn a_request_without_the_token_is_refused_on_every_path() {
    let server = start(ServeOptions::default()).await;
    let long = format!("{}x", server.token);
    let other = server.token.to_lowercase();
    for token in [
        None,
        Some(""),
        Some(&server.token[1..]),
        Some(&long),
        Some(&other),
    ] {
        for path in PATHS {
            let mut request = server.request(Method::GET, path);
            if let Some(token) = token {
                request = request.bearer_auth(token);
            }
            assert_eq!(
                request.send().await.unwrap().status(),
                401,
                "{token:?} {path}"
            );
        }
    }
    let basic = server
        .request(Method::GET, "/health")
        .basic_auth("", Some(&server.token));
    assert_eq!(basic.send().await.unwrap().status(), 401);
    assert_eq!(server.get("/health").await.0, 200);
}

#[tokio::test]
async fn a_page_of_a_browser_is_refused_even_with_the_token() {
    let server = start(ServeOptions::default()).await;
    let port = server.address.port();
    for (header, value) in [
        (HOST, format!("evil.example:{port}")),
        (HOST, format!("localhost.evil.example:{port}")),
        (ORIGIN, "http://evil.example".to_owned()),
        (ORIGIN, format!("http://127.0.0.1:{port}")),
        (ORIGIN, "null".to_owned()),
    ] {
        for path in PATHS {
            let request = server.request(Method::GET, path).bearer_auth(&server.token);
            let status = request
                .header(&header, &value)
                .send()
                .await
                .unwrap()
                .status();
            assert_eq!(status, 403, "{header}: {value} {path}");
        }
    }
    let local = server
        .request(Method::GET, "/health")
        .bearer_auth(&server.token);
    let local = local
        .header(HOST, format!("localhost:{port}"))
        .send()
        .await
        .unwrap();
    assert_eq!(local.status(), 200);
}

#[tokio::test]
async fn only_the_user_can_read_the_token_and_use_the_socket() {
    let server = start(ServeOptions::default()).await;
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let token = server.place.daemon.token(&server.place.dir);
    assert_eq!(mode(&token), 0o600);
    assert_eq!(mode(&server.place.socket()), 0o600);
    assert_eq!(mode(&server.place.dir), 0o700);
    let other = start(ServeOptions::default()).await;
    assert_ne!(server.token, other.token);
    assert!(server.token.len() >= 43, "32 random bytes");
    server.stop.cancel();
    server.serving.ended().await.unwrap();
    assert!(!token.exists() && !server.place.socket().exists());
}
