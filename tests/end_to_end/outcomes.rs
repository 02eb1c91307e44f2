//! The possible answers of a component, and the results.

use portcullis::SessionOptions;
use portcullis::contract::{ContentPart, Message, Role, Usage};
use portcullis::points::{
    LlmError, OutcomeKind, PreLlmCall, PreTurn, SessionEnd, llm_error, pre_llm_call, pre_turn,
    session_end,
};
use portcullis::verdict::{Cause, RunStatus};
use portcullis::{Call, Decision, Hooks, NativeHook, Views};
use portcullis_tests::{HooksDir, context, hook, probe_session, text, tool_call, turn};

#[tokio::test]
async fn an_unserved_point_passes_without_a_run() {
    let session = portcullis::Hooks::none().session(SessionOptions::new("test"));
    let verdict = session.run(&mut turn("hello")).await;
    assert!(verdict.decision.passed());
    assert!(verdict.runs.is_empty());
}

#[tokio::test]
async fn continue_changes_nothing() {
    let session = probe_session("");
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed());
    assert_eq!(text(&call), "hello");
    assert_eq!(verdict.runs[0].outcome(), Some(OutcomeKind::Continue));
    assert!(verdict.runs[0].fuel.is_some_and(|fuel| fuel > 0));
}

#[tokio::test]
async fn transform_puts_a_value_in_place_and_leaves_a_trail() {
    let session = probe_session("pre-turn = \"transform goodbye\"");
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed());
    assert_eq!(text(&call), "goodbye");
    assert_eq!(call.subject.text_bytes, 7);
    let change = verdict.runs[0].change.as_ref().expect("a change");
    assert_ne!(change.before, change.after);
    assert!(change.values.is_none(), "values may be secret");
}

#[tokio::test]
async fn a_refusal_names_its_hook() {
    let session = probe_session("pre-turn = \"reject\"");
    let verdict = session.run(&mut turn("hello")).await;
    let Decision::Rejected { by, rejection } = verdict.decision else {
        panic!("{:?}", verdict.decision);
    };
    assert_eq!(by.as_str(), "probe");
    assert_eq!(rejection.code, "probe");
}

#[tokio::test]
async fn after_a_replace_a_transform_only_refuses_and_after_an_answer_nothing_runs() {
    for (action, later, expected) in [
        ("replace done", "continue", "done: completed continue"),
        ("replace done", "append x", "done: not applied"),
        ("replace done", "replace x", "done: not applied"),
        ("replace done", "answer x", "done: not applied"),
        ("replace done", "reject", "rejected: completed reject"),
        ("replace done", "panic", "failed: trap"),
        ("answer done", "reject", "answered: skipped"),
    ] {
        let hooks = HooksDir::new()
            .with_renamed("probe", "first")
            .with_renamed("probe", "later")
            .settings(&format!(
                "{}{}",
                hook("first", "", &format!("pre-turn = \"{action}\"")),
                hook("later", "", &format!("pre-turn = \"{later}\"")),
            ))
            .load();
        let session = hooks.session(SessionOptions::new("test"));
        let mut call = turn("hello");
        let verdict = session.run(&mut call).await;
        let run = match &verdict.runs[1].status {
            RunStatus::Completed { outcome, .. } => format!("completed {outcome}"),
            RunStatus::NotApplied { .. } => "not applied".into(),
            RunStatus::Failed { cause, .. } => cause.to_string(),
            RunStatus::Skipped => "skipped".into(),
            RunStatus::Backgrounded => "detached".into(),
        };
        let came = match verdict.decision {
            Decision::Passed => text(&call),
            Decision::Answered { answer, .. } => {
                assert_eq!(answer, vec![ContentPart::Text("done".into())]);
                "answered".into()
            }
            Decision::Rejected { .. } => "rejected".into(),
            Decision::Failed(_) => "failed".into(),
            other => panic!("{other:?}"),
        };
        assert_eq!(format!("{came}: {run}"), expected, "{action}, {later}");
        assert!(verdict.runs[1].change.is_none(), "{action}, {later}");
    }
}

