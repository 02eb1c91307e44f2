//! A call that waits for a person.

use std::time::Duration;

use portcullis::approval::ApprovalDecision;
use portcullis::verdict::Approval;
use portcullis_agent::{JournalEvent, NotRun};
use portcullis_bridge::{
    AnswerRequest, BridgeError, BridgeOptions, CallContext, CallReply, CallRequest, Decision,
};
use serde_json::json;

use super::{bridge, call, dir, store, tool_call};

fn answer(id: u64, decision: ApprovalDecision) -> AnswerRequest {
    AnswerRequest {
        session_id: "s".into(),
        id,
        decision,
    }
}

fn question(reply: &CallReply) -> u64 {
    match &reply.decision {
        Decision::Pending { id, questions } if questions[0].question == "May it?" => *id,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_question_waits_for_its_answer_once() {
    let dir = dir("pre-tool-call = 'ask May it?'");
    let bridge = bridge(&dir, BridgeOptions::default());
    let waiting = question(&call(&bridge, tool_call("s", "{}")).await);
    let other = question(&call(&bridge, tool_call("s", "{}")).await);
    assert_ne!(waiting, other);

    let denied = answer(waiting, ApprovalDecision::Deny("no".into()));
    let reply = bridge.answer(denied.clone()).await.expect("a decision");
    assert!(
        matches!(&reply.decision, Decision::Reject { rejection, .. } if rejection.reason == "no"),
        "{reply:?}"
    );
    let again = bridge.answer(denied).await;
    assert!(matches!(again, Err(BridgeError::NoQuestion { .. })));

    let later = answer(other, ApprovalDecision::Defer);
    let reply = bridge.answer(later).await.expect("a decision");
    let other = question(&reply);
    let edited = answer(other, ApprovalDecision::Edit(r#"{"a":1}"#.into()));
    let reply = bridge.answer(edited).await.expect("a decision");
    assert!(reply.decision.passed(), "{reply:?}");
    assert_eq!(reply.payload, r#"{"a":1}"#);
}

#[tokio::test]
async fn a_question_of_a_session_that_is_not_open_is_an_error() {
    let dir = dir("");
    let bridge = bridge(&dir, BridgeOptions::default());
    let answered = bridge.answer(answer(1, ApprovalDecision::Approve)).await;
    assert!(matches!(answered, Err(BridgeError::NoQuestion { .. })));
    assert_eq!(bridge.open_sessions(), 0);
}

#[tokio::test]
async fn an_answer_to_a_question_of_a_closed_session_decides_no_other_question() {
    let dir = dir("pre-tool-call = 'ask May it?'");
    let bridge = bridge(&dir, BridgeOptions::default());
    let other_bridge = super::bridge(&dir, BridgeOptions::default());
    let old = question(&call(&bridge, tool_call("s", "{}")).await);
    bridge.close_session("s").await.expect("closed");
    let dangerous = question(&call(&bridge, tool_call("s", r#"{"a":1}"#)).await);
    question(&call(&other_bridge, tool_call("s", r#"{"a":2}"#)).await);
    for bridge in [&bridge, &other_bridge] {
        let answered = bridge.answer(answer(old, ApprovalDecision::Approve)).await;
        assert!(
            matches!(answered, Err(BridgeError::NoQuestion { .. })),
            "{answered:?}"
        );
    }
    let approved = answer(dangerous, ApprovalDecision::Approve);
    let reply = bridge.answer(approved).await.expect("it still waits");
    assert!(reply.decision.passed(), "{reply:?}");
}

/// Returns the session's journal events, except its opening.
fn journaled(kept: &tempfile::TempDir) -> Vec<JournalEvent> {
    let journal = store(kept).journal().expect("a journal");
    let events = journal.events("s").expect("events").into_iter();
    let events = events.map(|recorded| recorded.row.event);
    events
        .filter(|event| !matches!(event, JournalEvent::SessionOpened { .. }))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_journal_has_the_answer_and_what_came_of_the_call() {
    let dir = dir("pre-tool-call = 'ask May it?'");
    for decision in [
        ApprovalDecision::Deny("no".into()),
        ApprovalDecision::Approve,
    ] {
        let kept = tempfile::tempdir().expect("a directory");
        let options = BridgeOptions {
            store: Some(store(&kept)),
            ..BridgeOptions::default()
        };
        let bridge = bridge(&dir, options);
        let waiting = question(&call(&bridge, tool_call("s", "{}")).await);
        let given = bridge.answer(answer(waiting, decision.clone())).await;
        given.expect("a decision");
        bridge.close(Duration::ZERO).await.expect("saved");
        let events = journaled(&kept);
        let approved = decision == ApprovalDecision::Approve;
        match &events[..] {
            [
                JournalEvent::ToolAsked { .. },
                JournalEvent::Decided {
                    hook,
                    call_id,
                    approval: Approval::Approved,
                    ..
                },
                JournalEvent::ToolStarted { .. },
            ] if approved => assert_eq!((hook.as_str(), call_id.as_deref()), ("probe", Some("1"))),
            [
                JournalEvent::ToolAsked { .. },
                JournalEvent::Decided {
                    approval: Approval::Denied,
                    ..
                },
                JournalEvent::ToolFinished {
                    not_run: Some(NotRun::HookRefused),
                    ran: false,
                    ..
                },
            ] if !approved => {}
            other => panic!("{decision:?}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn arguments_that_are_missing_or_no_object_are_an_error() {
    let bridge = bridge(&dir(""), BridgeOptions::default());
    let without_view = CallRequest {
        views: json!({}),
        ..tool_call("s", r#"{"path": "a"}"#)
    };
    for wrong in [without_view, tool_call("s", "[1]"), tool_call("s", "{")] {
        let refused = bridge.call(wrong).await;
        assert!(
            matches!(refused, Err(BridgeError::BadRequest { .. })),
            "{refused:?}"
        );
    }
    let reply = call(&bridge, tool_call("s", "")).await;
    assert!(reply.decision.passed(), "{reply:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_cannot_be_read_leaves_nothing_behind() {
    let (dir, kept) = (dir(""), tempfile::tempdir().expect("a directory"));
    let options = BridgeOptions {
        store: Some(store(&kept)),
        ..BridgeOptions::default()
    };
    let bridge = bridge(&dir, options);
    let wrong = CallRequest {
        point: "pre-turn".into(),
        context: CallContext::new("s", "tests").turn(4_000_000_000),
        input: json!({}),
        views: json!({}),
    };
    let refused = bridge.call(wrong).await;
    assert!(
        matches!(refused, Err(BridgeError::BadRequest { .. })),
        "{refused:?}"
    );
    assert_eq!(bridge.open_sessions(), 0);
    bridge.close(Duration::ZERO).await.expect("saved");
    let journal = store(&kept).journal().expect("a journal");
    assert!(journal.events("s").expect("events").is_empty());
}
