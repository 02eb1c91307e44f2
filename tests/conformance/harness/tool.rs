//! A tool that performs the action in its text.

use std::time::Duration;

use async_trait::async_trait;
use portcullis::contract::ToolSpec;
use portcullis_agent::{Steering, Tool, ToolError, ToolOutput, ToolRun};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::effects::Effects;

pub struct Echo {
    pub name: &'static str,
    pub effects: Effects,
    pub steering: Steering,
    pub cancel: CancellationToken,
}

/// Returns the description of the tool of this name, for the model.
pub fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.into(),
        description: "Does what its text says.".into(),
        schema: r#"{
            "type": "object",
            "properties": { "text": { "type": "string" } },
            "required": ["text"],
            "additionalProperties": false
        }"#
        .into(),
    }
}

/// Reports that a tool was interrupted.
struct Stopped<'a>(&'a Effects, &'a str);

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        self.0.tell(format!("{} is stopped", self.1));
    }
}

#[async_trait]
impl Tool for Echo {
    fn spec(&self) -> ToolSpec {
        spec(self.name)
    }

    async fn execute(&self, arguments: Value, run: ToolRun) -> Result<ToolOutput, ToolError> {
        let text = arguments["text"].as_str().unwrap_or_default().to_owned();
        self.effects.tell(format!("{} runs: {text}", self.name));
        let (verb, rest) = text.split_once(' ').unwrap_or((&text, ""));
        match verb {
            "fail" => return Err(ToolError::Failed("as asked".into())),
            // Cancels the turn and never ends.
            "cancel" => {
                let _stopped = Stopped(&self.effects, self.name);
                self.cancel.cancel();
                std::future::pending::<()>().await;
            }
            // Reports its progress.
            "progress" => {
                for piece in rest.split(' ') {
                    run.progress.update(piece);
                }
            }
            // Changes the agent's state.
            "set" => {
                let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
                run.state.set(key, value);
            }
            // The user says something meanwhile.
            "steer" => self.steering.say(rest),
            // Takes this many milliseconds.
            "slow" => {
                let millis = rest.parse().unwrap_or(1);
                tokio::time::sleep(Duration::from_millis(millis)).await;
                self.effects.tell(format!("{} is done: {text}", self.name));
            }
            _ => {}
        }
        Ok(ToolOutput::ok(format!("echo {text}")))
    }
}
