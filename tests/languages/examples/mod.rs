//! The example hooks in other languages than Rust, as components in a session.

mod argument_defaults;
mod cases;
mod pii_redactor;
mod shell_linter;
mod tool_policy;

use std::sync::Arc;

use portcullis::contract::{ContentPart, ToolSpec};
use portcullis::points::{PostToolCall, PreToolCall, post_tool_call, pre_tool_call};
use portcullis::tools::ToolCatalog;
use portcullis::{Call, Session, SessionOptions, Views};
use portcullis_tests::context;

use crate::hooks_dir;
use crate::speech::PATIENT;

/// Opens a session of an example with these settings.
fn session(id: &str, settings: &str) -> Session {
    hooks_dir()
        .with(id)
        .settings(&format!("{PATIENT}{settings}"))
        .load()
        .session(SessionOptions::new("test"))
}

/// Returns the error of an example that does not load with these settings.
fn refused(id: &str, settings: &str) -> String {
    let hooks = hooks_dir()
        .with(id)
        .settings(&format!("{PATIENT}{settings}"));
    let error = hooks.try_load().expect_err("settings that are wrong");
    error.to_string()
}

/// Returns a call of a tool whose schema names these arguments.
fn tool_call(name: &str, known: &[&str], arguments: &str) -> Call<PreToolCall> {
    let properties: serde_json::Map<_, _> = known
        .iter()
        .map(|argument| ((*argument).to_owned(), serde_json::json!({})))
        .collect();
    let spec = ToolSpec {
        name: name.into(),
        description: "A tool.".into(),
        schema: serde_json::json!({ "type": "object", "properties": properties }).to_string(),
    };
    Call::unchecked(
        context(),
        pre_tool_call::ToolRequest {
            call_id: "call-1".into(),
            name: name.into(),
            arguments_bytes: arguments.len() as u32,
            grant: pre_tool_call::ExecutionGrant {
                working_dir: None,
                timeout_ms: 1_000,
            },
        },
        Views {
            tool_arguments: arguments.into(),
            tools: Arc::new(ToolCatalog::new([spec]).expect("a catalogue")),
            ..Views::default()
        },
    )
}

/// Returns the call after a tool with this output.
fn tool_output(name: &str, output: &str) -> Call<PostToolCall> {
    Call::new(
        context(),
        post_tool_call::ToolOutcome {
            call_id: "call-1".into(),
            name: name.into(),
            output_bytes: output.len() as u32,
            is_error: false,
            elapsed_us: 1,
        },
        Views {
            tool_arguments: "{}".into(),
            tool_output: Some(output.into()),
            ..Views::default()
        },
    )
}

fn text(said: &str) -> ContentPart {
    ContentPart::Text(said.into())
}
