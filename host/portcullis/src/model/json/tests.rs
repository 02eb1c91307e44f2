use serde_json::{Value, json};

use super::*;
use crate::contract::{
    AskRequest, ContentPart, Context, FailurePolicy, Image, ImageSource, Message, Rejection, Role,
    StopReason, ToolCall, ToolResult, Usage,
};
use crate::model::points::{
    for_each_point, llm_error, post_compaction, post_llm_call, post_tool_call, post_turn,
    pre_compaction, pre_llm_call, pre_tool_call, pre_turn, session_start,
};

fn rejection(details: Option<&str>) -> Rejection {
    Rejection {
        code: "Not-Now".into(),
        reason: "Continue, call_id, \u{1b}[31m \"quoted\" ünïcode".into(),
        details: details.map(str::to_owned),
    }
}

fn usage() -> Usage {
    Usage {
        input_tokens: u64::MAX,
        output_tokens: 0,
        cache_read_tokens: 1,
        cache_write_tokens: 2,
    }
}

fn parts() -> Vec<ContentPart> {
    vec![
        ContentPart::Text("Continue".into()),
        ContentPart::Thinking("{\"call_id\": 1}".into()),
        ContentPart::Image(Image {
            media_type: "image/png".into(),
            source: ImageSource::Bytes(vec![0, 127, 255]),
        }),
        ContentPart::Image(Image {
            media_type: String::new(),
            source: ImageSource::Url("https://example.test/a.png".into()),
        }),
        ContentPart::ToolCall(ToolCall {
            id: "1".into(),
            name: "read_file".into(),
            arguments: "{}".into(),
        }),
        ContentPart::ToolResult(ToolResult {
            call_id: "1".into(),
            name: "read_file".into(),
            content: "Reject".into(),
            is_error: true,
        }),
    ]
}

fn round_trips<T>(values: &[T])
where
    T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    for value in values {
        let written = to_json(value).unwrap();
        // Through text too, as a script would read and write it.
        let read: Value = serde_json::from_str(&written.to_string()).unwrap();
        assert_eq!(from_json::<T>(read).as_ref(), Ok(value), "{written}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    let edit = pre_llm_call::LlmCallEdit {
        model: Some("small".into()),
        temperature: Some(0.1 + 0.2),
        max_output_tokens: None,
        tools: Some(vec!["read_file".into()]),
        messages: vec![
            crate::contract::MessageEdit::Remove(0),
            crate::contract::MessageEdit::Set((
                u32::MAX,
                Message {
                    role: Role::Assistant,
                    content: parts(),
                },
            )),
        ],
    };
    round_trips(&[
        pre_llm_call::Outcome::Continue,
        pre_llm_call::Outcome::Transform(edit.clone()),
        pre_llm_call::Outcome::Replace(edit),
        pre_llm_call::Outcome::Reject(rejection(None)),
        pre_llm_call::Outcome::Answer(pre_llm_call::LlmResponse {
            content: parts(),
            stop: StopReason::Other("EndTurn".into()),
            usage: usage(),
        }),
    ]);
    round_trips(&[
        pre_tool_call::Outcome::Continue,
        pre_tool_call::Outcome::Transform("{\"call_id\":\"Continue\"}".into()),
        pre_tool_call::Outcome::Reject(rejection(Some("{}"))),
        pre_tool_call::Outcome::Ask(AskRequest {
            question: "Continue?".into(),
            details: None,
        }),
    ]);
    round_trips(&[
        pre_turn::Outcome::Transform(parts()),
        pre_turn::Outcome::Answer(Vec::new()),
    ]);
    round_trips(&[post_turn::Outcome::Replace(parts())]);
    round_trips(&[post_compaction::Outcome::Continue]);
    round_trips(&[post_tool_call::Outcome::Transform(
        post_tool_call::ToolOutput {
            content: "out".into(),
            is_error: false,
        },
    )]);
    round_trips(&[pre_compaction::Outcome::Transform(
        pre_compaction::CompactionHint {
            keep: vec![0, 7],
            instructions: None,
        },
    )]);
    round_trips(&[
        llm_error::Outcome::Replace(llm_error::RetryDecision::GiveUp),
        llm_error::Outcome::Replace(llm_error::RetryDecision::Retry(20)),
    ]);
    round_trips(&[post_llm_call::LlmResult {
        provider: "a".into(),
        model: "b".into(),
        attempt: 1,
        stop: StopReason::MaxTokens,
        usage: usage(),
        text_bytes: 3,
        tool_calls: vec!["ToolUse".into()],
        elapsed_us: 4,
    }]);
    round_trips(&[session_start::SessionInfo {
        provider: "a".into(),
        model: "Continue".into(),
        tools: 3,
    }]);
    round_trips(&[FailurePolicy::FailOpen, FailurePolicy::FailClosed]);
    round_trips(&[Context {
        session_id: "s".into(),
        agent: "a".into(),
        turn: 1,
        step: 0,
    }]);
}

