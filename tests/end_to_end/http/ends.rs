//! A request ends with its call, in any kind of end.

use std::time::{Duration, Instant};

use portcullis_tests::turn;

use super::server::{Answer, Server};
use super::{ask, session, session_within};

const A_BYTE_A_SECOND: Answer = Answer::Drip(Duration::from_secs(1));

#[tokio::test]
async fn a_byte_a_second_holds_no_hook_beyond_its_wall_clock() {
    for answer in [A_BYTE_A_SECOND, Answer::DripHead, Answer::Never] {
        let server = Server::new(answer).await;
        let good = Server::new(Answer::Text("hello")).await;
        let grants = [server.grant("GET"), good.grant("GET")];
        let session = session_within(&grants, "wall-ms = 400");
        // Warms up, so that starting is not measured.
        let warm = format!("GET {}", good.url());
        assert_eq!(ask(&session, &warm).await, "200 hello");
        let begun = Instant::now();
        let said = ask(&session, &format!("GET {}", server.url())).await;
        let took = begun.elapsed();
        assert_eq!(said, "cause deadline");
        assert!(took >= Duration::from_millis(350), "{took:?}");
        assert!(took < Duration::from_secs(5), "{took:?}");
        server.closed().await;
        assert_eq!(
            ask(&session, &warm).await,
            "200 hello",
            "the next call is healthy"
        );
    }
}

#[tokio::test]
async fn a_call_that_is_dropped_closes_its_connection() {
    let server = Server::new(A_BYTE_A_SECOND).await;
    let good = Server::new(Answer::Text("hello")).await;
    let session = session(&[server.grant("GET"), good.grant("GET")], "");
    let mut call = turn(&format!("GET {}", server.url()));
    tokio::select! {
        _ = session.run(&mut call) => panic!("it cannot have ended"),
        () = server.asked() => {}
    }
    server.closed().await;
    assert_eq!(
        ask(&session, &format!("GET {}", good.url())).await,
        "200 hello"
    );
}

#[tokio::test]
async fn a_request_that_is_left_ends_with_its_call() {
    let server = Server::new(Answer::Never).await;
    let behind = server.behind().await;
    let grants = [server.grant("GET"), behind.grant("GET")];
    // Only the end of the call ends it.
    let session = session(
        &grants,
        "http-concurrent = 2\nhttp-first-byte-ms = 600_000\nhttp-total-ms = 600_000",
    );
    for left in 1..=3 {
        let what = format!("leave {} {}", server.url(), behind.url());
        assert_eq!(ask(&session, &what).await, "left");
        assert_eq!(server.connected(), left);
        server.closed().await;
    }
    drop(session);
}

#[test]
fn on_a_runtime_without_io_a_request_fails_and_nothing_else() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime");
    let session = session(&["GET http://127.0.0.1:9".into()], "");
    for _ in 0..2 {
        let said = runtime.block_on(ask(&session, "GET http://127.0.0.1:9"));
        assert!(said.contains("no I/O"), "{said}");
    }
}
