//! Every documented event of each dialect: a recorded sample, the outcomes of a hook, and the expected answer.
//!
//! The files in `samples` have the event and the cases. `says` has outcomes in the contract's JSON form by point,
//! and `{"fail": "…"}` for a hook that fails; points that it does not name continue. `after` is an event before this one.

mod cases;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::Context as _;
use parking_lot::Mutex;
use portcullis_bridge::{Bridge, BridgeError, CallReply, CallRequest};
use portcullis_dialects::{
    Answer, Caller, Dialect, Event, Output, Progress, answer, failure, refused_until_decided,
    starts, unread,
};
use serde_json::{Value, json};

use crate::cases::{Case, Sample, bridge, samples};

fn written(answer: &Answer) -> Value {
    let mut written = json!({"code": answer.code});
    match &answer.output {
        Output::None => {}
        Output::Json(value) => written["json"] = value.clone(),
        Output::Text(text) => written["text"] = text.as_str().into(),
    }
    if !answer.error.is_empty() {
        written["error"] = answer.error.as_str().into();
    }
    written
}

async fn answered(dialect: Dialect, sample: &Sample, case: &Case) -> anyhow::Result<Value> {
    let bridge = bridge(&case.says)?;
    let mut progress = Progress::default();
    let mut last = None;
    for event in sample.events(case) {
        let event = Event::read(dialect, event.to_string().as_bytes())?;
        last = Some(answer(&event, &mut progress, &bridge).await);
    }
    last.as_ref()
        .map(written)
        .context("the sample was not answered")
}