#[test]
fn names_are_those_of_wit_and_texts_are_left_alone() {
    let message = Message {
        role: Role::Tool,
        content: parts(),
    };
    let written = to_json(&message).unwrap();
    assert_eq!(
        written,
        json!({"role": "tool", "content": [
            {"text": "Continue"},
            {"thinking": "{\"call_id\": 1}"},
            {"image": {"media-type": "image/png", "source": {"bytes": [0, 127, 255]}}},
            {"image": {"media-type": "", "source": {"url": "https://example.test/a.png"}}},
            {"tool-call": {"id": "1", "name": "read_file", "arguments": "{}"}},
            {"tool-result": {
                "call-id": "1", "name": "read_file", "content": "Reject", "is-error": true
            }},
        ]})
    );
    assert_eq!(
        to_json(&StopReason::EndTurn).unwrap(),
        json!("end-turn"),
        "a case without a value"
    );
    assert_eq!(
        to_json(&FailurePolicy::FailOpen).unwrap(),
        json!("fail-open")
    );
    let map = std::collections::BTreeMap::from([("call_id", 1)]);
    assert_eq!(
        to_json(&map).unwrap(),
        json!({"call_id": 1}),
        "a user's key"
    );
}

#[test]
fn every_point_has_a_json_form() {
    fn has<P: JsonPoint>() {}
    macro_rules! check {
        ($($point:ident, $module:ident, $name:literal;)*) => { $(has::<crate::model::points::$point>();)* };
    }
    for_each_point!(check);
}

/// Every name in `wit/` survives its conversion to Rust and back.
#[test]
fn every_name_in_wit_comes_back() {
    let wit = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("wit");
    let mut names = std::collections::BTreeSet::new();
    for file in std::fs::read_dir(wit).unwrap() {
        let path = file.unwrap().path();
        if path.is_dir() {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        let code = text.lines().filter(|line| !line.trim().starts_with("//"));
        for word in code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '-')) {
            if word.starts_with(|c: char| c.is_ascii_lowercase()) {
                names.insert(word.to_owned());
            }
        }
    }
    assert!(names.contains("call-id") && names.len() > 100, "{names:?}");
    for name in names {
        let snake = name.replace('-', "_");
        let camel: String = name
            .split('-')
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect();
        for rust in [snake, camel] {
            assert_eq!(
                crate::contract::json::name::Wit(rust.leak()).to_string(),
                name
            );
        }
    }
    assert_eq!(
        crate::contract::json::name::Wit("type_").to_string(),
        "type"
    );
}

#[test]
fn options_may_be_left_out_or_null() {
    let want = Ok(pre_tool_call::Outcome::Reject(Rejection {
        code: "c".into(),
        reason: "r".into(),
        details: None,
    }));
    for written in [
        json!({"reject": {"code": "c", "reason": "r"}}),
        json!({"reject": {"code": "c", "reason": "r", "details": null}}),
    ] {
        assert_eq!(from_json(written), want);
    }
}

