//! Records by turn, step and call, and the links between them.

use portcullis::hooks::Mode;
use portcullis::verdict::Approval;
use portcullis_agent::{FieldChange, JournalEvent, NotRun, RetryAction, RunEnd, RunRecorder as _};
use portcullis_explain::{Explanation, Item, Run, ToolCall, Totals, TurnState, WaitsFor, page};
use serde_json::json;

use crate::sample::{self, Sample, continues, fails_closed, refuses};

fn tools(explanation: &Explanation) -> Vec<&ToolCall> {
    let items = explanation.turns.iter().flat_map(|turn| turn.items());
    items
        .filter_map(|item| match item {
            Item::Tool(call) => Some(&**call),
            _ => None,
        })
        .collect()
}

fn run<'a>(explanation: &'a Explanation, id: &str) -> &'a Run {
    let found = explanation.runs().find(|(_, run)| run.id == id);
    found.map(|(_, run)| run).unwrap()
}

#[test]
fn what_ended_a_call_or_a_turn_is_linked_both_ways() {
    let explanation = sample::session().journal.explain("s");
    let [changed, refused] = tools(&explanation)[..] else {
        panic!("{explanation:#?}");
    };
    assert!(changed.ran && changed.caused_by.is_none());
    let cause = run(&explanation, refused.caused_by.as_deref().unwrap());
    assert_eq!(
        (cause.hook.as_str(), cause.ended.as_ref()),
        ("guard", Some(&refused.id))
    );
    let skipped = &refused.chains[0].runs[1];
    assert_eq!(skipped.stopped_by.as_ref(), Some(&cause.id));
    let end = explanation.turns[1].end.as_ref().unwrap();
    assert_eq!(end.state, TurnState::Failed);
    let cause = run(&explanation, end.caused_by.as_deref().unwrap());
    assert_eq!(
        (cause.code.as_deref(), cause.ended.as_deref()),
        (Some("injection"), Some("turn-2"))
    );
}

#[test]
fn a_refusal_of_a_call_does_not_end_a_turn_that_ends() {
    let explanation = sample::session().journal.explain("s");
    assert_eq!(explanation.turns[0].end.as_ref().unwrap().caused_by, None);
}

/// A session in the first step of its first turn.
fn stepping() -> Sample {
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.event(JournalEvent::TurnBegan { input: None });
    sample.step = 1;
    sample
}

/// The hook runs that the failure of the turn is blamed on, by their points.
fn blamed(sample: &Sample) -> Vec<String> {
    sample.event(JournalEvent::TurnFailed {
        error: "the model is overloaded".into(),
        cancelled: false,
        elapsed_ms: 1,
    });
    let explanation = sample.journal.explain("s");
    let end = explanation.turns.last().unwrap().end.as_ref().unwrap();
    let ended = explanation.runs().filter(|(_, run)| run.ended.is_some());
    let ended: Vec<_> = ended.collect();
    assert_eq!(
        ended.iter().map(|(_, run)| &run.id).collect::<Vec<_>>(),
        end.caused_by.iter().collect::<Vec<_>>()
    );
    ended
        .into_iter()
        .map(|(chain, _)| chain.point.clone())
        .collect()
}

#[test]
fn a_failed_turn_is_blamed_on_a_refusal_only_where_a_refusal_fails_it() {
    let refuses = || refuses("no", "No.");
    let cases: [(&str, RunEnd, bool); 12] = [
        ("pre-step", refuses(), true),
        ("pre-llm-call", refuses(), true),
        ("post-llm-call", refuses(), true),
        ("post-step", fails_closed(), true),
        ("llm-delta", fails_closed(), true),
        ("llm-delta", refuses(), false),
        ("pre-compaction", refuses(), false),
        ("pre-compaction", fails_closed(), false),
        ("tool-update", refuses(), false),
        ("tool-update-sent", fails_closed(), false),
        ("turn-error", fails_closed(), false),
        ("a-later-point", refuses(), false),
    ];
    for (point, end, is_blamed) in cases {
        let sample = stepping();
        let said = format!("{point}: {end:?}");
        sample.run(point, "guard", None, end);
        let expected = if is_blamed { vec![point] } else { vec![] };
        assert_eq!(blamed(&sample), expected, "{said}");
    }
}

