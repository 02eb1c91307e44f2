//! The answers that the configuration names.

use portcullis_sdk::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The configuration: one JSON text, which can contain values that TOML has no form for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    answers: String,
}

/// Answers and their conditions. The first that fits is used; if none does, the hook continues.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    point: String,
    turn: Option<u32>,
    step: Option<u32>,
    /// A text that the facts must contain.
    when: Option<String>,
    /// A fact, and its required value.
    holds: Option<(String, Value)>,
    does: Does,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Does {
    /// Gives an outcome in the contract's JSON form.
    Answer(Value),
    /// Reports a failure.
    Fail(String),
    /// Computes forever.
    Hang,
    /// Adds the usage of a model call to the shared state of all hooks.
    Add,
    /// Answers with the shared state of all hooks.
    Tell,
}

impl Answer {
    fn fits(&self, point: &str, facts: &Value) -> bool {
        self.point.replace('-', "_") == point
            && self.turn.is_none_or(|turn| turn == context::turn())
            && self.step.is_none_or(|step| step == context::step())
            && (self.when.as_ref()).is_none_or(|text| facts.to_string().contains(text))
            && (self.holds.as_ref()).is_none_or(|(fact, value)| facts[fact] == *value)
    }
}

/// Returns the outcome for this call, in the contract's JSON form.
pub(crate) fn outcome(point: &str, facts: &impl Serialize) -> HookResult<Value> {
    let config: Config = config()?;
    let proceed = json!("continue");
    if config.answers.is_empty() {
        return Ok(proceed);
    }
    let answers: Vec<Answer> = serde_json::from_str(&config.answers)?;
    let facts = serde_json::to_value(facts)?;
    let Some(answer) = answers.into_iter().find(|it| it.fits(point, &facts)) else {
        return Ok(proceed);
    };
    let costs = shared::namespace("costs");
    match answer.does {
        // The contract has a function for each decision; the JSON form has them under `replace`.
        Does::Answer(mut outcome) if point == "llm_error" => {
            Ok(outcome.get_mut("replace").map_or(proceed, Value::take))
        }
        Does::Answer(outcome) => Ok(outcome),
        Does::Fail(message) => Err(Error::failed(message)),
        Does::Hang => loop {
            std::hint::black_box(());
        },
        Does::Add => {
            let used = |tokens: &str| facts["usage"][tokens].as_i64().unwrap_or_default();
            costs.increment("tokens", used("input-tokens") + used("output-tokens"))?;
            Ok(proceed)
        }
        Does::Tell => {
            let tokens: Option<i64> = costs.get("tokens")?;
            let text = format!("{} tokens", tokens.unwrap_or_default());
            Ok(json!({ "transform": [{ "text": text }] }))
        }
    }
}
