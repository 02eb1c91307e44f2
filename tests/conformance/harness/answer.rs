//! What a hook under test does: said once, for components, native hooks and scripts alike.

use serde::Serialize;
use serde_json::{Value, json};

/// What to do at a point. Of several that fit a call, the first holds; where none does, the hook
/// continues.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    pub point: &'static str,
    /// Only in this turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<u32>,
    /// Only in this step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// Only where the point's record holds this text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<&'static str>,
    /// Only where a number or a truth in the point's record is this.
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
    /// Takes longer than it may.
    Hang,
    /// Adds what a model call used to what all hooks share.
    Add,
    /// Says, in place of the turn's output, what all hooks share.
    Tell,
}

/// At a point, this outcome.
pub fn at(point: &'static str, outcome: Value) -> Answer {
    does(point, Does::Answer(outcome))
}

/// At a point, something that is no outcome.
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

    /// Only where the point's record holds this text.
    pub fn when(mut self, text: &'static str) -> Self {
        self.when = Some(text);
        self
    }

    /// Only where this of the point's record is this.
    pub fn holds(mut self, key: &'static str, value: impl Into<Value>) -> Self {
        self.holds = Some((key, value.into()));
        self
    }

    /// What must be in the record, as JSON.
    pub fn needle(&self) -> Option<String> {
        let (key, value) = self.holds.as_ref()?;
        Some(format!("\"{key}\":{value}"))
    }
}

/// `reject` with this reason.
pub fn reject(reason: &str) -> Value {
    json!({ "reject": { "code": "no", "reason": reason } })
}

/// `transform`, `replace` or `answer` with content of one text.
pub fn content(case: &str, text: &str) -> Value {
    json!({ case: [{ "text": text }] })
}

/// A case that carries a bare text.
pub fn text(case: &str, text: &str) -> Value {
    json!({ case: text })
}

/// `transform` or `replace` of a tool's output, `answer` in place of a tool.
pub fn output(case: &str, content: &str) -> Value {
    json!({ case: { "content": content, "is-error": false } })
}

/// `stop` with a kind and a message.
pub fn stop(kind: Value, message: &str) -> Value {
    json!({ "stop": { "kind": kind, "message": message } })
}

/// `ask` a person.
pub fn ask(question: &str) -> Value {
    json!({ "ask": { "question": question } })
}

/// `replace` with a retry decision.
pub fn retry(decision: Value) -> Value {
    json!({ "replace": decision })
}

/// `contribute` these.
pub fn contribute(contributions: &[Value]) -> Value {
    json!({ "contribute": contributions })
}
