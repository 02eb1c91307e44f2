//! The views of a call in the JSON form: a script's input, and the source of a test.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{JsonError, from_json, to_json};
use crate::contract::{ChainVerdict, ContentPart, Message, ToolSpec};
use crate::model::call::{AgentState, SessionInfo, Views};
use crate::model::prompt::Prompt;
use crate::model::tools::ToolCatalog;
use crate::model::view::View;

/// The key for the index of the turn's first message. It is written together with `conversation`.
const TURN_START: &str = "turn-start";

/// `tool-data` in the JSON form.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct ToolData {
    input: String,
    output: Option<String>,
}

/// All views in the JSON form. An absent view is empty.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Document {
    content: Vec<ContentPart>,
    conversation: Vec<Message>,
    /// The index of the turn's first message. Visible if `conversation` is.
    turn_start: Option<usize>,
    tool_data: ToolData,
    tool_catalog: Vec<ToolSpec>,
    prompt: Prompt,
    agent_state: AgentState,
    session: SessionInfo,
    verdict: Option<ChainVerdict>,
}

/// Writes these views as an object, each under its own name.
///
/// # Errors
///
/// A value cannot be expressed in JSON.
pub fn views_to_json(which: &[View], views: &Views) -> Result<Value, JsonError> {
    let mut seen = Map::new();
    for view in which {
        let value = one(*view, views).map_err(|e| e.under(view.name()))?;
        seen.insert(view.name().to_owned(), value);
        if *view == View::Conversation && views.turn_start <= views.conversation.len() {
            seen.insert(TURN_START.to_owned(), views.turn_start.into());
        }
    }
    Ok(Value::Object(seen))
}

/// Reads views from an object that [`views_to_json`] writes. Missing views are empty.
///
/// ```
/// use portcullis::json::views_from_json;
/// use serde_json::json;
///
/// let views = views_from_json(json!({"tool-data": {"input": "{}"}})).unwrap();
/// assert_eq!(&*views.tool_arguments, "{}");
///
/// let wrong = views_from_json(json!({"tol-data": {}})).unwrap_err();
/// assert!(wrong.problem.contains("did you mean `tool-data`?"));
/// ```
///
/// # Errors
///
/// The first mistake: its place, and the correct form there.
pub fn views_from_json(value: Value) -> Result<Views, JsonError> {
    let document: Document = from_json(value)?;
    let tools = ToolCatalog::new(document.tool_catalog)
        .map_err(|e| JsonError::new(e.to_string()).under(View::ToolCatalog.name()))?;
    Ok(Views {
        content: Arc::new(document.content),
        conversation: Arc::new(document.conversation),
        turn_start: document.turn_start.unwrap_or(usize::MAX),
        tool_arguments: document.tool_data.input.into(),
        tool_output: document.tool_data.output.map(Into::into),
        tools: Arc::new(tools),
        offered_as: None,
        prompt: Arc::new(document.prompt),
        state: Arc::new(document.agent_state),
        session: Arc::new(document.session),
        verdict: document.verdict.map(Arc::new),
        trace: None,
    })
}

fn one(view: View, views: &Views) -> Result<Value, JsonError> {
    match view {
        View::Content => to_json(&*views.content),
        View::Conversation => to_json(&*views.conversation),
        View::ToolData => to_json(&ToolData {
            input: views.tool_arguments.to_string(),
            output: views.tool_output.as_deref().map(str::to_owned),
        }),
        View::ToolCatalog => to_json(&views.tools.specs().collect::<Vec<&ToolSpec>>()),
        View::Prompt => to_json(&*views.prompt),
        View::AgentState => to_json(&*views.state),
        View::Session => to_json(&*views.session),
        View::Verdict => to_json(&views.verdict.as_deref()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let written = json!({
            "content": [{"text": "hello"}],
            "conversation": [{"role": "user", "content": [{"text": "call_id"}]}],
            "turn-start": 0,
            "tool-data": {"input": "{}", "output": "done"},
            "tool-catalog": [{"name": "write", "description": "", "schema": "{}"}],
            "prompt": {
                "policies": [{"by": "a", "value": {"domain": "memory", "rules": "{}"}}],
                "items": [],
                "sections": [],
                "bundles": [],
                "queries": ["what"],
            },
            "agent-state": {"values": {"my_key": 1}, "diff": {"my_key": [null, 1]}, "changed-by": "a"},
            "session": {
                "user": "ada", "working-dir": null, "parent": null, "metadata": [["team", "x"]],
            },
            "verdict": {"decision": "passed", "decided-by": null, "changed-by": []},
        });
        let views = views_from_json(written.clone()).unwrap();
        assert_eq!(views_to_json(&View::ALL, &views), Ok(written));
    }

    #[test]
    fn a_mistake_has_its_place() {
        let schema = json!({"tool-catalog": [{"name": "a", "description": "", "schema": "{"}]});
        assert_eq!(views_from_json(schema).unwrap_err().path, "/tool-catalog");
    }
}
