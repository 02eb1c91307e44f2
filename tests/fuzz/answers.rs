//! The standard output of a script: the JSON form of outcomes, near misses, and other bytes.

use std::fs;
use std::time::Duration;

use arbitrary::Unstructured;
use portcullis::json::{from_json, to_json};
use portcullis::points::{Action, OutcomeKind, PointId};
use portcullis::script::{ScriptCommand, ScriptHook};
use portcullis::verdict::Cause;
use portcullis_tests::{AtPoint, Sample, at};
use serde_json::{Map, Value as Json, json};

use crate::contract::{Answer, Contract};
use crate::target::{Behaviour, Fault, Target};
use crate::value;

/// The number of inputs for each one that goes through a real process.
const PROCESSES: u64 = 50;

struct Answers {
    contract: Contract,
    dir: tempfile::TempDir,
    runtime: tokio::runtime::Runtime,
    inputs: u64,
}

pub fn target() -> anyhow::Result<Box<dyn Target>> {
    Ok(Box::new(Answers {
        contract: Contract::read()?,
        dir: tempfile::tempdir()?,
        runtime: tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?,
        inputs: 0,
    }))
}

impl Target for Answers {
    fn run(&mut self, input: &[u8]) -> Result<Behaviour, Fault> {
        let mut u = Unstructured::new(input);
        let point = *u.choose(PointId::ALL).map_err(|e| e.to_string())?;
        let text = self.text(point, &mut u).map_err(|e| e.to_string())?;
        let read = at(point, Read { text: &text })?;
        self.inputs += 1;
        if cfg!(unix) && self.inputs.is_multiple_of(PROCESSES) {
            let file = self.dir.path().join("answer");
            fs::write(&file, &text).map_err(|e| e.to_string())?;
            let mut command = ScriptCommand::new("cat");
            command.args = vec![file.to_string_lossy().into_owned()];
            command.timeout = Duration::from_secs(20);
            let read = read.as_ref().ok().copied();
            at(
                point,
                Run {
                    command,
                    runtime: &self.runtime,
                    read,
                },
            )?;
        }
        Ok(match read {
            Ok(kind) => format!("{point} {kind}"),
            Err(words) => format!("{point} {words}"),
        })
    }
}

impl Answers {
    /// Returns the script's output.
    fn text(&self, point: PointId, u: &mut Unstructured<'_>) -> arbitrary::Result<Vec<u8>> {
        let kind = u.int_in_range(0..=9)?;
        if kind == 0 {
            return Ok(u.bytes(u.len())?.to_vec());
        }
        let mut json = self.outcome(point, u)?;
        if kind < 4 {
            twist(&mut json, u)?;
        }
        let mut text = json.to_string().into_bytes();
        if kind < 6 {
            for _ in 0..u.int_in_range(1..=4)? {
                let at = u.choose_index(text.len().max(1))?;
                if let Some(byte) = text.get_mut(at) {
                    *byte = u.arbitrary()?;
                }
            }
        }
        Ok(text)
    }
}

impl Answers {
    /// Returns an outcome of the point in its JSON form.
    fn outcome(&self, point: PointId, u: &mut Unstructured<'_>) -> arbitrary::Result<Json> {
        let answers: Vec<&Answer> = self.contract.at(point).map(|(_, answer)| answer).collect();
        if answers.is_empty() || u.ratio(1, 16)? {
            return Ok(json!("continue"));
        }
        let first = *u.choose(&answers)?;
        if !first.adds() {
            let payload = self.payload(first, u)?;
            return Ok(match first.outcome() {
                outcome if outcome == first.name => json!({outcome: payload}),
                outcome if first.parameters.is_empty() => json!({outcome: first.name}),
                outcome => json!({outcome: {first.name.as_str(): payload}}),
            });
        }
        let kinds: Vec<&Answer> = answers.into_iter().filter(|answer| answer.adds()).collect();
        let mut list = Vec::new();
        for _ in 0..u.int_in_range(0..=4)? {
            let add = *u.choose(&kinds)?;
            let kind = add.name.trim_start_matches("add-");
            list.push(json!({kind: self.payload(add, u)?}));
        }
        Ok(json!({"contribute": list}))
    }

