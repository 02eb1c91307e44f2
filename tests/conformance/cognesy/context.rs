//! "Applying Context Configuration": the built-in hook sets the instructions and the response format
//! before the first call, and applies only what is not empty.

use portcullis::points::prompt_compile::{NamedSchema, ResponseFormat};
use portcullis_agent::{AgentConfig, ContextConfig, context_config};
use serde_json::json;

use crate::harness::{at, play, row, says};

fn with_instructions(config: AgentConfig) -> AgentConfig {
    AgentConfig {
        system_prompt: Some("own".into()),
        ..config
    }
}

#[tokio::test]
async fn only_what_is_not_empty_is_applied() {
    play([
        row("a prompt and a format")
            .config(with_instructions)
            .agent(|builder| {
                builder.native([context_config(ContextConfig {
                    system: Some("configured".into()),
                    response_format: Some(ResponseFormat::Json),
                })])
            })
            .watch(&["context-config"])
            .points(&["prompt-compile"])
            .sent()
            .model([says("done")])
            .turn("go")
            .expect([
                "context-config prompt-compile transform",
                "actor prompt-compile",
                "(sent: system: configured | user: go, with a format)",
                "(turn-ended: done)",
            ]),
        row("an empty prompt, an empty format: what is there stays")
            .config(with_instructions)
            .agent(|builder| {
                builder.native([context_config(ContextConfig {
                    system: Some(" ".into()),
                    response_format: Some(ResponseFormat::Schema(NamedSchema {
                        name: "empty".into(),
                        schema: String::new(),
                    })),
                })])
            })
            .watch(&["context-config"])
            .points(&["prompt-compile"])
            .sent()
            .model([says("done")])
            .turn("go")
            .expect([
                "context-config prompt-compile",
                "actor prompt-compile",
                "(sent: system: own | user: go)",
                "(turn-ended: done)",
            ]),
        row("any hook may adjust the prompt, for the turn")
            .config(with_instructions)
            .answers([at(
                "prompt-compile",
                json!({ "transform": { "system": "adjusted", "response-format": "json" } }),
            )
            .turn(1)])
            .points(&["prompt-compile"])
            .sent()
            .model([says("one"), says("two")])
            .turn("1")
            .turn("2")
            .expect([
                "prompt-compile transform",
                "(sent: system: adjusted | user: 1, with a format)",
                "(turn-ended: one)",
                "prompt-compile",
                "(sent: system: own | user: 1 | assistant: one | user: 2)",
                "(turn-ended: two)",
            ]),
    ])
    .await;
}
