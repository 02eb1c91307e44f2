//! The labelled lines of a guard.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use crate::{Error, Result};

/// A line: an input, and whether the guard must catch it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The calls before it, in order, whose outcomes do not count. Members that a call omits are as
    /// in `input`.
    #[serde(default)]
    pub before: Vec<BTreeMap<String, Value>>,
    /// A text, or an object with the members that `call.toml` names.
    pub input: Value,
    /// Whether the guard must catch it.
    pub catch: bool,
    /// The reason, in a few words.
    pub why: String,
}

impl Line {
    /// Returns the input of a call, counted from 0: the calls before the last one first.
    pub fn input(&self, call: usize) -> Value {
        let mut input = self.input.clone();
        if let (Some(members), Some(before)) = (input.as_object_mut(), self.before.get(call)) {
            members.extend(before.clone());
        }
        input
    }
}

/// A guard's state after the calls of a line so far, in the form of a case.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    /// The guard's own state, by session.
    own: BTreeMap<String, Value>,
    shared: Option<Value>,
}

impl Memory {
    /// Stores the state after a call of a session.
    pub fn keep(&mut self, session: String, own: Option<Value>, shared: Option<Value>) {
        match own {
            Some(own) => self.own.insert(session, own),
            None => self.own.remove(&session),
        };
        self.shared = shared;
    }
}

/// A call, in the form of a case.
#[derive(Debug)]
pub struct Call {
    case: toml::Table,
    /// The call's session.
    pub session: String,
}

/// Reads the lines of a half.
pub fn lines(dir: &Path, half: &str) -> Result<Vec<Line>> {
    let path = dir.join("labelled").join(format!("{half}.jsonl"));
    let text = fs::read_to_string(&path).map_err(|cause| Error::file("read", &path, &cause))?;
    let lines = text.lines().enumerate().map(|(at, line)| {
        let wrong = |cause: String| {
            let place = format!("{}:{}", path.display(), at + 1);
            Error::new(format!("{place}: {cause}"))
        };
        let line: Line = serde_json::from_str(line).map_err(|cause| wrong(cause.to_string()))?;
        match line.before.is_empty() || line.input.is_object() {
            true => Ok(line),
            false => Err(wrong(
                "`before` needs an `input` that is an object".to_owned(),
            )),
        }
    });
    lines.collect()
}

/// The call into which a line's input is put.
pub struct Template(toml::Value);

impl Template {
    /// Reads the guard's `labelled/call.toml`.
    pub fn read(dir: &Path) -> Result<Self> {
        let path = dir.join("labelled/call.toml");
        let text = fs::read_to_string(&path).map_err(|cause| Error::file("read", &path, &cause))?;
        let template = toml::from_str(&text)
            .map_err(|cause| Error::new(format!("{}: {cause}", path.display())))?;
        Ok(Self(template))
    }

    /// Returns the call with an input, after the calls whose state is in `memory`.
    pub fn call(&self, input: &Value, memory: &Memory) -> Result<Call> {
        let toml::Value::Table(mut case) = put(&self.0, input)? else {
            return Err(Error::new(format!("{input}: the call is not a table")));
        };
        let context = case.get("context").and_then(|it| it.get("session-id"));
        let session = context.and_then(toml::Value::as_str).unwrap_or("test");
        let session = session.to_owned();
        // JSON has no times.
        if let Some(text) = case.get("now").and_then(toml::Value::as_str) {
            let now: toml::value::Datetime = text
                .parse()
                .map_err(|cause| Error::new(format!("{input}: `now`: {cause}")))?;
            case.insert("now".to_owned(), now.into());
        }
        let own = memory.own.get(&session).map(|own| ("state", own));
        let shared = memory.shared.as_ref().map(|shared| ("shared", shared));
        for (key, remembered) in own.into_iter().chain(shared) {
            case.insert(key.to_owned(), written(remembered, input)?);
        }
        Ok(Call { case, session })
    }
}

impl Call {
    /// Returns the text of a case without an expectation, so that every result is reported.
    pub fn open(&self) -> Result<String> {
        text(&self.case)
    }

    /// Returns the text of a case that expects the guard to do nothing, so that it runs without
    /// further expectations.
    pub fn closed(mut self) -> Result<String> {
        let expect = [("outcome".to_owned(), toml::Value::from("continue"))];
        let expect = toml::Value::Table(expect.into_iter().collect());
        self.case.insert("expect".to_owned(), expect);
        text(&self.case)
    }
}

fn text(case: &toml::Table) -> Result<String> {
    toml::to_string(case).map_err(|cause| Error::new(format!("{case}: {cause}")))
}

fn written(value: &Value, input: &Value) -> Result<toml::Value> {
    toml::Value::try_from(value).map_err(|cause| Error::new(format!("{input}: {cause}")))
}

/// Returns the template with the input in place of `"$input"`, and its members in place of
/// `"$NAME"`.
fn put(template: &toml::Value, input: &Value) -> Result<toml::Value> {
    Ok(match template {
        toml::Value::String(text) => match text.strip_prefix('$') {
            Some("input") => written(input, input)?,
            Some(name) => match input.get(name) {
                Some(member) => written(member, input)?,
                None => return Err(Error::new(format!("{input} has no `{name}`"))),
            },
            None => template.clone(),
        },
        toml::Value::Array(values) => {
            let values: Result<Vec<_>> = values.iter().map(|value| put(value, input)).collect();
            values?.into()
        }
        toml::Value::Table(members) => {
            let put = |(name, value): (&String, _)| Ok((name.clone(), put(value, input)?));
            toml::Value::Table(members.iter().map(put).collect::<Result<_>>()?)
        }
        other => other.clone(),
    })
}
