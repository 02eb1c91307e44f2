//! HTTP: granted servers can be reached, by the granted methods, within the limits, and nothing
//! else can.

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

/// Returns the settings of the tests' hook: these lines of `http`, and limits.
fn settings(http: &[String], limits: &str) -> String {
    format!(
        "[hooks.caller.grants]\nhttp = {http:?}\nsecrets = [\"KEY\"]\n\
         [secrets]\nKEY = {{ file = \"key\" }}\n[hooks.caller.limits]\n{limits}\n"
    )
}

/// The hook's secret, which must appear nowhere.
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

/// Opens a session of the hook, with as much time as a test needs.
fn session(http: &[String], limits: &str) -> Session {
    session_within(
        http,
        &format!("wall-ms = 20_000\ndeadline-ms = 10_000\n{limits}"),
    )
}

fn session_within(http: &[String], limits: &str) -> Session {
    hooks(http, limits).session(SessionOptions::new("session-1"))
}

/// Returns the hook's answer to a request, or the code of the cause of its failure.
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
