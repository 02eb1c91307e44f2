//! The agents of the tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use portcullis::NativeHook;
use portcullis::contract::{
    AskRequest, ContentPart, HookRole, Message, Role, StopReason, ToolCall, Usage,
};
use portcullis::points::llm_error::ProviderErrorKind;
use portcullis::points::{PreToolCall, pre_tool_call};
use portcullis_agent::{
    Agent, AgentBuilder, AgentConfig, DeltaSink, EventSender, LlmRequest, LlmResponse, Provider,
    ProviderError, RetryConfig, SetState, ToolStrategy, Toolbox,
};
use serde_json::{Value, json};

use crate::tools::{Echo, recorder};
use crate::world::{Story, World};

/// The conversation of the story [`Story::Whole`].
pub const LINES: [&str; 8] = [
    "user: go",
    r#"assistant: echo({"text":"a"})other({"text":"b"})"#,
    "tool: echo a",
    "tool: echo b",
    r#"assistant: set_state({"key":"mood","value":"good"})helper({"task":"help"})"#,
    "tool: noted",
    "tool: the helper is done",
    "assistant: all is done",
];

/// Returns a configuration without waits.
pub fn quick() -> AgentConfig {
    AgentConfig {
        retry: RetryConfig {
            base_delay_ms: 1,
            max_delay_ms: 5,
            ..RetryConfig::default()
        },
        ..AgentConfig::default()
    }
}

/// A model that answers by the number of its answers since the user's last input, and by that
/// input.
struct Model {
    responses: Vec<Vec<ContentPart>>,
    /// Whether its next call fails.
    fails: Arc<AtomicBool>,
}

impl Model {
    fn new(responses: Vec<Vec<ContentPart>>) -> Self {
        Self {
            responses,
            fails: Arc::default(),
        }
    }
}

#[async_trait]
impl Provider for Model {
    fn default_model(&self) -> &str {
        "m"
    }

    async fn complete(
        &self,
        request: LlmRequest,
        _: &mut dyn DeltaSink,
    ) -> Result<LlmResponse, ProviderError> {
        if self.fails.swap(false, Ordering::AcqRel) {
            return Err(ProviderError::new(
                ProviderErrorKind::Overloaded,
                "as asked",
            ));
        }
        let content = match says(&request.messages, "again") {
            true => text("fresh"),
            false => {
                let said = request
                    .messages
                    .iter()
                    .filter(|m| m.role == Role::Assistant);
                self.responses[said.count() % self.responses.len()].clone()
            }
        };
        let calls = |part: &ContentPart| matches!(part, ContentPart::ToolCall(_));
        Ok(LlmResponse {
            stop: match content.iter().any(calls) {
                true => StopReason::ToolUse,
                false => StopReason::EndTurn,
            },
            content,
            usage: Usage {
                input_tokens: 10,
                output_tokens: 1,
                cache_read_tokens: 0,
                cache_write_tokens: 0,
            },
        })
    }
}

/// Returns whether this is the user's last text.
fn says(messages: &[Message], what: &str) -> bool {
    let last = messages.iter().rev().find(|m| m.role == Role::User);
    last.is_some_and(|message| message.content == text(what))
}

fn call(id: &str, name: &str, arguments: Value) -> ContentPart {
    ContentPart::ToolCall(ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: arguments.to_string(),
    })
}

fn text(text: &str) -> Vec<ContentPart> {
    vec![ContentPart::Text(text.into())]
}

fn echoes(says: &str) -> Vec<ContentPart> {
    vec![call("c1", "echo", json!({ "text": says }))]
}

/// Returns the sub-agent of a world's agent.
fn helper(world: &World) -> Agent {
    let mut config = quick();
    let mut calls = vec![call("h1", "echo", json!({"text": "within"}))];
    let mut deep = None;
    if world.story == Story::HelperAsks {
        config.tool_strategy = ToolStrategy::Parallel;
        calls = vec![
            call("h1", "echo", json!({"text": "rm"})),
            call("h2", "deep", json!({"task": "dig"})),
        ];
        let dug = vec![
            vec![call("d1", "echo", json!({"text": "rm below"}))],
            text("it is dug"),
        ];
        let built = part(world, dug).config(quick()).build();
        deep = Some(built.expect("the sub-agent of the helper is built"));
    }
    let mut builder = part(world, vec![calls, text("the helper is done")]).config(config);
    if let Some(deep) = deep {
        builder = builder.subagent("deep", "Digs.", deep);
    }
    builder.build().expect("the helper is built")
}

/// Returns a builder of an agent with these responses and the tools of a world.
fn part(world: &World, says: Vec<Vec<ContentPart>>) -> AgentBuilder {
    let builder = Agent::builder().provider("m", Arc::new(Model::new(says)));
    builder.tools(Arc::new(toolbox(world)))
}

/// Returns the agent of a world.
pub(crate) fn agent(world: &World, name: &str, events: EventSender) -> Agent {
    let mut config = quick();
    config.tool_strategy = ToolStrategy::Parallel;
    config.name = name.to_owned();
    let responses = match world.story {
        Story::Whole => vec![
            vec![
                call("c1", "echo", json!({"text": "a"})),
                call("c2", "other", json!({"text": "b"})),
            ],
            vec![
                call("c3", "set_state", json!({"key": "mood", "value": "good"})),
                call("c4", "helper", json!({"task": "help"})),
            ],
            text("all is done"),
        ],
        Story::Hangs => vec![echoes("hang"), text("all is done")],
        Story::Asks => vec![echoes("rm"), text("all is done")],
        Story::HelperAsks => vec![
            vec![call("c1", "helper", json!({"task": "help"}))],
            text("all is done"),
        ],
        Story::Fails => vec![text("fresh")],
    };
    let mut model = Model::new(responses);
    model.fails = world.fails.clone();
    let asks = matches!(world.story, Story::Asks | Story::HelperAsks).then(asks);
    let builder = match &world.journal {
        Some(journal) => Agent::builder().recorder(journal.clone()),
        None => Agent::builder(),
    };
    builder
        .provider("m", Arc::new(model))
        .tools(Arc::new(toolbox(world)))
        .subagent("helper", "Helps.", helper(world))
        .native(world.hook.map(|hook| recorder(hook, &world.done)))
        .native(asks)
        .events(events)
        .config(config)
        .build()
        .expect("the agent is built")
}

fn toolbox(world: &World) -> Toolbox {
    let mut tools = Toolbox::new();
    let offered = |name: &&str| world.removed != Some(*name);
    for name in ["echo", "other"].into_iter().filter(offered) {
        let trail = world.done.clone();
        tools
            .add(Arc::new(Echo { name, trail }))
            .expect("one of each name");
        tools.set_replay(name, world.replay);
    }
    tools.add(Arc::new(SetState)).expect("one of each name");
    tools
}

/// Returns a hook that asks about calls with the text `rm`.
fn asks() -> NativeHook {
    NativeHook::new("asks")
        .role(HookRole::Gate)
        .on::<PreToolCall>(|call| {
            Ok(match call.views.tool_arguments.contains("rm") {
                true => pre_tool_call::Outcome::Ask(AskRequest {
                    question: "May it?".into(),
                    details: None,
                }),
                false => pre_tool_call::Outcome::Continue,
            })
        })
}
