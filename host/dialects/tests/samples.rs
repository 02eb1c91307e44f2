//! Every documented event of each dialect: a recorded sample, what a hook says, and the expected answer.
//!
//! The files in `samples` have the event and the cases. `says` has outcomes in the contract's JSON form by point,
//! and `{"fail": "…"}` for a hook that fails; points that it does not name continue. `after` is an event before this one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use portcullis::contract::HookError;
use portcullis::json::{JsonPoint, from_json};
use portcullis::points::{PointId, PointVisitor};
use portcullis::prompt::KINDS;
use portcullis::{Hooks, NativeHook};
use portcullis_bridge::{Bridge, BridgeOptions};
use portcullis_dialects::{Answer, Dialect, Event, Output, Progress, answer, failure};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sample {
    event: Value,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(default)]
    says: BTreeMap<String, Value>,
    /// Another event of the session, which comes first.
    #[serde(default)]
    after: Option<Value>,
    /// Keys of the event that differ in this case.
    #[serde(default)]
    with: serde_json::Map<String, Value>,
    answer: Value,
}

fn samples(dialect: Dialect) -> PathBuf {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    dir.join(dialect.name())
}

/// A hook that says this at its points.
struct Says<'a>(&'a BTreeMap<String, Value>, NativeHook);

impl PointVisitor for Says<'_> {
    type Output = anyhow::Result<NativeHook>;

    fn visit<P: JsonPoint>(self) -> Self::Output {
        let Some(said) = self.0.get(P::ID.name()) else {
            return Ok(self.1);
        };
        if let Some(failure) = said.get("fail").and_then(Value::as_str) {
            let failure = failure.to_owned();
            return Ok(self
                .1
                .on::<P>(move |_| Err(HookError::Failed(failure.clone()).into())));
        }
        let outcome: P::Outcome = from_json(said.clone()).context(P::ID.name())?;
        Ok(self.1.on::<P>(move |_| Ok(outcome.clone())))
    }
}

fn bridge(says: &BTreeMap<String, Value>) -> anyhow::Result<Bridge> {
    for point in says.keys() {
        ensure!(
            PointId::from_name(point).is_some(),
            "there is no point `{point}`"
        );
    }
    let mut hook = NativeHook::new("hook").contributes(KINDS);
    for point in PointId::ALL {
        hook = point.visit(Says(says, hook))?;
    }
    let hooks = Hooks::none().with([hook])?;
    Ok(Bridge::new(hooks, BridgeOptions::default())?)
}

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

async fn answered(dialect: Dialect, sample: &Value, case: &Case) -> anyhow::Result<Value> {
    let mut event = sample.clone();
    for (key, value) in &case.with {
        event[key] = value.clone();
    }
    let bridge = bridge(&case.says)?;
    let mut progress = Progress::default();
    for event in case.after.iter().chain([&event]) {
        let event = Event::read(dialect, event.to_string().as_bytes())?;
        let answer = answer(&event, &mut progress, &bridge).await;
        if event.name() == sample["hook_event_name"] {
            return Ok(written(&answer));
        }
    }
    anyhow::bail!("the sample was not answered")
}

#[tokio::test]
async fn every_documented_event_is_answered_as_expected() -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    for dialect in Dialect::ALL {
        for info in dialect.events() {
            let path = samples(dialect).join(info.name).with_extension("json");
            let text = fs::read_to_string(&path).context(path.display().to_string())?;
            let sample: Sample = serde_json::from_str(&text).context(path.display().to_string())?;
            assert_eq!(sample.event["hook_event_name"], info.name);
            assert!(!sample.cases.is_empty(), "{}", path.display());
            for (at, case) in sample.cases.iter().enumerate() {
                let answer = answered(dialect, &sample.event, case).await;
                let answer = answer.with_context(|| format!("{}, case {at}", path.display()))?;
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

/// What an agent takes as a block, by event: where it takes none, the loop ends or the user is told.
#[test]
fn a_failure_of_the_host_blocks_what_can_be_blocked() {
    let blocks = |answer: &Answer| {
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
    };
    for dialect in Dialect::ALL {
        for info in dialect.events() {
            let path = samples(dialect).join(info.name).with_extension("json");
            let sample: Sample =
                serde_json::from_str(&fs::read_to_string(path).expect("a sample")).expect("JSON");
            let event = sample.event.to_string();
            let event = Event::read(dialect, event.as_bytes()).expect("an event");
            let answer = failure(dialect, Some(&event), "no \u{1b}disk");
            let advisory = [
                (Dialect::Codex, "SessionEnd"),
                (Dialect::Codex, "Interrupt"),
                (Dialect::Gemini, "SessionStart"),
                (Dialect::Gemini, "SessionEnd"),
                (Dialect::Gemini, "PreCompress"),
                (Dialect::Gemini, "BeforeToolSelection"),
                (Dialect::Gemini, "Notification"),
            ];
            let text = written(&answer).to_string();
            assert!(text.contains("no \\\\u{1b}disk"), "{text}");
            assert_eq!(
                blocks(&answer),
                !advisory.contains(&(dialect, info.name)),
                "{dialect} {}: {answer:?}",
                info.name
            );
        }
        assert_eq!(failure(dialect, None, "x").code, 2);
    }
}