    /// Returns an answer's value: its one parameter, or a record of its parameters.
    fn payload(&self, answer: &Answer, u: &mut Unstructured<'_>) -> arbitrary::Result<Json> {
        let resolve = &self.contract.resolve;
        let mut fields = Map::new();
        for (name, ty) in &answer.parameters {
            let value = value::any(resolve, ty, u)?;
            fields.insert(name.clone(), value::json(resolve, ty, &value));
        }
        Ok(match answer.parameters.as_slice() {
            [(name, _)] => fields.remove(name).unwrap_or_default(),
            _ => Json::Object(fields),
        })
    }
}

/// Changes one value somewhere in a document.
fn twist(json: &mut Json, u: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let deeper = u.ratio(3, 4)?;
    match json {
        Json::Object(map) if deeper && !map.is_empty() => {
            let at = u.choose_index(map.len())?;
            let Some(key) = map.keys().nth(at).cloned() else {
                return Ok(());
            };
            if u.ratio(1, 4)? {
                let value = map.remove(&key).unwrap_or_default();
                map.insert(key.replace('-', "_") + "s", value);
                return Ok(());
            }
            match map.get_mut(&key) {
                Some(inner) => twist(inner, u),
                None => Ok(()),
            }
        }
        Json::Array(items) if deeper && !items.is_empty() => {
            let at = u.choose_index(items.len())?;
            twist(&mut items[at], u)
        }
        json => {
            let other = [
                Json::Null,
                Json::Bool(true),
                Json::from(-1),
                Json::from(1e300),
                Json::from(u64::MAX),
                Json::from("continue"),
                Json::from(vec![Json::Null; 3]),
                serde_json::json!({"reject": {"code": "a", "reason": "b"}, "continue": null}),
                serde_json::json!({"some": 1}),
            ];
            *json = u.choose(&other)?.clone();
            Ok(())
        }
    }
}

/// Reads an answer. Writing the result and reading it again must give the same result.
struct Read<'a> {
    text: &'a [u8],
}

impl AtPoint for Read<'_> {
    type Output = Result<Result<OutcomeKind, &'static str>, Fault>;

    fn at<P: Sample>(self) -> Self::Output {
        let Ok(json) = serde_json::from_slice::<Json>(self.text) else {
            return Ok(Err("no JSON"));
        };
        let outcome: P::Outcome = match from_json(json) {
            Ok(outcome) => outcome,
            Err(error) => {
                let error = error.to_string();
                return match error.starts_with("at `") || error.len() > 10 {
                    true => Ok(Err("no outcome")),
                    false => Err(format!("{}: an error that says little: {error}", P::ID)),
                };
            }
        };
        let action: Action<P> = outcome.clone().into();
        let kind = action.kind();
        let written = to_json(&outcome).map_err(|e| format!("{}: not written: {e}", P::ID))?;
        let again: P::Outcome =
            from_json(written.clone()).map_err(|e| format!("{}: {written}: {e}", P::ID))?;
        match to_json(&again) {
            Ok(twice) if twice == written => Ok(Ok(kind)),
            twice => Err(format!("{}: {written} became {twice:?}", P::ID)),
        }
    }
}

/// Runs a real process that writes the answer. The result must be the same as that of reading the
/// answer.
struct Run<'a> {
    command: ScriptCommand,
    runtime: &'a tokio::runtime::Runtime,
    read: Option<OutcomeKind>,
}

impl AtPoint for Run<'_> {
    type Output = Result<(), Fault>;

    fn at<P: Sample>(self) -> Self::Output {
        use portcullis::hooks::{Hook as _, Response};
        let script = ScriptHook::new("answers".into(), self.command);
        let call = P::sample();
        let reply: Response<'_, P> = script.call(&call);
        let answer = match reply {
            Response::Ready(answer) => answer,
            Response::Future(answer) => self.runtime.block_on(answer),
        };
        let became = match answer.action() {
            Ok(action) => Ok(action.kind()),
            Err(failure) => Err(failure.cause()),
        };
        match (self.read, &became) {
            (Some(kind), Ok(outcome)) if kind == *outcome => Ok(()),
            // Blank output is consent.
            (None, Ok(OutcomeKind::Continue)) => Ok(()),
            (None, Err(Cause::BadOutput)) | (_, Err(Cause::TooMuchOutput)) => Ok(()),
            (read, became) => Err(format!("{}: read as {read:?}, run as {became:?}", P::ID)),
        }
    }
}
