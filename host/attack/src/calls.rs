//! The calls of hostile and healthy hooks.

use std::sync::Arc;

use portcullis::contract::{ContentPart, Context, Message, Role, StopReason, ToolSpec, Usage};
use portcullis::points::{
    PostTurn, PreLlmCall, PreToolCall, PreTurn, PromptPolicy, PromptTools, post_turn, pre_llm_call,
    pre_tool_call, pre_turn, prompt_policy, prompt_tools,
};
use portcullis::tools::{CatalogError, ToolCatalog};
use portcullis::{Call, Views};

/// The schema of the only tool.
const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"],"additionalProperties":false}"#;
/// The arguments of its call.
pub(crate) const ARGUMENTS: &str = r#"{"path":"notes.txt"}"#;

fn context(turn: u32) -> Context {
    Context {
        session_id: "attack".into(),
        agent: "kit".into(),
        turn,
        step: 1,
    }
}

/// Returns a call at the beginning of a turn.
pub(crate) fn turn(turn: u32) -> Call<PreTurn> {
    let said = vec![ContentPart::Text("hello".into())];
    let views = Views {
        content: Arc::new(said.clone()),
        ..Views::default()
    };
    Call::new(context(turn), pre_turn::facts(&said), views)
}

/// Returns a call at the end of a turn.
pub(crate) fn turn_done(turn: u32) -> Call<PostTurn> {
    let said = vec![ContentPart::Text("done".into())];
    let output = post_turn::TurnOutput {
        text_bytes: 4,
        steps: 1,
        stop: StopReason::EndTurn,
        usage: Usage {
            input_tokens: 1,
            output_tokens: 1,
            cache_read_tokens: 0,
            cache_write_tokens: 0,
        },
        elapsed_us: 1,
    };
    let views = Views {
        content: Arc::new(said),
        ..Views::default()
    };
    Call::new(context(turn), output, views)
}

/// Returns a call before a tool runs.
pub(crate) fn tool(turn: u32) -> Result<Call<PreToolCall>, CatalogError> {
    let request = pre_tool_call::ToolRequest {
        call_id: "call-1".into(),
        name: "write".into(),
        arguments_bytes: u32::try_from(ARGUMENTS.len()).unwrap_or(u32::MAX),
        grant: pre_tool_call::ExecutionGrant {
            working_dir: Some("/work".into()),
            timeout_ms: 1_000,
        },
    };
    let views = Views {
        tool_arguments: ARGUMENTS.into(),
        tools: Arc::new(ToolCatalog::new([write()])?),
        ..Views::default()
    };
    Ok(Call::unchecked(context(turn), request, views))
}

/// Returns the only tool.
fn write() -> ToolSpec {
    ToolSpec {
        name: "write".into(),
        description: "Writes a file.".into(),
        schema: SCHEMA.into(),
    }
}

/// Returns a call before a model is called.
pub(crate) fn llm(turn: u32) -> Result<Call<PreLlmCall>, CatalogError> {
    let said = Message {
        role: Role::User,
        content: vec![ContentPart::Text("hello".into())],
    };
    let call = pre_llm_call::LlmCall {
        provider: "kit".into(),
        model: "small".into(),
        attempt: 1,
        messages: 1,
        tools: 1,
        estimated_tokens: 2,
        temperature: None,
        max_output_tokens: None,
    };
    let views = Views {
        conversation: Arc::new(vec![said]),
        tools: Arc::new(ToolCatalog::new([write()])?),
        ..Views::default()
    };
    Ok(Call::new(context(turn), call, views))
}

/// Returns a call for the policies of a turn's prompt.
pub(crate) fn policy(turn: u32) -> Call<PromptPolicy> {
    let facts = prompt_policy::TurnFacts {
        text_bytes: 5,
        messages: 1,
        tools: 0,
        policies: 0,
    };
    Call::new(context(turn), facts, Views::default())
}

/// Returns a call before the tools are offered.
pub(crate) fn tools(turn: u32) -> Call<PromptTools> {
    let facts = prompt_tools::ToolSet {
        tools: 0,
        bundles: 0,
    };
    Call::new(context(turn), facts, Views::default())
}

/// Returns the current text.
pub(crate) fn text(call: &Call<PreTurn>) -> String {
    let texts = call.views.content.iter().filter_map(|part| match part {
        ContentPart::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}
