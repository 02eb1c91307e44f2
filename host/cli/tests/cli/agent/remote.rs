//! Turns that are sent to a server, and signals meanwhile.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

use super::scene::Scene;
use crate::support::run;

/// `portcullis run` whose turns go to a server of the test.
struct Sent {
    child: Child,
    server: TcpListener,
}

impl Sent {
    fn new(scene: &Scene, arguments: &[&str]) -> Self {
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", server.local_addr().unwrap());
        let mut command = scene.uncached(&["run", "--restate", &url, "--session", "s"]);
        let child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, server }
    }

    /// Waits for a request, and reads it. Returns its first line.
    fn request(&self) -> (String, TcpStream) {
        let (stream, _) = self.server.accept().unwrap();
        let mut reader = BufReader::new(stream);
        let (mut first, mut length) = (String::new(), 0);
        reader.read_line(&mut first).unwrap();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let line = line.trim().to_lowercase();
            if let Some(number) = line.strip_prefix("content-length:") {
                length = number.trim().parse().unwrap();
            }
            if line.is_empty() {
                break;
            }
        }
        reader.read_exact(&mut vec![0; length]).unwrap();
        (first, reader.into_inner())
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status().unwrap();
        assert!(sent.success());
    }

    fn end(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn answer(mut stream: TcpStream, outcome: &str) {
    let length = outcome.len();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{outcome}"
    )
    .unwrap();
}

fn scene() -> Scene {
    Scene::scripted("", "[stores]\nurl = \"sqlite:s.sqlite\"\n")
}

#[test]
fn a_turn_that_no_worker_has_is_left_to_the_server_by_a_signal() {
    let scene = scene();
    let mut sent = Sent::new(&scene, &["Hello"]);
    let (first, _open) = sent.request();
    assert!(first.contains("/s/turn"), "{first}");
    sent.signal("-INT");
    let err = BufReader::new(sent.child.stderr.take().unwrap());
    let mut err = err.lines().map_while(Result::ok);
    assert!(
        err.any(|line| line.contains("no worker has the turn yet")),
        "it says that nothing was cancelled"
    );
    sent.signal("-INT");
    assert_eq!(sent.end(), Some(130));

    let mut sent = Sent::new(&scene, &["Hello"]);
    let (_, _open) = sent.request();
    sent.signal("-TERM");
    assert_eq!(sent.end(), Some(143));
}

#[test]
fn ctrl_c_between_turns_ends_the_session() {
    let scene = scene();
    let mut sent = Sent::new(&scene, &[]);
    let mut input = sent.child.stdin.take().unwrap();
    writeln!(input, "Hello").unwrap();
    let (_, stream) = sent.request();
    answer(stream, r#"{"end":"done","text":"Good day."}"#);
    let mut out = BufReader::new(sent.child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert_eq!(line, "Good day.\n");
    sent.signal("-INT");
    let (first, stream) = sent.request();
    assert!(first.contains("/s/close"), "{first}");
    answer(stream, r#"{"end":"done","text":""}"#);
    assert_eq!(sent.end(), Some(130));
}

#[test]
fn interrupted_turns_are_finished_by_workers_alone() {
    let scene = scene();
    let ran = run(&mut scene.uncached(&["run", "--restate", "http://127.0.0.1:1", "--finish"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("leave out --finish"), "{ran:?}");
}

#[test]
fn options_that_only_workers_could_follow_are_refused() {
    let scene = Scene::new("name = \"remote\"\n[stores]\nurl = \"sqlite:s.sqlite\"\n");
    let refused = |arguments: &[&str]| {
        let before = ["run", "--restate", "http://127.0.0.1:9"];
        let ran = run(&mut scene.uncached(&[&before, arguments, &["Hello"]].concat()));
        assert_eq!(ran.code, Some(1), "{ran:?}");
        ran.err
    };
    let several = refused(&["--provider", "scripted:a.json", "--max-steps", "3"]);
    for what in [
        "--provider, --max-steps would change nothing",
        "portcullis worker",
    ] {
        assert!(several.contains(what), "{several}");
    }
    let traced = refused(&["--trace"]);
    for what in ["--trace shows nothing", "portcullis explain"] {
        assert!(traced.contains(what), "{traced}");
    }
    // Also if the file names the server.
    scene.write(
        "there.toml",
        "name = \"remote\"\n[stores]\nurl = \"sqlite:s.sqlite\"\n[restate]\nurl = \"http://127.0.0.1:9\"\n",
    );
    let ran = run(&mut scene.uncached(&["run", "--agent", "there.toml", "--no-hooks", "Hello"]));
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(
        ran.err.contains("--no-hooks would change nothing"),
        "{ran:?}"
    );
}