#[tokio::test]
async fn a_replaced_value_is_still_seen_by_every_gate() {
    let settings = hook(
        "first",
        "priority = -2147483648",
        "pre-turn = \"replace sneaked in\"",
    ) + &hook("guard", "role = \"gate\"", "pre-turn = \"reject\"");
    let hooks = HooksDir::new()
        .with_renamed("probe", "first")
        .with_renamed("probe", "guard")
        .settings(&settings)
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut turn("hello")).await;
    match verdict.decision {
        Decision::Rejected { by, .. } => assert_eq!(by.as_str(), "guard"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_a_hook_wrote_goes_with_an_answer_that_is_not_taken() {
    // A gate that counts in its state and answers with the count, which a gate may not.
    let settings = "[quarantine]\nfailures = 100\n".to_owned()
        + &hook(
            "probe",
            "role = \"gate\"\nfailure = \"fail-open\"",
            "pre-turn = \"remember\"",
        );
    let hooks = HooksDir::new().with("probe").settings(&settings).load();
    let session = hooks.session(SessionOptions {
        keep_values: true,
        ..SessionOptions::new("test")
    });
    let fuel: Vec<_> = {
        let mut fuel = Vec::new();
        for _ in 0..12 {
            let verdict = session.run(&mut turn("hello")).await;
            assert_eq!(verdict.runs[0].cause(), Some(Cause::BadOutput));
            fuel.push(verdict.runs[0].fuel);
        }
        fuel
    };
    // The tenth count would have one digit more, and cost more fuel, had it been kept.
    assert_eq!(fuel[1], fuel[11]);
}

#[tokio::test]
async fn kept_values_have_the_names_of_the_contract() {
    let settings = hook("probe", "", "pre-turn = \"append -one\"");
    let hooks = HooksDir::new().with("probe").settings(&settings).load();
    let session = hooks.session(SessionOptions {
        keep_values: true,
        ..SessionOptions::new("test")
    });
    let verdict = session.run(&mut turn("zero")).await;
    let change = verdict.runs[0].change.as_deref().expect("a change");
    let (before, after) = change.values.as_ref().expect("values");
    assert_eq!(before, r#"[{"text":"zero"}]"#);
    assert_eq!(after, r#"[{"text":"zero-one"}]"#);
}

#[tokio::test]
async fn transforms_chain() {
    let hooks = HooksDir::new()
        .with_renamed("probe", "first")
        .with_renamed("probe", "later")
        .settings(&format!(
            "{}{}",
            hook("first", "priority = 1", "pre-turn = \"append -one\""),
            hook("later", "priority = 2", "pre-turn = \"append -two\""),
        ))
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let mut call = turn("zero");
    let verdict = session.run(&mut call).await;
    assert_eq!(text(&call), "zero-one-two");
    let changed: Vec<&str> = verdict.changed_by().map(|hook| hook.as_str()).collect();
    assert_eq!(changed, ["first", "later"]);
    let (first, later) = (&verdict.runs[0].change, &verdict.runs[1].change);
    let trail = first.as_ref().zip(later.as_ref()).expect("two changes");
    assert_eq!(trail.0.after, trail.1.before);
}

#[tokio::test]
async fn a_failing_transform_blocks_what_it_was_to_change() {
    let session = probe_session("post-turn = \"panic\"\npre-turn = \"fail no key\"");
    let mut call = turn("a secret");
    let verdict = session.run(&mut call).await;
    let Decision::Failed(failed) = verdict.decision else {
        panic!("{:?}", verdict.decision);
    };
    assert_eq!(failed.failure.cause(), Cause::GuestError);
    assert!(failed.to_string().contains("no key"), "{failed}");
}

#[tokio::test]
async fn fail_open_goes_on_and_says_so() {
    let hooks = HooksDir::new()
        .with("probe")
        .settings(&hook(
            "probe",
            "failure = \"fail-open\"",
            "pre-turn = \"panic\"",
        ))
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut turn("hello")).await;
    assert!(verdict.decision.passed());
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Trap));
}

#[tokio::test]
async fn an_error_text_that_says_fuel_is_still_a_guest_error() {
    let session = probe_session("pre-turn = \"fail all fuel consumed by WebAssembly\"");
    let verdict = session.run(&mut turn("hello")).await;
    assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError));
}

#[tokio::test]
async fn a_failure_at_session_end_is_never_fatal() {
    let session = probe_session("session-end = \"panic\"");
    let mut call = Call::<SessionEnd>::new(
        context(),
        session_end::SessionSummary {
            reason: session_end::EndReason::Closed,
            turns: 1,
            usage: Usage {
                input_tokens: 0,
                output_tokens: 0,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        },
        Views::default(),
    );
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed());
    assert_eq!(verdict.runs[0].cause(), Some(Cause::Trap));
}

#[tokio::test]
async fn an_audited_hook_decides_nothing_and_its_verdict_is_kept() {
    let hooks = HooksDir::new()
        .with("probe")
        .settings(&hook("probe", "mode = \"audit\"", "pre-turn = \"reject\""))
        .load();
    let session = hooks.session(SessionOptions::new("test"));
    let verdict = session.run(&mut turn("hello")).await;
    assert!(verdict.decision.passed());
    assert_eq!(verdict.runs[0].outcome(), Some(OutcomeKind::Reject));
}

