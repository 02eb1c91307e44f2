//! A hook's memory, inputs and limits, in every language.

use std::sync::Arc;

use portcullis::contract::{ContentPart, Message, Role};
use portcullis::points::PreTurn;
use portcullis::session::SessionInfo;
use portcullis::verdict::Cause;
use portcullis::{Call, SessionOptions, Verdict};
use portcullis_tests::{context, hook, text, turn};

use crate::speech::Speech;

async fn say(session: &portcullis::Session) -> (Call<PreTurn>, Verdict<PreTurn>) {
    let mut call = turn("hello");
    let verdict = session.run(&mut call).await;
    (call, verdict)
}

#[tokio::test]
async fn state_is_the_sessions_and_outlives_the_instance() {
    for speech in Speech::ALL {
        for isolation in ["session", "call"] {
            let settings = format!("isolation = \"{isolation}\"");
            let hooks = speech.hooks_with(&settings, "pre-turn = \"remember\"");
            let session = hooks.session(SessionOptions::new("one"));
            for count in ["1", "2", "3"] {
                let (call, verdict) = say(&session).await;
                assert_eq!(text(&call), count, "{speech}, {isolation}: {verdict:?}");
            }
            let other = hooks.session(SessionOptions::new("two"));
            assert_eq!(text(&say(&other).await.0), "1", "{speech}, {isolation}");
        }
    }
}

#[tokio::test]
async fn memory_is_the_instances() {
    for speech in Speech::ALL {
        for (isolation, counts) in [("session", ["1", "2"]), ("call", ["1", "1"])] {
            let settings = format!("isolation = \"{isolation}\"");
            let hooks = speech.hooks_with(&settings, "pre-turn = \"count\"");
            let session = hooks.session(SessionOptions::new("test"));
            for count in counts {
                let (call, verdict) = say(&session).await;
                assert_eq!(text(&call), count, "{speech}, {isolation}: {verdict:?}");
            }
        }
    }
}

#[tokio::test]
async fn a_trap_takes_back_what_the_call_wrote_and_the_next_call_is_healthy() {
    for speech in Speech::ALL {
        let actions = "pre-turn = \"remember-and-panic\"\npost-turn = \"remember\"";
        let session = speech.session(actions);
        assert_eq!(
            say(&session).await.1.runs[0].cause(),
            Some(Cause::Trap),
            "{speech}"
        );
        let mut call = <portcullis::points::PostTurn as portcullis_tests::Sample>::sample();
        let verdict = session.run(&mut call).await;
        assert!(verdict.decision.passed(), "{speech}: {verdict:?}");
        assert_eq!(text(&call), "1", "{speech}");
    }
}

#[tokio::test]
async fn javascript_swaps_a_value_only_if_it_is_the_expected_one() {
    let hooks = Speech::JavaScript.hooks_with("", "pre-turn = \"swap\"");
    let session = hooks.session(SessionOptions::new("one"));
    let (call, verdict) = say(&session).await;
    assert_eq!(
        text(&call),
        "true false false true true true",
        "{verdict:?}"
    );
}

#[tokio::test]
async fn an_exception_is_the_hooks_failure_with_its_place() {
    for (speech, says) in [
        (Speech::JavaScript, "TypeError"),
        (Speech::Python, "AttributeError"),
    ] {
        let (_, verdict) = say(&speech.session("pre-turn = \"throw\"")).await;
        assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError), "{speech}");
        let said = format!("{:?}", verdict.decision);
        assert!(
            said.contains(says) && said.contains("hook."),
            "{speech}: {said}"
        );
    }
}

#[tokio::test]
async fn an_outcome_that_no_function_of_the_sdk_made_is_the_hooks_failure() {
    for (speech, says) in [
        (Speech::JavaScript, "another function of the SDK"),
        (Speech::Python, "`dict` is not an outcome"),
    ] {
        let (_, verdict) = say(&speech.session("pre-turn = \"literal\"")).await;
        assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError), "{speech}");
        let said = format!("{:?}", verdict.decision);
        assert!(said.contains(says), "{speech}: {said}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_legal_at_the_point_is_the_hooks_failure() {
    for (speech, says) in [
        (Speech::JavaScript, "`ask` is not an answer of `preTurn`"),
        (Speech::Python, "`ask` cannot be answered at pre-turn"),
    ] {
        let (_, verdict) = say(&speech.session("pre-turn = \"ask\"")).await;
        assert_eq!(verdict.runs[0].cause(), Some(Cause::GuestError), "{speech}");
        let said = format!("{:?}", verdict.decision);
        assert!(said.contains(says), "{speech}: {said}");
    }
}

#[tokio::test]
async fn every_view_answers_about_the_call_in_hand() {
    let expected = r#"["hello",1,"user","{\"path\":\"a\"}","done",[],"ada",0,null,true]"#;
    // The Rust probe reports more, and its own tests check it.
    for speech in Speech::ALL.into_iter().skip(1) {
        let session = speech.session("pre-turn = \"look\"");
        let mut call = turn("hello");
        call.views.conversation = Arc::new(vec![Message {
            role: Role::User,
            content: vec![ContentPart::Text("before".into())],
        }]);
        call.views.tool_arguments = r#"{"path":"a"}"#.into();
        call.views.tool_output = Some("done".into());
        call.views.session = Arc::new(SessionInfo {
            user: Some("ada".into()),
            ..SessionInfo::default()
        });
        let verdict = session.run(&mut call).await;
        assert!(verdict.decision.passed(), "{speech}: {verdict:?}");
        assert_eq!(text(&call), expected, "{speech}");
    }
}

#[tokio::test]
async fn a_runtime_is_stopped_at_its_limits() {
    for speech in Speech::ALL {
        for (action, limits, cause) in [
            ("spin", "fuel = 5000000", Cause::Fuel),
            ("spin", "fuel = false\ndeadline-ms = 100", Cause::Deadline),
            ("hoard", "fuel = false\ndeadline-ms = 20000", Cause::Memory),
        ] {
            let settings = format!("[hooks.probe.limits]\n{limits}");
            let hooks = speech.hooks_with(&settings, &format!("pre-turn = \"{action}\""));
            let session = hooks.session(SessionOptions::new("test"));
            let (call, verdict) = say(&session).await;
            let row = format!("{speech} {action} {limits}: {verdict:?}");
            assert_eq!(verdict.runs[0].cause(), Some(cause), "{row}");
            assert_eq!(text(&call), "hello", "{row}");
        }
    }
}

/// The default limits are enough for a language runtime, its start included.
#[tokio::test]
async fn the_default_limits_do() {
    for speech in Speech::ALL {
        let toml = format!(
            "[engine]\ncompile-ms = 600000\n[defaults.limits]\nwall-ms = 20000\ndeadline-ms = 2000\n{}",
            hook("probe", "", "pre-turn = \"append !\"")
        );
        let session = speech.load(&toml).session(SessionOptions::new("test"));
        for call in ["first", "warm"] {
            let mut said = portcullis_tests::turn("hello");
            said.context = context();
            let verdict = session.run(&mut said).await;
            let run = &verdict.runs[0];
            assert_eq!(text(&said), "hello!", "{speech}: {verdict:?}");
            // A tenth of the permitted fuel: 50,000,000.
            let fuel = run.fuel.unwrap_or(u64::MAX);
            assert!(fuel < 5_000_000, "{speech}, {call}: {fuel} fuel");
            eprintln!("{speech}, {call} call: {fuel} fuel, {:?}", run.latency);
        }
    }
}
