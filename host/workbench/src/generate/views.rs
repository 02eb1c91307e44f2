//! Generated content for every view.

use std::sync::Arc;

use portcullis::Views;
use portcullis::contract::{ContentPart, Message, Role, ToolSpec};
use portcullis::session::{AgentState, SessionInfo};
use portcullis::tools::ToolCatalog;
use serde::de::value::Error;
use serde_json::json;

use super::{Shape, Text, value};

/// Generates views of this shape.
pub(super) fn views(shape: Shape) -> Result<Views, Error> {
    let text = |word: &str| ContentPart::Text(shape.in_view(word));
    let mut content: Vec<ContentPart> = match shape.text {
        Text::Empty => Vec::new(),
        _ => vec![text("hello")],
    };
    if shape.items > 1 {
        content.extend(value::value::<Vec<ContentPart>>(shape)?.0);
    }
    let conversation = (0..shape.messages)
        .map(|index| Message {
            role: match index % 2 {
                0 => Role::User,
                _ => Role::Assistant,
            },
            content: vec![text("hello")],
        })
        .collect();
    let tool = ToolSpec {
        name: "write_file".into(),
        description: shape.in_record("Writes a file."),
        schema: r#"{"type":"object"}"#.into(),
    };
    // One tool with a valid schema.
    let tools = ToolCatalog::new([tool]).unwrap_or_default();
    let (key, word) = ("path", shape.in_view("notes.md"));
    let mut state = AgentState::default();
    if shape.text != Text::Empty {
        state.values.insert(key.into(), word.clone().into());
        state.diff.insert(key.into(), json!([null, word]));
    }
    Ok(Views {
        content: Arc::new(content),
        conversation: Arc::new(conversation),
        turn_start: 0,
        tool_arguments: shape.json(key).into(),
        tool_output: Some(shape.in_view("done").into()),
        tools: Arc::new(tools),
        offered_as: None,
        prompt: Arc::new(value::value(shape)?.0),
        state: Arc::new(state),
        session: Arc::new(SessionInfo {
            user: shape.some.then(|| shape.in_record("ada")),
            working_dir: Some("/work".into()),
            parent: None,
            metadata: Vec::new(),
        }),
        verdict: None,
        trace: None,
    })
}
