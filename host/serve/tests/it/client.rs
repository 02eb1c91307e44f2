//! The client without a runtime.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use portcullis_dialects::{AnsweredEvent, Dialect};
use portcullis_serve::ServeOptions;
use portcullis_serve::client::{ClientError, answer};

use crate::server::{Place, event, start};

fn ask(place: &Place, event: &[u8]) -> Result<AnsweredEvent, ClientError> {
    let until = Instant::now() + Duration::from_secs(60);
    answer(
        &place.daemon,
        &place.dir,
        Dialect::Claude,
        event,
        until,
        None,
    )
}

/// Starts a daemon that handles one connection with `treats`.
fn daemon(place: &Place, treats: impl FnOnce(UnixStream) + Send + 'static) -> JoinHandle<()> {
    portcullis_serve::make_directory(&place.dir).unwrap();
    let listener = UnixListener::bind(place.socket()).unwrap();
    std::thread::spawn(move || treats(listener.accept().unwrap().0))
}

/// Reads until the text has this end, and returns all of it.
fn read_until(stream: &mut UnixStream, end: &str) -> String {
    let mut read = Vec::new();
    let mut byte = [0];
    while !String::from_utf8_lossy(&read).ends_with(end) && stream.read(&mut byte).unwrap() > 0 {
        read.extend(byte);
    }
    String::from_utf8_lossy(&read).into_owned()
}

const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";

#[test]
fn what_the_daemon_has_not_begun_can_be_decided_elsewhere() {
    let sent = event("read").to_string();
    let not_begun = |place: &Place, why: &str| match ask(place, sent.as_bytes()) {
        Err(ClientError::NotBegun(said)) => assert!(said.contains(why), "{said}"),
        other => panic!("{other:?}"),
    };
    let place = Place::new();
    not_begun(&place, "no daemon runs");
    portcullis_serve::make_directory(&place.dir).unwrap();
    not_begun(&place, "no daemon runs");
    drop(UnixListener::bind(place.socket()).unwrap());
    not_begun(&place, "has ended");
    // The daemon ends when it has read the head.
    let place = Place::new();
    let daemon = daemon(&place, |mut stream| {
        let head = read_until(&mut stream, "\r\n\r\n");
        assert!(head.contains("expect: 100-continue"), "{head}");
    });
    not_begun(&place, "before it began");
    daemon.join().unwrap();
}

#[test]
fn what_the_daemon_may_have_begun_is_not_decided_again() {
    let sent = event("read").to_string();
    for reply in [
        "",
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{",
        "HTTP/1.1 200 OK\r\n\r\n",
        "no",
    ] {
        let place = Place::new();
        let end = sent.clone();
        let daemon = daemon(&place, move |mut stream| {
            read_until(&mut stream, "\r\n\r\n");
            stream.write_all(CONTINUE).unwrap();
            assert_eq!(read_until(&mut stream, &end), end);
            stream.write_all(reply.as_bytes()).unwrap();
        });
        let error = ask(&place, sent.as_bytes()).unwrap_err();
        assert!(matches!(error, ClientError::Begun(_)), "{reply}: {error}");
        daemon.join().unwrap();
    }
}

#[test]
fn a_socket_where_others_can_put_one_is_not_asked() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    portcullis_serve::make_directory(&place.dir).unwrap();
    let _listener = UnixListener::bind(place.socket()).unwrap();
    let open = std::fs::Permissions::from_mode(0o777);
    std::fs::set_permissions(&place.dir, open).unwrap();
    match ask(&place, b"{}") {
        Err(ClientError::NotBegun(said)) => assert!(said.contains("mode 0700"), "{said}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_daemon_that_takes_no_connection_is_not_waited_for_without_end() {
    let place = Place::new();
    portcullis_serve::make_directory(&place.dir).unwrap();
    let listener = socket2::Socket::from(UnixListener::bind(place.socket()).unwrap());
    listener.listen(0).unwrap();
    let address = socket2::SockAddr::unix(place.socket()).unwrap();
    let mut waiting = Vec::new();
    loop {
        let client = socket2::Socket::new(socket2::Domain::UNIX, socket2::Type::STREAM, None);
        let client = client.unwrap();
        client.set_nonblocking(true).unwrap();
        let connected = client.connect(&address);
        waiting.push(client);
        if connected.is_err() {
            break;
        }
    }
    let until = Instant::now() + Duration::from_millis(20);
    let answered = answer(
        &place.daemon,
        &place.dir,
        Dialect::Claude,
        b"{}",
        until,
        None,
    );
    match answered {
        Err(ClientError::NotBegun(said)) => assert!(said.contains("in time"), "{said}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_busy_daemon_is_asked_again() {
    let options = ServeOptions {
        calls: 1,
        ..ServeOptions::default()
    };
    let server = start(options).await;
    let refused = "portcullis_errors_total{status=\"503\"}";
    let other = async {
        server.begun().await;
        let place = &server.place;
        let (daemon, dir) = (place.daemon.clone(), place.dir.clone());
        let asked = tokio::task::spawn_blocking(move || {
            let until = Instant::now() + Duration::from_secs(60);
            let sent = event("read").to_string();
            answer(&daemon, &dir, Dialect::Claude, sent.as_bytes(), until, None)
        });
        while !server
            .get("/metrics")
            .await
            .1
            .as_str()
            .unwrap()
            .contains(refused)
        {
            tokio::task::yield_now().await;
        }
        server.release();
        asked.await.unwrap()
    };
    let ((status, _), answered) = tokio::join!(server.call("slow"), other);
    assert_eq!((status, answered.unwrap().answer.code), (200, 0));
}
