//! An audit that fails closed: a hook that can give no answer, and may refuse by failing alone.

use std::sync::Arc;

use futures::FutureExt as _;
use portcullis::Hooks;
use portcullis::observer::RecordError;
use portcullis::verdict::Cause;
use portcullis_tests::{HooksDir, turn};

use super::slow::Slow;
use super::{load, session};

const CLOSED: &str = "role = \"gate\"\nfailure = \"fail-closed\"\n";

fn audit(settings: &str) -> HooksDir {
    HooksDir::new().with("audit-log").settings(&format!(
        "[hooks.audit-log]\n{settings}\n[hooks.audit-log.grants]\nevents = true\n"
    ))
}

fn recorded(settings: &str) -> Hooks {
    load(&audit(settings), true).expect("hooks")
}

#[tokio::test]
async fn it_waits_for_the_journal_by_itself() {
    let journal = Slow::new(None);
    let session = session(&recorded(CLOSED), &journal);
    let mut call = turn("hello");
    let mut run = Box::pin(session.run(&mut call));
    assert!((&mut run).now_or_never().is_none());
    assert_eq!(journal.asked(), 1);
    journal.answers.send_replace(Some(Ok(())));
    let verdict = run.await;
    assert!(verdict.decision.passed(), "{:?}", verdict.runs);
}

async fn cause(hooks: &Hooks, journal: &Arc<Slow>) -> Option<Cause> {
    let verdict = session(hooks, journal).run(&mut turn("hello")).await;
    let cause = verdict.runs[0].cause();
    assert_eq!(verdict.decision.passed(), cause.is_none());
    cause
}

#[tokio::test]
async fn a_journal_that_fails_refuses_what_it_should_have_recorded() {
    let journal = Slow::new(Some(Err(RecordError("the disk is full".into()))));
    assert_eq!(
        cause(&recorded(CLOSED), &journal).await,
        Some(Cause::Journal)
    );
}

#[tokio::test]
async fn what_is_no_such_audit_does_not_wait() {
    for settings in [
        // The operator sets this.
        &format!("{CLOSED}write-run = \"after-answer\""),
        // The hook observes, so its failure refuses nothing.
        "",
        "role = \"gate\"\nfailure = \"fail-open\"",
        &format!("{CLOSED}mode = \"audit\""),
    ] {
        let journal = Slow::new(Some(Err(RecordError("the disk is full".into()))));
        assert_eq!(
            cause(&recorded(settings), &journal).await,
            None,
            "{settings}"
        );
        assert_eq!(journal.asked(), 0, "{settings}");
    }
}

#[tokio::test]
async fn without_a_journal_it_runs_unless_it_asks_for_one() {
    let journal = Slow::new(None);
    let hooks = load(&audit(CLOSED), false).expect("hooks");
    assert_eq!(cause(&hooks, &journal).await, None);
    assert_eq!(journal.asked(), 0);
    let asks = audit(&format!("{CLOSED}write-run = \"before-answer\""));
    let text = load(&asks, false).map(drop).expect_err("no journal");
    assert!(text.contains("there is no journal"), "{text}");
}
