//! The actions of a hook under test, defined once for components, native hooks and scripts alike.

use serde::Serialize;
use serde_json::{Value, json};

/// An action at a point. The first action that fits a call applies. If none fits, the hook
/// continues.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    pub point: &'static str,
    /// The only turn in which it applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// The only step in which it applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// The text that the point's record must contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<&'static str>,
    /// The number or boolean that the point's record must contain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub holds: Option<(&'static str, Value)>,
    pub does: Does,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Does {
    /// Answers with an outcome in the contract's JSON form.
    Answer(Value),
    /// Reports a failure.
    Fail(&'static str),
    /// Exceeds its time limit.
    Hang,
    /// Adds the usage of a model call to the shared state of all hooks.
    Add,
    /// Replaces the turn's output with the shared state of all hooks.
    Tell,
}

/// Returns an action at a point with this outcome.
pub fn at(point: &'static str, outcome: Value) -> Answer {
    does(point, Does::Answer(outcome))
}

/// Returns an action at a point that is no outcome.
pub fn does(point: &'static str, does: Does) -> Answer {
    Answer {
        point,
        turn: None,
        step: None,
        when: None,
        holds: None,
        does,
    }
}

impl Answer {
    pub fn turn(mut self, turn: u32) -> Self {
        self.turn = Some(turn);
        self
    }

    pub fn step(mut self, step: u32) -> Self {
        self.step = Some(step);
        self
    }

    /// Restricts the action to records that contain this text.
    pub fn when(mut self, text: &'static str) -> Self {
        self.when = Some(text);
        self
    }

    /// Restricts the action to records in which this key has this value.
    pub fn holds(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.holds = Some((key, value.into()));
        self
    }

    /// Returns the JSON text that the record must contain.
    pub fn needle(&self) -> Option<String> {
        let (key, value) = self.holds.as_ref()?;
        Some(format!("\"{key}\":{value}"))
    }
}

/// Returns `reject` with this reason.
pub fn reject(reason: &str) -> Value {
    json!({ "reject": { "code": "no", "reason": reason } })
}

/// Returns `transform`, `replace` or `answer` with content of one text.
pub fn content(case: &str, text: &str) -> Value {
    json!({ case: [{ "text": text }] })
}

/// Returns a case that carries a bare text.
pub fn text(case: &str, text: &str) -> Value {
    json!({ case: text })
}

/// Returns `transform` or `replace` of a tool's output, or `answer` in place of a tool.
pub fn output(case: &str, content: &str) -> Value {
    json!({ case: { "content": content, "is-error": false } })
}

/// Returns `stop` with a kind and a message.
pub fn stop(kind: Value, message: &str) -> Value {
    json!({ "stop": { "kind": kind, "message": message } })
}

/// Returns `ask` with a question for a person.
pub fn ask(question: &str) -> Value {
    json!({ "ask": { "question": question } })
}

/// Returns `replace` with a retry decision.
pub fn retry(decision: Value) -> Value {
    json!({ "replace": decision })
}

/// Returns `contribute` with these contributions.
pub fn contribute(contributions: &[Value]) -> Value {
    json!({ "contribute": contributions })
}
