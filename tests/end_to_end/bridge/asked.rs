//! A call that waits for a person.

use portcullis::approval::ApprovalDecision;
use portcullis_bridge::{AnswerRequest, BridgeError, BridgeOptions, CallReply, Decision};

use super::{bridge, call, dir, tool_call};

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