#[tokio::test]
async fn every_documented_event_is_answered_as_expected() -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for dialect in Dialect::ALL {
        for info in dialect.events() {
            let sample = Sample::read(dialect, info.name)?;
            assert_eq!(sample.event["hook_event_name"], info.name);
            assert!(!sample.cases.is_empty(), "{dialect} {}", info.name);
            for (at, case) in sample.cases.iter().enumerate() {
                let answer = answered(dialect, &sample, case).await;
                let answer =
                    answer.with_context(|| format!("{dialect} {}, case {at}", info.name))?;
                if answer != case.answer {
                    wrong.push(format!("{dialect} {} {at} {answer}", info.name));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "other answers than expected:\n{}",
        wrong.join("\n")
    );
    Ok(())
}

#[test]
fn every_sample_is_of_a_documented_event() {
    for dialect in Dialect::ALL {
        let names = dialect
            .events()
            .iter()
            .map(|info| format!("{}.json", info.name));
        let names: BTreeSet<String> = names.collect();
        let files = fs::read_dir(samples(dialect)).expect("the samples");
        let files = files.map(|entry| entry.expect("a sample").file_name());
        let files: BTreeSet<String> = files.filter_map(|name| name.into_string().ok()).collect();
        assert_eq!(files, names);
    }
}

/// A host that fails at every call.
struct Fails;

impl Caller for Fails {
    type Error = std::io::Error;

    async fn call(&self, _: CallRequest) -> Result<CallReply, std::io::Error> {
        Err(std::io::Error::other("no disk"))
    }
}

#[tokio::test]
async fn what_was_started_without_a_decision_is_refused() -> anyhow::Result<()> {
    let decides = bridge(&BTreeMap::new())?;
    for (dialect, start, tool) in [
        (Dialect::Claude, "SessionStart", "PreToolUse"),
        (Dialect::Codex, "SessionStart", "PreToolUse"),
        (Dialect::Gemini, "SessionStart", "BeforeTool"),
        (Dialect::Claude, "SubagentStart", "PreToolUse"),
        (Dialect::Codex, "SubagentStart", "PreToolUse"),
    ] {
        let start = Sample::read(dialect, start)?.event;
        let mut tool = Sample::read(dialect, tool)?.event;
        tool["agent_id"] = start["agent_id"].clone();
        let read = |event: &Value| Event::read(dialect, event.to_string().as_bytes());
        let (start, tool) = (read(&start)?, read(&tool)?);
        let mut progress = Progress::default();
        assert!(starts(&start) && !starts(&tool), "{dialect}");
        answer(&start, &mut progress, &Fails).await;
        let refused = written(&answer(&tool, &mut progress, &decides).await).to_string();
        assert!(
            refused.contains("refused at its start"),
            "{dialect}: {refused}"
        );
        assert!(refused.contains("no disk"), "{dialect}: {refused}");
        answer(&start, &mut progress, &decides).await;
        let passed = answer(&tool, &mut progress, &decides).await;
        assert_eq!(passed, Answer::nothing(), "{dialect}");
        // The next process has not loaded the hooks yet.
        let memo = refused_until_decided(&start, progress.to_json());
        let mut progress = Progress::read(memo)?;
        let refused = written(&answer(&tool, &mut progress, &decides).await).to_string();
        assert!(
            refused.contains("refused at its start") && refused.contains("portcullis hooks check"),
            "{dialect}: {refused}"
        );
        answer(&start, &mut progress, &decides).await;
        let passed = answer(&tool, &mut progress, &decides).await;
        assert_eq!(passed, Answer::nothing(), "{dialect}");
    }
    Ok(())
}

/// Returns whether an agent takes the answer as a block, or ends its loop if the event has no
/// block.
fn blocks(answer: &Answer) -> bool {
    let json = match &answer.output {
        Output::Json(value) => value.clone(),
        _ => Value::Null,
    };
    let specific = &json["hookSpecificOutput"];
    answer.code == 2 && !answer.error.is_empty()
        || json["continue"] == false
        || specific["decision"]["behavior"] == "deny"
        || !specific["updatedToolOutput"].is_null()
        || !specific["displayContent"].is_null()
}

/// The events that cannot be blocked: the answer only informs the user.
const ADVISORY: &[(Dialect, &str)] = &[
    (Dialect::Codex, "SessionEnd"),
    (Dialect::Codex, "Interrupt"),
    (Dialect::Gemini, "SessionStart"),
    (Dialect::Gemini, "SessionEnd"),
    (Dialect::Gemini, "PreCompress"),
    (Dialect::Gemini, "BeforeToolSelection"),
    (Dialect::Gemini, "Notification"),
];

#[test]
fn a_failure_of_the_host_blocks_what_can_be_blocked() {
    for dialect in Dialect::ALL {
        for info in dialect.events() {
            let sample = Sample::read(dialect, info.name).expect("a sample");
            let event = sample.event.to_string();
            let event = Event::read(dialect, event.as_bytes()).expect("an event");
            let answer = failure(dialect, Some(&event), "no \u{1b}disk");
            let text = written(&answer).to_string();
            assert!(text.contains("no \\\\u{1b}disk"), "{text}");
            assert_eq!(
                blocks(&answer),
                !ADVISORY.contains(&(dialect, info.name)),
                "{dialect} {}: {answer:?}",
                info.name
            );
        }
        assert_eq!(failure(dialect, None, "x").code, 2);
    }
}

#[test]
fn an_event_of_another_dialect_is_refused() {
    let read = |dialect, name: &str| {
        let event = json!({"session_id": "s", "hook_event_name": name});
        Event::read(dialect, event.to_string().as_bytes())
    };
    for dialect in Dialect::ALL {
        let known = |name: &str| dialect.events().iter().any(|info| info.name == name);
        for other in Dialect::ALL {
            for info in other.events().iter().filter(|info| !known(info.name)) {
                // An event without a point runs no guard in any dialect.
                let refused = !info.points().is_empty();
                let event = read(dialect, info.name);
                assert_eq!(event.is_err(), refused, "{dialect} {}", info.name);
            }
        }
        assert!(read(dialect, "Brandnew").is_ok());
    }
    let error = read(Dialect::Claude, "BeforeTool").expect_err("it is of Gemini CLI");
    assert_eq!(
        error.to_string(),
        "the event BeforeTool is one of Gemini CLI, not of Claude Code; is `--dialect` that of the agent?"
    );
}

/// The exit code does not withhold output from Claude Code, and would let its turn continue.
#[test]
fn an_event_that_cannot_be_read_is_blocked_by_its_name() {
    let cut = |name: &str| format!(r#"{{"hook_event_name":"{name}","tool_response":"cut"#);
    for dialect in Dialect::ALL {
        for info in dialect.events() {
            let answer = unread(dialect, cut(info.name).as_bytes(), "x");
            assert_eq!(
                blocks(&answer),
                !ADVISORY.contains(&(dialect, info.name)),
                "{dialect} {}: {answer:?}",
                info.name
            );
        }
        let unknown = cut("Brandnew");
        for text in ["{", r#"{"x":{"hook_event_name":"Stop"}"#, unknown.as_str()] {
            assert_eq!(unread(dialect, text.as_bytes(), "x").code, 2, "{text}");
        }
    }
    for (dialect, names) in [
        (
            Dialect::Claude,
            &[
                "PostToolUse",
                "PostToolUseFailure",
                "PostToolBatch",
                "Stop",
                "SubagentStop",
            ][..],
        ),
        (Dialect::Codex, &["Stop", "SubagentStop"]),
        (Dialect::Gemini, &["AfterAgent"]),
    ] {
        for name in names {
            let answer = written(&unread(dialect, cut(name).as_bytes(), "x"));
            assert_eq!(answer["code"], 0, "{dialect} {name}: {answer}");
            assert_eq!(
                answer["json"]["continue"], false,
                "{dialect} {name}: {answer}"
            );
        }
    }
}

/// A host that keeps the requests, and passes everything on.
struct Records {
    bridge: Bridge,
    requests: Mutex<Vec<CallRequest>>,
}

impl Caller for Records {
    type Error = BridgeError;

    async fn call(&self, request: CallRequest) -> Result<CallReply, BridgeError> {
        self.requests.lock().push(request.clone());
        Caller::call(&self.bridge, request).await
    }
}

#[tokio::test]
async fn hooks_at_the_end_of_a_turn_see_its_answer() -> anyhow::Result<()> {
    for (dialect, stop) in [
        (Dialect::Claude, "Stop"),
        (Dialect::Codex, "Stop"),
        (Dialect::Gemini, "AfterAgent"),
    ] {
        let event = Sample::read(dialect, stop)?.event;
        let event = Event::read(dialect, event.to_string().as_bytes())?;
        let caller = Records {
            bridge: bridge(&BTreeMap::new())?,
            requests: Mutex::default(),
        };
        answer(&event, &mut Progress::default(), &caller).await;
        let requests = caller.requests.into_inner();
        let seen: Vec<(&str, &Value)> = requests
            .iter()
            .map(|request| (request.point.as_str(), &request.views["content"]))
            .collect();
        let said = json!([{"text": "All done."}]);
        assert_eq!(
            seen,
            [("turn-stopping", &said), ("post-turn", &said)],
            "{dialect}"
        );
    }
    Ok(())
}
