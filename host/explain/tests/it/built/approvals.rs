//! People's answers and changes, at the runs that asked.

use portcullis::hooks::Mode;
use portcullis::verdict::Approval;
use portcullis_agent::{FieldChange, JournalEvent, RunEnd};
use portcullis_explain::{Explanation, Item, ToolCall, page};
use serde_json::json;

use super::{stepping, tools};
use crate::sample::{self, Sample};

/// Records that two hooks ask about the call `c`, and again once a person has changed it.
fn asked_again(sample: &mut Sample, between: impl FnOnce(&mut Sample)) {
    let asks = || sample::answers("ask");
    sample.run("pre-tool-call", "guard", Some("c"), asks());
    sample.run("pre-tool-call", "other", Some("c"), asks());
    between(sample);
    sample.run("pre-tool-call", "guard", Some("c"), asks());
    sample.run("pre-tool-call", "other", Some("c"), asks());
}

/// Records a person's answer in another process, which changes the call.
fn answers_with_a_change(sample: &mut Sample) {
    sample.step = 0;
    sample.event(JournalEvent::Answered {
        call_id: "c".into(),
        by: "ann".into(),
        answer: "changed".into(),
    });
    sample.step = 1;
    sample.event(JournalEvent::TurnResumed);
}

fn decided(hook: &str, approval: &str, more: serde_json::Value) -> JournalEvent {
    let mut event = json!({
        "event": "decided", "hook": hook, "point": "pre-tool-call", "call-id": "c", "approval": approval,
    });
    let fields = event.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    serde_json::from_value(event).unwrap()
}

/// Returns a person's change, as a journal with values has it.
fn a_change() -> serde_json::Value {
    let field = json!({ "path": "/command", "before": "rm notes", "after": "ls notes" });
    json!({ "before": "b", "after": "a", "changes": [field] })
}

/// Returns people's decisions on the call's runs, in order, each with the number of fields changed.
fn approvals(explanation: &Explanation) -> Vec<(&str, Option<Approval>, usize)> {
    let call: &ToolCall = tools(explanation)[0];
    let runs = call.chains.iter().flat_map(|chain| &chain.runs);
    runs.map(|run| {
        let changes = run.approval_changes.as_ref().map_or(0, Vec::len);
        (run.hook.as_str(), run.approval, changes)
    })
    .collect()
}

#[test]
fn who_answered_stands_in_the_turn_and_at_the_run_that_asked() {
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.event(JournalEvent::TurnBegan { input: None });
    sample.step = 2;
    let asks = sample::answers("ask");
    sample.run("pre-tool-call", "guard", Some("c"), asks);
    sample.event(JournalEvent::TurnSuspended {
        reason: "a question was deferred".into(),
    });
    sample.step = 0;
    sample.event(JournalEvent::Answered {
        call_id: "c".into(),
        by: "ann".into(),
        answer: "denied".into(),
    });
    sample.event(JournalEvent::TurnResumed);
    let explanation = sample.journal.explain("s");
    let turn = explanation.turns.last().unwrap();
    assert_eq!(turn.end, None, "it runs again");
    assert!(tools(&explanation)[0].chains[0].runs[0].refused());
    let notes = turn.items().filter_map(|item| match item {
        Item::Note(note) => Some(note.text.as_str()),
        _ => None,
    });
    assert_eq!(notes.collect::<Vec<_>>()[0], "ann denied: call c");
    assert_eq!(turn.steps[0].items.len(), 2, "the note is in the last step");
}

#[test]
fn the_last_answer_counts_and_names_the_one_that_it_replaces() {
    use Approval::{Approved, Changed, Denied};
    for (first, last, approval) in [
        ("approved", "denied", Denied),
        ("denied", "approved", Approved),
        ("changed", "denied", Denied),
        ("approved", "changed", Changed),
    ] {
        let mut sample = stepping();
        let asks = || sample::answers("ask");
        sample.run("pre-tool-call", "guard", Some("c"), asks());
        sample.run("pre-tool-call", "other", Some("c"), asks());
        sample.event(JournalEvent::TurnSuspended {
            reason: "a question was deferred".into(),
        });
        sample.step = 0;
        for (by, answer) in [("ann, in a browser,", first), ("bob", last)] {
            sample.event(JournalEvent::Answered {
                call_id: "c".into(),
                by: by.into(),
                answer: answer.into(),
            });
        }
        let explanation = sample.journal.explain("s");
        let expected = [("guard", Some(approval), 0), ("other", None, 0)];
        assert_eq!(approvals(&explanation), expected, "{first}, then {last}");
        let run = &tools(&explanation)[0].chains[0].runs[0];
        let replaced = run.approval_replaces.as_deref();
        assert_eq!(replaced, Some("ann, in a browser"), "{first}, then {last}");
        assert!(page(&explanation).contains("This replaces the answer of "));
    }
}

