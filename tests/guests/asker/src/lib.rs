//! A hook that sends the user's text to the agent's model, and refuses the turn with the answer.

use portcullis_sdk::model::Error as ModelError;
use portcullis_sdk::prelude::*;

/// The asker.
pub struct Asker;

/// The maximum number of calls in an otherwise endless loop.
const MOST: u32 = 1_000;

#[hook(id = "asker", description = "Asks the agent's model.", kind = "test")]
impl Asker {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let said = content::text();
        let (what, prompt) = said.split_once(' ').unwrap_or((&said, ""));
        Ok(match what {
            "ask" => answered(call, model::complete_within("Answer.", prompt, 10)),
            "left" => call.reject("left", model::tokens_left().to_string()),
            "long" => {
                let bytes = prompt.parse().map_err(Error::failed)?;
                answered(call, model::complete("", &"x".repeat(bytes)))
            }
            "loop" => {
                let mut calls = 0;
                let error = loop {
                    match model::complete_within("", prompt, 10) {
                        Ok(_) if calls < MOST => calls += 1,
                        Ok(_) => return Err(Error::failed("the loop has no end")),
                        Err(error) => break error,
                    }
                };
                call.reject(kind(&error), calls.to_string())
            }
            "pass" => {
                model::complete_within("Answer.", prompt, 10)?;
                call.proceed()
            }
            // A secret in a prompt.
            "secret" => {
                let key = secrets::get("KEY").unwrap_or_default();
                answered(call, model::complete("", &key))
            }
            _ => call.proceed(),
        })
    }
}

fn answered(
    call: &pre_turn::Call,
    completion: Result<model::Completion, ModelError>,
) -> pre_turn::Verdict {
    match completion {
        Ok(completion) => call.reject("text", completion.text),
        Err(error) => call.reject(kind(&error), error.to_string()),
    }
}

fn kind(error: &ModelError) -> &'static str {
    match error {
        ModelError::NoModel(_) => "no-model",
        ModelError::Budget(_) => "budget",
        ModelError::TooLong(_) => "too-long",
        ModelError::Provider(_) => "provider",
    }
}
