//! Whether a tool call ran, why it did not, and the event that it waits for.

use portcullis::verdict::Approval;
use portcullis_agent::{JournalEvent, NotRun, RepeatDecision};
use portcullis_explain::{WaitsFor, page};
use serde_json::json;

use super::{stepping, tools};
use crate::sample::{self, Sample, continues, refuses};

#[test]
fn why_a_call_did_not_run_is_said_where_the_journal_has_it() {
    let finished = |more: serde_json::Value| {
        let mut event = json!({
            "event": "tool-finished", "call-id": "a", "name": "write_file",
            "is-error": true, "ran": false, "elapsed-ms": 0,
        });
        let fields = event.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        let sample = stepping();
        sample.event(serde_json::from_value(event).unwrap());
        sample.journal.explain("s")
    };
    let denied = finished(json!({ "not-run": "policy-denied" }));
    assert_eq!(tools(&denied)[0].not_run, Some(NotRun::PolicyDenied));
    let said = serde_json::to_value(tools(&denied)[0]).unwrap();
    assert_eq!(said["not-run"], "policy-denied");
    assert!(page(&denied).contains("Did not run: the policy forbids it"));

    let old = finished(json!({}));
    assert_eq!(tools(&old)[0].not_run, None);
    let page = page(&old);
    assert!(page.contains("did not run") && !page.contains("Did not run: "));
}

#[test]
fn a_tool_that_ran_is_not_one_that_did_not_run() {
    let sample = stepping();
    let name = || "shell".to_owned();
    sample.event(JournalEvent::ToolStarted {
        call_id: "c".into(),
        name: name(),
        arguments: None,
    });
    sample.event(JournalEvent::ToolFinished {
        call_id: "c".into(),
        name: name(),
        is_error: true,
        ran: false,
        not_run: Some(NotRun::TurnFailed),
        elapsed_ms: 1,
        result: None,
    });
    let explanation = sample.journal.explain("s");
    let call = tools(&explanation)[0];
    assert_eq!((call.ran, call.not_run), (true, None));
    assert!(!page(&explanation).contains("Did not run"));
}

#[test]
fn a_call_that_was_not_run_again_may_have_run() {
    let decided = |approval, reason: Option<&str>| {
        let sample = stepping();
        sample.event(JournalEvent::ToolStarted {
            call_id: "c".into(),
            name: "shell".into(),
            arguments: None,
        });
        sample.event(JournalEvent::TurnContinued);
        sample.event(JournalEvent::ToolRepeatDecided {
            call_id: "c".into(),
            name: "shell".into(),
            decision: RepeatDecision {
                approval,
                reason: reason.map(str::to_owned),
            },
        });
        let ran = approval == Approval::Approved;
        sample.event(JournalEvent::ToolFinished {
            call_id: "c".into(),
            name: "shell".into(),
            is_error: !ran,
            ran,
            not_run: (!ran).then_some(NotRun::NotRepeated),
            elapsed_ms: 1,
            result: None,
        });
        sample.run("post-tool-call", "audit", Some("c"), continues());
        sample.journal.explain("s")
    };
    let state = |explanation: &portcullis_explain::Explanation| {
        let call = tools(explanation)[0];
        (call.ran, call.unknown, call.not_run)
    };
    let yes = decided(Approval::Approved, None);
    assert_eq!(state(&yes), (true, false, None));
    assert!(page(&yes).contains("a person let `shell` run again"));

    let no = decided(Approval::Denied, Some("not twice"));
    assert_eq!(state(&no), (false, true, Some(NotRun::NotRepeated)));
    let shown = page(&no);
    assert!(shown.contains("a person did not let `shell` run again: not twice"));
    assert!(shown.contains(
        "Not known whether it ran: its process died while it ran, and it was not run again"
    ));

    let nobody = page(&decided(Approval::Unanswered, None));
    assert!(nobody.contains("`shell` was not run again, because nobody decided"));
}

#[test]
fn a_call_of_a_suspended_turn_says_what_it_waits_for() {
    let mut sample = stepping();
    sample.finished("done", true, "wrote 44 bytes");
    sample.run(
        "pre-tool-call",
        "guard",
        Some("asked"),
        sample::answers("ask"),
    );
    sample.run("pre-tool-call", "guard", Some("client"), continues());
    let reason = "human".to_owned();
    sample.event(JournalEvent::TurnSuspended { reason });
    let waits = |sample: &Sample| {
        let explanation = sample.journal.explain("s");
        let calls = tools(&explanation).into_iter();
        calls.map(|call| call.waits_for).collect::<Vec<_>>()
    };
    let (answer, result) = (Some(WaitsFor::Answer), Some(WaitsFor::Result));
    assert_eq!(waits(&sample), [None, answer, result]);

    let mut explanation = sample.journal.explain("s");
    for call in ["done", "asked"] {
        explanation.name_waiting(call, "shell");
    }
    let names = tools(&explanation).into_iter();
    let names: Vec<_> = names.map(|call| call.name.as_deref()).collect();
    assert_eq!(names, [Some("write_file"), Some("shell"), None]);
    let end = explanation.turns.last().unwrap().end.as_ref().unwrap();
    assert_eq!(end.reason, "until a person answers");
    let shown = page(&explanation);
    assert!(shown.contains("Not run yet: it waits for an answer"));
    assert!(!shown.contains("did not run"));

    sample.event(JournalEvent::Answered {
        call_id: "asked".into(),
        by: "ann".into(),
        answer: "approved".into(),
    });
    let continuation = Some(WaitsFor::Continuation);
    assert_eq!(waits(&sample), [None, continuation, result]);
    sample.event(JournalEvent::TurnResumed);
    assert_eq!(waits(&sample), [None, None, None]);
}