#[test]
fn a_mistake_is_named_with_its_place_and_its_fix() {
    fn error<T: DeserializeOwned + std::fmt::Debug>(value: Value) -> String {
        from_json::<T>(value).unwrap_err().to_string()
    }
    type Tool = pre_tool_call::Outcome;
    type Llm = pre_llm_call::Outcome;
    let edit = |edit: Value| error::<Llm>(json!({"transform": {"messages": [edit]}}));
    for (said, want) in [
        (
            error::<Tool>(json!("Continue")),
            "there is no such variant here; did you mean `continue`?",
        ),
        (
            error::<Tool>(json!("go")),
            "there is no such variant here; there are: `continue`, `transform`, `reject`, `replace`, \
             `answer`, `ask`",
        ),
        (
            error::<Tool>(json!({"rejct": {}})),
            "there is no such variant here; did you mean `reject`?",
        ),
        (
            error::<Tool>(json!("reject")),
            "the variant `reject` carries a value: write {\"reject\": …}",
        ),
        (
            error::<Tool>(json!({"continue": null})),
            "the variant `continue` carries no value: write \"continue\"",
        ),
        (
            error::<Tool>(json!({"continue": 1, "reject": 2})),
            "expected an object with one key, which names the variant; found 2 keys",
        ),
        (
            error::<Tool>(json!({})),
            "expected one of the variants `continue`, `transform`, `reject`, `replace`, `answer`, \
             `ask`; found an empty object",
        ),
        (
            error::<post_compaction::Outcome>(json!(null)),
            "expected one of the variants `continue`; found null",
        ),
        (
            error::<Tool>(json!({"reject": {"code": 7, "reason": "r"}})),
            "at `/reject/code`: expected a string, found a number",
        ),
        (
            error::<Tool>(json!({"reject": {"code": "c"}})),
            "at `/reject`: the key `reason` is missing",
        ),
        (
            error::<Tool>(json!({"reject": "no"})),
            "at `/reject`: expected an object with the keys `code`, `reason`, `details`, found \
             a string",
        ),
        (
            error::<Tool>(json!({"reject": {"code": "c", "reason": "r", "x\u{1b}": 1}})),
            "at `/reject`: there is no such key here; there are: `code`, `reason`, `details`",
        ),
        (
            error::<Llm>(json!({"transform": {"messages": {}}})),
            "at `/transform/messages`: expected an array, found an object",
        ),
        (
            edit(json!({"remove": -1})),
            "at `/transform/messages/0/remove`: expected a whole number from 0 to 4294967295, \
             found another number",
        ),
        (
            edit(json!({"remove": 1.5})),
            "at `/transform/messages/0/remove`: expected a whole number from 0 to 4294967295, \
             found another number",
        ),
        (
            edit(json!({"set": [1]})),
            "at `/transform/messages/0/set`: expected an array of 2, found one of 1",
        ),
        (
            edit(json!({"set": [1, {"role": "usr", "content": []}]})),
            "at `/transform/messages/0/set/1/role`: there is no such variant here; did you \
             mean `user`?",
        ),
        (
            error::<pre_turn::Outcome>(json!({"answer": [{"image": {
                "media-type": "image/png", "source": {"bytes": [256]}
            }}]})),
            "at `/answer/0/image/source/bytes/0`: expected a whole number from 0 to 255, found another \
             number",
        ),
        (
            error::<std::collections::BTreeMap<String, u8>>(json!({"a/b~": "x"})),
            "at `/a~1b~0`: expected a whole number from 0 to 255, found a string",
        ),
    ] {
        assert_eq!(said, want);
    }
}

#[test]
fn an_error_quotes_no_value() {
    fn error<T: DeserializeOwned + std::fmt::Debug>(value: Value) -> String {
        from_json::<T>(value).unwrap_err().to_string()
    }
    type Output = post_tool_call::Outcome;
    let iban = "DE44500105175407324";
    for said in [
        error::<Output>(json!({"transform": iban})),
        error::<Output>(json!({"transform": {"content": [iban], "is-error": false}})),
        error::<Output>(json!({"transform": {"content": "", "is-error": iban}})),
        error::<Output>(json!({"transform": {"content": "", iban: false}})),
        error::<Output>(json!(iban)),
        error::<Output>(json!({iban: "continue"})),
        // It resembles a variant, so that variant is named.
        error::<Output>(json!({format!("transform {iban}"): {}})),
        error::<pre_llm_call::Outcome>(json!({"transform": {"max-output-tokens": iban}})),
        // Errors of serde's own deserializers.
        error::<Shared>(json!(iban)),
        error::<Shared>(json!({iban: 1})),
        error::<char>(json!(iban)),
    ] {
        assert!(!said.contains("DE44"), "{said}");
    }
    let pin = error::<post_tool_call::Outcome>(json!({"transform": 4711}));
    assert!(pin.ends_with("found a number"), "{pin}");
}

/// A type that serde reads by its own means, and not through the contract's names.
#[derive(Debug, serde::Deserialize)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its errors are read")]
enum Shared {
    Number(u8),
    List(Vec<u8>),
}

#[test]
fn an_unknown_key_is_kept_beside_the_text() {
    type Tool = pre_tool_call::Outcome;
    let reject = json!({"reject": {"code": "c", "reason": "r", "x\u{1b}": 1}});
    let error = from_json::<Tool>(reject).unwrap_err();
    assert_eq!(error.path, "/reject");
    assert_eq!(error.unknown.as_deref(), Some("x\\u{1b}"));
    let error = from_json::<Tool>(json!({"rejct": {}})).unwrap_err();
    assert_eq!(
        (error.path.as_str(), error.unknown.as_deref()),
        ("", Some("rejct"))
    );
}

#[test]
fn what_json_cannot_say_is_an_error() {
    let edit = pre_llm_call::LlmCallEdit {
        model: None,
        temperature: Some(f64::NAN),
        max_output_tokens: None,
        tools: None,
        messages: Vec::new(),
    };
    let error = to_json(&pre_llm_call::Outcome::Transform(edit)).unwrap_err();
    assert_eq!(error.path, "/transform/temperature");
    assert_eq!(error.problem, "JSON has no number NaN");
}
