use serde_json::json;

use crate::prelude::*;
use crate::testing::Host;

/// The outcome of a handler that only answers.
macro_rules! outcome {
    ($point:ident, |$call:ident| $answer:expr) => {{
        fn handler($call: &$point::Call) -> HookResult<$point::Verdict> {
            Ok($answer)
        }
        Host::new()
            .call(handler, Default::default())
            .expect("it cannot fail")
    }};
}

#[test]
fn continuing_is_no_answer() {
    assert_eq!(
        outcome!(pre_turn, |call| call.proceed()),
        pre_turn::Outcome::Continue
    );
}

#[test]
fn a_refusal_takes_two_words_or_three() {
    use pre_turn::Outcome::Reject;
    let (code, reason) = ("over-budget".to_owned(), "The budget is spent.".to_owned());
    assert_eq!(
        outcome!(pre_turn, |call| call
            .reject("over-budget", "The budget is spent.")),
        Reject {
            code: code.clone(),
            reason: reason.clone(),
            details: None
        }
    );
    assert_eq!(
        outcome!(pre_turn, |call| call.reject_with(
            String::from("over-budget"),
            "The budget is spent.",
            "{}"
        )),
        Reject {
            code,
            reason,
            details: Some("{}".into())
        }
    );
}

#[test]
fn a_text_is_content() {
    let content = vec![ContentPart::text("Hello")];
    assert_eq!(
        outcome!(pre_turn, |call| call.transform_text("Hello")),
        pre_turn::Outcome::Transform(content.clone())
    );
    assert_eq!(
        outcome!(pre_turn, |call| call.answer([ContentPart::text("Hello")])),
        pre_turn::Outcome::Answer(content.clone())
    );
    assert_eq!(
        outcome!(turn_error, |call| call.replace_text("Hello")),
        turn_error::Outcome::Replace(content)
    );
    assert_eq!(
        outcome!(pre_tool_call, |call| call.answer_text("Hello")),
        pre_tool_call::Outcome::Answer {
            content: "Hello".into(),
            is_error: false
        }
    );
}

#[test]
fn arguments_are_written_as_json() {
    assert_eq!(
        outcome!(pre_tool_call, |call| call
            .transform_arguments(&json!({"path": 1}))?),
        pre_tool_call::Outcome::Transform(r#"{"path":1}"#.into()),
    );
}

#[test]
fn a_turn_is_stopped_with_a_code() {
    assert_eq!(
        outcome!(post_step, |call| call.stop("spent", "The budget is spent.")),
        post_step::Outcome::Stop {
            kind: StopKind::Other("spent".into()),
            message: "The budget is spent.".into()
        }
    );
}

#[test]
fn contributions_come_together() {
    fn handler(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        call.add_note("kept", "1");
        call.add_job_json("sweep", &[1, 2])?;
        Ok(call.proceed())
    }
    use post_turn::Contribution::{Job, Note};
    let outcome = Host::new()
        .call(handler, Default::default())
        .expect("two additions");
    let expected = [
        Note {
            code: "kept".into(),
            data: "1".into(),
        },
        Job {
            name: "sweep".into(),
            input: "[1,2]".into(),
        },
    ];
    assert_eq!(outcome, post_turn::Outcome::Contribute(expected.into()));
}

#[test]
fn an_outcome_can_be_given() {
    let all = [
        post_turn::Outcome::Continue,
        post_turn::Outcome::Transform(Vec::new()),
        post_turn::Outcome::Reject {
            code: "a".into(),
            reason: "b".into(),
            details: None,
        },
        post_turn::Outcome::Contribute(vec![post_turn::Contribution::Note {
            code: "a".into(),
            data: "1".into(),
        }]),
    ];
    for outcome in all {
        thread_local! {
            static OUTCOME: std::cell::RefCell<Option<post_turn::Outcome>> = Default::default();
        }
        OUTCOME.set(Some(outcome.clone()));
        let given = Host::new().call(
            |call: &post_turn::Call| Ok(call.give(OUTCOME.take().expect("an outcome"))),
            Default::default(),
        );
        assert_eq!(given, Ok(outcome));
    }
}

#[test]
fn facts_are_read_one_by_one_or_together() {
    fn handler(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        assert_eq!(call.name(), "shell");
        assert_eq!(call.facts().arguments_bytes, 7);
        assert_eq!(call.context().turn, context::turn());
        Ok(call.proceed())
    }
    let facts = pre_tool_call::Facts {
        name: "shell".into(),
        arguments_bytes: 7,
        ..Default::default()
    };
    assert!(Host::new().call(handler, facts).is_ok());
}

#[cfg(feature = "serde")]
#[test]
fn an_outcome_has_a_json_form() {
    use serde::{Serialize, de::DeserializeOwned};

    fn same<T: Serialize + DeserializeOwned>(json: serde_json::Value) {
        let value: T = serde_json::from_value(json.clone()).expect("the contract's form");
        assert_eq!(serde_json::to_value(value).expect("JSON"), json);
    }
    same::<pre_turn::Outcome>(json!("continue"));
    same::<pre_turn::Outcome>(json!({"transform": [{"text": "Hello"}]}));
    same::<pre_turn::Outcome>(json!({"reject": {"code": "a", "reason": "b", "details": null}}));
    same::<pre_tool_call::Outcome>(json!({"answer": {"content": "a", "is-error": true}}));
    same::<llm_error::Outcome>(json!({"retry": 100}));
    same::<llm_error::Outcome>(json!("give-up"));
    same::<turn_stopping::Outcome>(json!({"keep-going": "More."}));
    same::<pre_step::Outcome>(json!({"stop": {"kind": "token-limit", "message": "a"}}));
    same::<pre_step::Outcome>(json!({"transform": [{"remove": 1}, {"insert": [0, {
        "role": "user", "content": [{"text": "Hello"}],
    }]}]}));
    same::<post_turn::Outcome>(json!({"contribute": [{"note": {"code": "a", "data": "1"}}]}));
    same::<post_step::Facts>(json!({
        "stop": "end-turn", "tool-calls": 1, "step-usage": usage(), "usage": usage(), "elapsed-us": 3,
    }));
}

#[cfg(feature = "serde")]
fn usage() -> serde_json::Value {
    json!({
        "input-tokens": 1, "output-tokens": 2, "cache-read-tokens": 0, "cache-write-tokens": 0,
    })
}