#[test]
fn the_waiting_call_of_a_sub_agent_is_named() {
    let sample = stepping();
    sample.event(JournalEvent::SubagentStarted {
        call_id: "a/1".into(),
        agent: "researcher".into(),
        session: "below".into(),
    });
    sample.run("pre-subagent", "guard", Some("a/1"), continues());
    let asks = sample::answers("ask");
    sample.run_in("below", ("pre-tool-call", "guard"), Some("c"), asks);
    for (session, reason) in [("below", "human"), ("s", "children")] {
        let reason = reason.to_owned();
        sample.event_in(session, JournalEvent::TurnSuspended { reason });
    }
    let mut explanation = sample.journal.explain("s");
    explanation.name_waiting("a/1/c", "write_file");
    let call = tools(&explanation)[0];
    assert_eq!(
        (call.name.as_deref(), call.waits_for),
        (None, Some(WaitsFor::Result))
    );
    let below = tools(call.subagent.as_ref().unwrap())[0];
    assert_eq!(below.name.as_deref(), Some("write_file"));
}

#[test]
fn a_call_that_another_process_finishes_is_one_call() {
    let mut sample = stepping();
    let refused = refuses("no", "No.");
    sample.run("pre-tool-call", "guard", Some("c"), refused);
    sample.finished("c", false, "[The tool was not run]");
    sample.step = 0;
    sample.event(JournalEvent::TurnContinued);
    sample.step = 1;
    sample.finished("c", false, "[The tool was not run]");
    // A model may use the same id again in a later step.
    sample.step = 2;
    sample.finished("c", true, "wrote 44 bytes");
    let explanation = sample.journal.explain("s");
    let [first, second] = tools(&explanation)[..] else {
        panic!("{explanation:#?}");
    };
    assert!(first.caused_by.is_some() && second.ran);
    assert_eq!(explanation.totals.tool_calls, 2);
    let steps = explanation.turns.last().unwrap().steps.iter();
    let steps: Vec<u32> = steps.map(|step| step.number).collect();
    assert_eq!(steps, [1, 2], "the process died in the first step");
}

#[test]
fn a_call_of_which_the_journal_has_neither_start_nor_result_is_not_one_that_did_not_run() {
    let call = |point: &str, end: portcullis_agent::RunEnd| {
        let sample = stepping();
        sample.run("pre-tool-call", "guard", Some("c"), end);
        sample.run(point, "audit", Some("c"), continues());
        sample.journal.explain("s")
    };
    let state = |explanation: &portcullis_explain::Explanation| {
        let call = tools(explanation)[0];
        (call.ran, call.unknown)
    };
    let nothing = call("pre-tool-call", continues());
    assert_eq!(state(&nothing), (false, true));
    let shown = page(&nothing);
    assert!(shown.contains("Not known whether it ran: the journal has neither"));
    assert!(!shown.contains("did not run"));
    let asked = call("pre-tool-call", sample::answers("ask"));
    assert!(page(&asked).contains("a hook asked, and the journal does not have the answer"));
    // The tool's result passed hooks.
    assert_eq!(state(&call("post-tool-call", continues())), (true, false));
    // A hook's answer passed hooks too.
    let answered = call("post-tool-call", sample::answers("answer"));
    assert_eq!(state(&answered), (false, false));
    assert_eq!(
        state(&call("pre-tool-call", refuses("no", "Not this."))),
        (false, false)
    );
}

#[test]
fn a_permission_is_asked_for_a_call_that_is_open() {
    let started = |sample: &Sample, call_id: &str| {
        sample.event(JournalEvent::ToolStarted {
            call_id: call_id.into(),
            name: "write_file".into(),
            arguments: None,
        });
    };
    let mut sample = stepping();
    sample.run("pre-tool-call", "guard", Some("a"), continues());
    started(&sample, "a");
    sample.finished("a", true, "done");
    sample.run("pre-tool-call", "guard", Some("b"), continues());
    started(&sample, "b");
    sample.run("pre-tool-call", "guard", Some(""), continues());
    started(&sample, "");
    let explanation = sample.journal.explain("s");
    let states: Vec<_> = tools(&explanation)
        .iter()
        .map(|call| (&*call.call_id, call.chains.len(), call.ran, call.unknown))
        .collect();
    assert_eq!(states, [("a", 1, true, false), ("b", 2, false, true)]);
    // An agent whose calls have no ids.
    let sample = stepping();
    sample.run("pre-tool-call", "guard", Some(""), continues());
    started(&sample, "");
    let explanation = sample.journal.explain("s");
    assert!(tools(&explanation)[0].ran);
}
