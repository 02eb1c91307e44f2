//! The example hooks in C work as documented.

use std::sync::Arc;

use portcullis::contract::{ContentPart, ExecutionPolicy};
use portcullis::points::{LlmDelta, llm_delta};
use portcullis::{Call, Decision, Session, SessionOptions, Views};
use portcullis_tests::{HooksDir, context, text, tool_call};

use super::hooks_dir;

fn dir(hook: &str, config: &str) -> HooksDir {
    hooks_dir().with(hook).settings(&format!(
        "[hooks.{hook}.grants]\nstate = true\n[hooks.{hook}.config]\n{config}\n"
    ))
}

fn session(hook: &str, config: &str) -> Session {
    let hooks = dir(hook, config).load();
    hooks.session(SessionOptions::new("test"))
}

fn piece(said: &str, kind: llm_delta::DeltaKind, last: bool) -> Call<LlmDelta> {
    let delta = llm_delta::Delta {
        kind,
        index: 0,
        bytes: said.len() as u32,
        last,
    };
    let views = Views {
        content: Arc::new(vec![ContentPart::Text(said.into())]),
        ..Views::default()
    };
    Call::new(context(), delta, views)
}

/// Returns the output for a response that arrives in these pieces.
async fn shown(session: &Session, pieces: &[&str]) -> String {
    let mut out = String::new();
    for (index, said) in pieces.iter().enumerate() {
        let last = index + 1 == pieces.len();
        let mut call = piece(said, llm_delta::DeltaKind::Text, last);
        let verdict = session.run(&mut call).await;
        assert!(matches!(verdict.decision, Decision::Passed), "{verdict:?}");
        out += &text(&call);
    }
    out
}

#[test]
fn the_descriptor_says_how_the_agent_waits_for_a_hook() {
    for (hook, execution) in [
        ("keyword-filter", ExecutionPolicy::Deadline),
        ("tool-limiter", ExecutionPolicy::Blocking),
    ] {
        let hooks = hooks_dir()
            .with(hook)
            .settings(&format!("[hooks.{hook}.grants]\nstate = true\n"))
            .load();
        assert_eq!(hooks.reports()[0].execution, execution, "{hook}");
    }
}

#[tokio::test]
async fn a_word_is_masked_wherever_the_pieces_end() {
    let whole = "Grüße: the password is HuNter2, hunters know. café xabcz abcd bc";
    let masked = "Gr*****: the ******** is *******, hunters know. caf** ****z **** bc";
    let config = "words = [\"hunter2\", \"password\", \"üße\", \"é\", \"word\", \"ab\", \"abc\", \"xab\", \"bcd\"]";
    let session = session("keyword-filter", config);
    let ends: Vec<usize> = whole.char_indices().map(|(at, _)| at).collect();
    for first in &ends {
        for second in ends.iter().filter(|second| *second >= first).step_by(5) {
            let pieces = [&whole[..*first], &whole[*first..*second], &whole[*second..]];
            let got = shown(&session, &pieces).await;
            // Each byte is masked by one, so that lengths stay.
            assert_eq!(got.len(), whole.len(), "{pieces:?}");
            assert_eq!(got, masked, "{pieces:?}");
        }
    }
}

#[tokio::test]
async fn text_and_thinking_do_not_mix() {
    let session = session("keyword-filter", "words = [\"ab\"]");
    for (kind, said, last, expected) in [
        (llm_delta::DeltaKind::Text, "xa", false, "x"),
        (llm_delta::DeltaKind::Thinking, "b", true, "b"),
        (llm_delta::DeltaKind::Text, "b", true, "**"),
    ] {
        let mut call = piece(said, kind, last);
        let _ = session.run(&mut call).await;
        assert_eq!(text(&call), expected, "{said}");
    }
}

#[test]
fn a_wrong_configuration_does_not_load() {
    for config in [
        "words = 5",
        "words = [1]",
        "words = []\nmask = \"too long\"",
    ] {
        let error = dir("keyword-filter", config).try_load().expect_err(config);
        assert!(error.to_string().contains("`config."), "{error}");
    }
}

#[tokio::test]
async fn the_next_call_uses_the_memory_of_a_call_again() {
    let config = "words = [\"hunter2\"]\n[hooks.keyword-filter.limits]\nmemory-bytes = 8_000_000";
    let session = session("keyword-filter", config);
    let said = "the password is hunter2, ".repeat(400);
    for _ in 0..1000 {
        let mut call = piece(&said, llm_delta::DeltaKind::Text, true);
        let verdict = session.run(&mut call).await;
        assert!(matches!(verdict.decision, Decision::Passed), "{verdict:?}");
    }
}

#[tokio::test]
async fn calls_are_limited_in_size_and_number() {
    let session = session("tool-limiter", "arguments-bytes = 20\ncalls-per-turn = 2");
    let mut codes = Vec::new();
    for (turn, arguments) in [
        (1, r#"{"path":"a"}"#),
        (1, r#"{"path":"far too long a path"}"#),
        (1, r#"{"path":"b"}"#),
        (1, r#"{"path":"c"}"#),
        (2, r#"{"path":"d"}"#),
    ] {
        let mut call = tool_call(arguments);
        call.context.turn = turn;
        codes.push(match session.run(&mut call).await.decision {
            Decision::Passed => "passed".to_owned(),
            Decision::Rejected { rejection, .. } => rejection.code,
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(
        codes,
        ["passed", "too-large", "passed", "too-many", "passed"]
    );
}