#[test]
fn a_refusal_within_a_compaction_does_not_fail_the_turn() {
    let mut sample = stepping();
    sample.run("pre-llm-call", "guard", None, refuses("no", "No summary."));
    sample.run("pre-llm-call", "guard", None, continues());
    sample.model(0);
    assert_eq!(blamed(&sample), Vec::<String>::new());

    let mut sample = stepping();
    sample.run("pre-llm-call", "guard", None, continues());
    sample.run("llm-delta", "guard", None, fails_closed());
    sample.model(0);
    assert_eq!(blamed(&sample), ["llm-delta"]);
}

#[test]
fn a_withheld_result_is_linked_to_the_hook_that_refused_it() {
    let mut sample = stepping();
    sample.run("pre-tool-call", "jail", Some("a"), continues());
    sample.event(JournalEvent::ToolStarted {
        call_id: "a".into(),
        name: "write_file".into(),
        arguments: None,
    });
    let noise = refuses("noise", "Too much.");
    sample.run("tool-update", "jail", Some("a"), noise);
    let secret = refuses("secret", "Not for the model.");
    sample.run("post-tool-call", "guard", Some("a"), secret);
    sample.finished("a", true, "[The tool ran]");
    let explanation = sample.journal.explain("s");
    let [call] = tools(&explanation)[..] else {
        panic!("{explanation:#?}");
    };
    assert_eq!(call.caused_by, None, "it ran");
    let withheld = run(&explanation, call.withheld_by.as_deref().unwrap());
    assert_eq!(
        (withheld.hook.as_str(), withheld.ended.as_ref()),
        ("guard", Some(&call.id))
    );
    let ended = explanation.runs().filter(|(_, run)| run.ended.is_some());
    assert_eq!(ended.count(), 1, "an update that is withheld ends nothing");
    let page = page(&explanation);
    for part in ["Result withheld because of", "It withheld the result of"] {
        assert!(page.contains(part), "no `{part}`");
    }
}

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
fn what_was_done_about_a_failed_model_call_is_said_in_words() {
    let json = |action: RetryAction| serde_json::to_value(action).unwrap();
    let switch = RetryAction::SwitchProvider {
        provider: "backup".into(),
        model: "small-1".into(),
    };
    let reason = "the budget is spent".to_owned();
    let cases = [
        (
            json(RetryAction::Retry { delay_ms: 40 }),
            "the model is called again after 40 ms",
        ),
        (json(switch), "switched to backup/small-1"),
        (
            json(RetryAction::GiveUp { reason }),
            "gave up: the budget is spent",
        ),
        (
            json!({ "do": "wait" }),
            r#"after the failed model call: {"do":"wait"}"#,
        ),
    ];
    for (action, expected) in cases {
        let sample = stepping();
        sample.event(JournalEvent::Retry { action, by: None });
        let explanation = sample.journal.explain("s");
        let items = explanation.turns.last().unwrap().items();
        let notes: Vec<_> = items
            .filter_map(|item| match item {
                Item::Note(note) => Some(note.text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(notes, [expected]);
    }
}

#[test]
fn totals_tell_refusals_from_those_of_audit_mode() {
    let explanation = sample::session().journal.explain("s");
    let expected = Totals {
        turns: 2,
        model_calls: 1,
        tool_calls: 2,
        runs: 6,
        refusals: 2,
        would_refuse: 1,
        changes: 1,
        failures: 0,
        not_run: 2,
        hooks_us: 8 * 180,
        fuel: 8 * 4_200,
    };
    assert_eq!(explanation.totals, expected);
    assert_eq!(explanation.only(2).totals.refusals, 1);
}

#[test]
fn a_sub_agent_stands_in_the_call_that_started_it() {
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.event(JournalEvent::SubagentStarted {
        call_id: "c".into(),
        agent: "researcher".into(),
        session: "below".into(),
    });
    sample.finished("c", true, "found");
    // It names itself, as no agent does.
    sample.event(JournalEvent::SubagentStarted {
        call_id: "c".into(),
        agent: "researcher".into(),
        session: "s".into(),
    });
    let explanation = sample.journal.explain("s");
    assert_eq!(tools(&explanation)[0].subagent, None, "not itself");
    let other = Sample::new();
    other.run("pre-turn", "guard", None, continues());
    assert!(other.journal.keeps_values());
}

#[test]
fn another_pass_of_a_chain_is_another_chain() {
    let mut sample = Sample::new();
    sample.turn = 1;
    for _ in 0..3 {
        sample.run("message-added", "guard", None, continues());
        sample.run("message-added", "audit", None, continues());
    }
    let explanation = sample.journal.explain("s");
    let turn = explanation.turns.last().unwrap();
    assert_eq!(turn.items().count(), 3);
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

/// A hook asks about the call `c`, and again once a person has changed it.
fn asked_again(sample: &mut Sample, between: impl FnOnce(&mut Sample)) {
    let asks = || sample::answers("ask");
    sample.run("pre-tool-call", "guard", Some("c"), asks());
    sample.run("pre-tool-call", "other", Some("c"), asks());
    between(sample);
    sample.run("pre-tool-call", "guard", Some("c"), asks());
    sample.run("pre-tool-call", "other", Some("c"), asks());
}

fn decided(hook: &str, approval: &str, more: serde_json::Value) -> JournalEvent {
    let mut event = json!({
        "event": "decided", "hook": hook, "point": "pre-tool-call", "call-id": "c", "approval": approval,
    });
    let fields = event.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    serde_json::from_value(event).unwrap()
}

/// A person's change, as a journal with values has it.
fn a_change() -> serde_json::Value {
    let field = json!({ "path": "/command", "before": "rm notes", "after": "ls notes" });
    json!({ "before": "b", "after": "a", "changes": [field] })
}

/// What people decided on the runs of the call, in order, and how many fields they changed.
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
fn what_a_person_changed_stands_at_the_run_that_asked() {
    let expected = [
        ("guard", Some(Approval::Changed), 1),
        ("other", None, 0),
        ("guard", None, 0),
        ("other", Some(Approval::Approved), 0),
    ];
    // The process that asked waited for the person.
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

    // Another process took the answer, and one more continued the turn.
    let mut sample = stepping();
    asked_again(&mut sample, answers_with_a_change);
    sample.event(decided("guard", "changed", a_change()));
    sample.event(decided("other", "approved", json!({})));
    assert_eq!(approvals(&sample.journal.explain("s")), expected);
}

/// A person answers in another process that the call is to be changed.
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
fn a_change_of_which_the_journal_has_no_fields_is_said_to_be_one() {
    // As an earlier version recorded it, and without values.
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

#[test]
fn what_a_hook_contributed_is_shown_where_the_journal_has_it() {
    let mut sample = Sample::new();
    sample.turn = 1;
    let adds = |added: Option<Vec<FieldChange>>| RunEnd {
        contributions: vec!["d".into()],
        added,
        ..sample::answers("contribute")
    };
    let field = FieldChange {
        path: "/0/section/text".into(),
        before: None,
        after: Some("Be brief.".into()),
    };
    sample.run("prompt-compile", "brief", None, adds(Some(vec![field])));
    let shown = page(&sample.journal.explain("s"));
    for part in [
        "It contributed 1 thing.",
        "/0/section/text",
        "<ins>Be brief.</ins>",
    ] {
        assert!(shown.contains(part), "no `{part}`");
    }
    // As a digest alone, as without values.
    let mut sample = Sample::new();
    sample.turn = 1;
    sample.run("prompt-compile", "brief", None, adds(None));
    let explanation = sample.journal.explain("s");
    let (_, run) = explanation.runs().next().unwrap();
    assert_eq!((run.contributed, run.added.len()), (1, 0));
    assert!(page(&explanation).contains("It contributed 1 thing."));
    // In audit mode nothing is contributed.
    let mut sample = Sample::new();
    sample.turn = 1;
    let audited = RunEnd {
        mode: Some(Mode::Audit),
        ..adds(None)
    };
    sample.run("prompt-compile", "brief", None, audited);
    let shown = page(&sample.journal.explain("s"));
    assert!(shown.contains("Enforced, it would have contributed 1 thing."));
    assert!(!shown.contains("It contributed"));
}