#[tokio::test]
async fn a_role_narrows_what_a_hook_may_answer() {
    for (role, action) in [("gate", "transform x"), ("observe", "reject")] {
        let hooks = HooksDir::new()
            .with("probe")
            .settings(&hook(
                "probe",
                &format!("role = \"{role}\""),
                &format!("pre-turn = \"{action}\""),
            ))
            .load();
        let session = hooks.session(SessionOptions::new("test"));
        let mut call = turn("hello");
        let verdict = session.run(&mut call).await;
        assert_eq!(verdict.runs[0].cause(), Some(Cause::BadOutput), "{role}");
        assert_eq!(text(&call), "hello");
        // An observer's failure decides nothing; a gate's fails closed.
        assert_eq!(verdict.decision.passed(), role == "observe");
    }
}

#[tokio::test]
async fn rewritten_arguments_are_checked_against_the_schema() {
    for (action, allowed) in [
        (r#"transform {"path":"b"}"#, true),
        (r#"transform {"path":7}"#, false),
        ("transform [1]", false),
        ("transform nonsense", false),
    ] {
        let session = probe_session(&format!("pre-tool-call = '{action}'"));
        let mut call = tool_call(r#"{"path":"a"}"#);
        let verdict = session.run(&mut call).await;
        assert_eq!(verdict.decision.passed(), allowed, "{action}");
        if allowed {
            assert_eq!(&*call.views.tool_arguments, r#"{"path":"b"}"#);
        } else {
            assert_eq!(verdict.runs[0].cause(), Some(Cause::BadOutput), "{action}");
            assert_eq!(&*call.views.tool_arguments, r#"{"path":"a"}"#);
        }
    }
}

#[tokio::test]
async fn messages_are_changed_by_edits() {
    let session = probe_session("pre-llm-call = \"transform be brief\"");
    let message = Message {
        role: Role::User,
        content: vec![ContentPart::Text("hello".into())],
    };
    let mut call = Call::<PreLlmCall>::new(
        context(),
        pre_llm_call::LlmCall {
            provider: "p".into(),
            model: "m".into(),
            attempt: 1,
            messages: 1,
            tools: 0,
            estimated_tokens: 2,
            temperature: None,
            max_output_tokens: None,
        },
        Views {
            conversation: vec![message.clone()].into(),
            ..Views::default()
        },
    );
    let verdict = session.run(&mut call).await;
    assert!(verdict.decision.passed());
    assert_eq!(call.subject.messages, 2);
    assert_eq!(call.views.conversation[0], message);
    assert_eq!(
        call.views.conversation[1].content,
        vec![ContentPart::Text("be brief".into())]
    );
}

#[tokio::test]
async fn a_retry_decision_is_recorded_as_replace() {
    let session = probe_session("llm-error = \"replace switch\"");
    let mut call = Call::<LlmError>::new(
        context(),
        llm_error::LlmFailure {
            provider: "a".into(),
            model: "m".into(),
            attempt: 1,
            kind: llm_error::ProviderErrorKind::Overloaded,
            status: Some(529),
            message: "busy".into(),
            retry_after_ms: None,
            providers: vec!["a".into(), "b".into()],
        },
        Views::default(),
    );
    let verdict = session.run(&mut call).await;
    assert_eq!(verdict.runs[0].outcome(), Some(OutcomeKind::Replace));
    match verdict.decision {
        Decision::Answered {
            answer: llm_error::RetryDecision::SwitchProvider(choice),
            ..
        } => assert_eq!(choice.provider, "b"),
        other => panic!("{other:?}"),
    }
}

/// The host's work on an answer counts as time of the run that gave it: the hook answers at once,
/// and the host hashes four mebibytes.
#[tokio::test]
async fn what_the_host_does_with_an_answer_is_part_of_the_runs_time() {
    let large = ContentPart::Text("x".repeat(4 << 20));
    let careless = NativeHook::new("careless")
        .on::<PreTurn>(move |_| Ok(pre_turn::Outcome::Transform(vec![large.clone()])));
    let after = NativeHook::new("later").on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue));
    let session = Hooks::none()
        .with([careless.priority(1), after.priority(2)])
        .expect("hooks")
        .session(SessionOptions::new("test"));
    let began = std::time::Instant::now();
    let verdict = session.run(&mut turn("hello")).await;
    let took = began.elapsed();
    assert!(
        verdict.runs[0].latency * 2 > took,
        "{:?} and {:?} of {took:?}",
        verdict.runs[0].latency,
        verdict.runs[1].latency
    );
}
