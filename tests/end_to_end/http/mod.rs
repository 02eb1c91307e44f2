//! HTTP: the servers that were granted can be reached, by the methods that were granted, within their
//! limits, and nothing else can.

mod ends;
mod grants;
mod limits;
mod policy;
mod recorded;
mod reported;
mod server;
mod times;
mod tls;

use portcullis::{Decision, Hooks, Session, SessionOptions, Verdict};
use portcullis_tests::{HooksDir, text, turn};

/// What the tests' hook is granted: these lines of `http`, and limits.
fn settings(http: &[String], limits: &str) -> String {
    format!(
        "[hooks.caller.grants]\nhttp = {http:?}\nsecrets = [\"KEY\"]\n\
         [secrets]\nKEY = {{ file = \"key\" }}\n[hooks.caller.limits]\n{limits}\n"
    )
}

/// What the hook would say of its secret, if it did.
const KEY: &str = "s3cr3t";

fn dir(http: &[String], limits: &str) -> HooksDir {
    HooksDir::new()
        .with("caller")
        .with_file("key", KEY.as_bytes())
        .settings(&settings(http, limits))
}

fn hooks(http: &[String], limits: &str) -> Hooks {
    dir(http, limits).load()
}

/// A session of the hook, with as much time as a test needs.
fn session(http: &[String], limits: &str) -> Session {
    session_within(
        http,
        &format!("wall-ms = 20_000\ndeadline-ms = 10_000\n{limits}"),
    )
}

fn session_within(http: &[String], limits: &str) -> Session {
    hooks(http, limits).session(SessionOptions::new("session-1"))
}

/// What the hook says of a request; or the code of the cause that it failed by.
async fn ask(session: &Session, what: &str) -> String {
    said(what, session).await.0
}

async fn said(what: &str, session: &Session) -> (String, Verdict<portcullis::points::PreTurn>) {
    let mut call = turn(what);
    let verdict = session.run(&mut call).await;
    let said = match (&verdict.decision, verdict.runs[0].cause()) {
        (Decision::Passed, None) => text(&call),
        (_, Some(cause)) => format!("cause {cause}"),
        (other, None) => format!("{other:?}"),
    };
    (said, verdict)
}