#[test]
fn an_answer_to_the_next_question_of_a_call_replaces_none() {
    let sample = stepping();
    let asks = || sample::answers("ask");
    sample.run("pre-tool-call", "guard", Some("c"), asks());
    sample.run("pre-tool-call", "other", Some("c"), asks());
    for answer in ["approved", "denied"] {
        sample.event(JournalEvent::TurnSuspended {
            reason: "a question was deferred".into(),
        });
        sample.event(JournalEvent::Answered {
            call_id: "c".into(),
            by: "ann".into(),
            answer: answer.into(),
        });
        sample.event(JournalEvent::TurnResumed);
    }
    let explanation = sample.journal.explain("s");
    let expected = [
        ("guard", Some(Approval::Approved), 0),
        ("other", Some(Approval::Denied), 0),
    ];
    assert_eq!(approvals(&explanation), expected);
    let runs = &tools(&explanation)[0].chains[0].runs;
    assert!(runs.iter().all(|run| run.approval_replaces.is_none()));
}

#[test]
fn a_question_that_nobody_answered_is_a_refusal_and_no_denial() {
    let sample = stepping();
    sample.run("pre-tool-call", "guard", Some("c"), sample::answers("ask"));
    sample.event(decided("guard", "unanswered", json!({})));
    let explanation = sample.journal.explain("s");
    let run = &tools(&explanation)[0].chains[0].runs[0];
    assert_eq!(run.approval, Some(Approval::Unanswered));
    assert!(run.refused());
    assert!(page(&explanation).contains("nobody answered, so it was denied"));
}

#[test]
fn what_a_person_changed_stands_at_the_run_that_asked() {
    let expected = [
        ("guard", Some(Approval::Changed), 1),
        ("other", None, 0),
        ("guard", None, 0),
        ("other", Some(Approval::Approved), 0),
    ];
    // One process asked, and waited for the person.
    let mut sample = stepping();
    asked_again(&mut sample, |_| {});
    sample.event(decided("guard", "changed", a_change()));
    sample.event(decided("other", "approved", json!({})));
    let explanation = sample.journal.explain("s");
    assert_eq!(approvals(&explanation), expected);
    let call = tools(&explanation)[0];
    let run = &call.chains[0].runs[0];
    let field = FieldChange {
        path: "/command".into(),
        before: Some("rm notes".into()),
        after: Some("ls notes".into()),
    };
    assert_eq!(run.approval_changes, Some(vec![field]));
    assert!(!run.changed, "the hook changed nothing");
    let shown = page(&explanation);
    for part in ["approved with a change", "<del>rm</del>", "<ins>ls</ins>"] {
        assert!(shown.contains(part), "no `{part}`");
    }

    // Another process took the answer, and a third process continued the turn.
    let mut sample = stepping();
    asked_again(&mut sample, answers_with_a_change);
    sample.event(decided("guard", "changed", a_change()));
    sample.event(decided("other", "approved", json!({})));
    assert_eq!(approvals(&sample.journal.explain("s")), expected);
}

#[test]
fn an_earlier_version_recorded_no_change_after_its_answer() {
    let mut sample = stepping();
    asked_again(&mut sample, answers_with_a_change);
    sample.event(decided("guard", "approved", json!({})));
    let explanation = sample.journal.explain("s");
    let expected = [
        ("guard", Some(Approval::Changed), 0),
        ("other", None, 0),
        ("guard", Some(Approval::Approved), 0),
        ("other", None, 0),
    ];
    assert_eq!(approvals(&explanation), expected);
}

#[test]
fn nobody_answers_a_question_of_a_hook_in_audit_mode() {
    let mut sample = stepping();
    let audited = RunEnd {
        mode: Some(Mode::Audit),
        ..sample::answers("ask")
    };
    sample.run("pre-tool-call", "audited", Some("c"), audited);
    sample.run("pre-tool-call", "guard", Some("c"), sample::answers("ask"));
    answers_with_a_change(&mut sample);
    sample.event(decided("guard", "changed", a_change()));
    let explanation = sample.journal.explain("s");
    let expected = [("audited", None, 0), ("guard", Some(Approval::Changed), 1)];
    assert_eq!(approvals(&explanation), expected);
}

#[test]
fn a_change_of_which_the_journal_has_no_fields_is_said_to_be_one() {
    // The records of an earlier version, and those without values.
    for more in [json!({}), json!({ "before": "b", "after": "a" })] {
        let mut sample = stepping();
        asked_again(&mut sample, |_| {});
        sample.event(decided("guard", "changed", more));
        let explanation = sample.journal.explain("s");
        let first = approvals(&explanation)[0];
        assert_eq!(first, ("guard", Some(Approval::Changed), 0));
        assert!(page(&explanation).contains("The journal does not have what was changed."));
    }
    // The journal keeps values, and the person changed nothing.
    let mut sample = stepping();
    asked_again(&mut sample, |_| {});
    let nothing = json!({ "before": "b", "after": "b", "changes": [] });
    sample.event(decided("guard", "changed", nothing));
    let shown = page(&sample.journal.explain("s"));
    assert!(shown.contains("approved with a change") && !shown.contains("does not have what"));
}
