//! Timers: a hook that waits for one uses its call's time limit.

use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Decision, Session, SessionOptions};
use portcullis_project::Language;
use portcullis_tests::turn;

use super::granted::loaded;

/// Opens a session of a hook whose calls may take two seconds.
fn session(language: Language, file: &str, source: &str) -> Session {
    let limits = "[hooks.my-hook.limits]\nwall-ms = 2_000\n";
    let hooks = loaded(language, (file, source), limits).load();
    hooks.session(SessionOptions::new("test"))
}

/// Returns the hook's answer, or the cause of its failure.
async fn ask(session: &Session, action: &str) -> Result<String, Cause> {
    let verdict = session.run(&mut turn(action)).await;
    match (verdict.decision, &verdict.runs[0].status) {
        (_, RunStatus::Failed { cause, .. }) => Err(*cause),
        (Decision::Rejected { rejection, .. }, _) => Ok(rejection.reason),
        (other, _) => panic!("{action}: {other:?}"),
    }
}

#[tokio::test]
async fn in_typescript() {
    let source = include_str!("timers/hook.ts");
    let session = session(Language::TypeScript, "src/hook.ts", source);
    for (action, said) in [
        ("sleep 20", "slept"),
        ("order 1", "second first"),
        ("cleared 1", "the other"),
        // The timer would take longer than the call may.
        ("left 60000", "at once"),
    ] {
        assert_eq!(ask(&session, action).await.as_deref(), Ok(said), "{action}");
    }
    // The instance keeps nothing of the timers.
    for _ in 0..30 {
        assert_eq!(ask(&session, "large 60000").await.as_deref(), Ok("at once"));
    }
    assert_eq!(ask(&session, "sleep 60000").await, Err(Cause::Deadline));
    assert_eq!(ask(&session, "sleep 20").await.as_deref(), Ok("slept"));
}

/// A hook that creates no promise itself.
const SYNCHRONOUS: &str = r#"import { content, defineHook, reject } from "portcullis";

export default defineHook({
  id: "my-hook",
  description: "Leaves a timer behind.",

  preTurn() {
    const large = new Uint8Array(4_000_000);
    setTimeout(() => {
      throw new Error(`it has run ${large.length}`);
    }, Number(content.text()));
    return reject("said", "at once");
  },
});
"#;

#[tokio::test]
async fn in_javascript_without_promises() {
    let session = session(Language::JavaScript, "src/hook.js", SYNCHRONOUS);
    for ms in ["60000", "0"].repeat(15) {
        assert_eq!(ask(&session, ms).await.as_deref(), Ok("at once"));
    }
}

#[tokio::test]
async fn in_go() {
    let source = include_str!("timers/hook.go");
    let session = session(Language::Go, "hook.go", source);
    assert_eq!(ask(&session, "20").await.as_deref(), Ok("slept"));
    assert_eq!(ask(&session, "60000").await, Err(Cause::Deadline));
    assert_eq!(ask(&session, "20").await.as_deref(), Ok("slept"));
}

#[tokio::test]
async fn in_python() {
    let source = include_str!("timers/hook.py");
    let session = session(Language::Python, "src/hook.py", source);
    assert_eq!(ask(&session, "20").await.as_deref(), Ok("slept"));
    assert_eq!(ask(&session, "60000").await, Err(Cause::Deadline));
    assert_eq!(ask(&session, "20").await.as_deref(), Ok("slept"));
}
