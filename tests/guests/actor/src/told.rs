//! What the operator tells the hook to answer.

use std::fmt::Debug;

use portcullis_sdk::prelude::*;
use serde::Deserialize;
use serde_json::Value;

/// The configuration: one JSON text, so that it can hold what TOML cannot.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    #[serde(default)]
    answers: String,
}

/// What to answer, and when. The first that fits holds; where none does, the hook continues.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    point: String,
    turn: Option<u32>,
    step: Option<u32>,
    /// A text that the input must hold.
    when: Option<String>,
    /// A key of the input, and what it must be.
    holds: Option<(String, Value)>,
    does: Does,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Does {
    /// An outcome in the contract's JSON form.
    Answer(Value),
    /// Reports a failure.
    Fail(String),
    /// Computes for ever.
    Hang,
    /// Adds what a model call used to what all hooks share.
    Add,
    /// Says what all hooks share.
    Tell,
}

/// An outcome: its case, and what that carries.
pub(crate) struct Told {
    pub(crate) case: String,
    pub(crate) with: Value,
}

/// What to answer to this.
pub(crate) fn told(point: &str, context: &Context, input: &impl Debug) -> HookResult<Told> {
    let config: Config = config()?;
    let answers: Vec<Answer> = match config.answers.as_str() {
        "" => Vec::new(),
        text => serde_json::from_str(text)?,
    };
    let input = format!("{input:?}");
    let fits = |answer: &Answer| {
        answer.point == point
            && answer.turn.is_none_or(|turn| turn == context.turn)
            && answer.step.is_none_or(|step| step == context.step)
            && answer.when.as_ref().is_none_or(|text| input.contains(text))
            && answer.holds.as_ref().is_none_or(|(key, value)| {
                let field = format!(" {key}: {value}");
                [",", " }"]
                    .iter()
                    .any(|end| input.contains(&format!("{field}{end}")))
            })
    };
    let Some(answer) = answers.into_iter().find(fits) else {
        return Ok(Told::bare("continue"));
    };
    Ok(match answer.does {
        Does::Answer(Value::Object(one)) => match one.into_iter().next() {
            Some((case, with)) => Told { case, with },
            None => Told::bare("continue"),
        },
        Does::Answer(Value::String(case)) => Told::bare(case),
        Does::Answer(other) => return Err(Error::bad_config(format!("no outcome: {other}"))),
        Does::Fail(why) => return Err(Error::failed(why)),
        Does::Hang => loop {
            std::hint::black_box(());
        },
        Does::Add => {
            costs().increment("tokens", used(&input))?;
            Told::bare("continue")
        }
        Does::Tell => {
            let tokens: Option<i64> = costs().get("tokens")?;
            let text = format!("{} tokens", tokens.unwrap_or_default());
            Told {
                case: "transform".into(),
                with: serde_json::json!([{ "text": text }]),
            }
        }
    })
}

fn costs() -> shared::Namespace<'static> {
    shared::namespace("costs")
}

/// The tokens of a model call, from its record as text.
fn used(input: &str) -> i64 {
    let number = |name: &str| {
        let from = input.find(name)? + name.len();
        let digits: String = input
            .get(from..)?
            .chars()
            .skip_while(|c| !c.is_ascii_digit())
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse::<i64>().ok()
    };
    number("input-tokens").unwrap_or(0) + number("output-tokens").unwrap_or(0)
}

impl Told {
    fn bare(case: impl Into<String>) -> Self {
        Self {
            case: case.into(),
            with: Value::Null,
        }
    }

    /// The case is not one of the point's.
    pub(crate) fn illegal<T>(self) -> HookResult<T> {
        Err(Error::bad_config(format!(
            "`{}` is no outcome here",
            self.case
        )))
    }
}
