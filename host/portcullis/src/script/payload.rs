//! What a script is told of a call.

use serde_json::{Map, Value, json};

use crate::call::{Call, SessionInfo, Views};
use crate::capabilities::View;
use crate::contract::{self, Context, ToolSpec};
use crate::failure::Failure;
use crate::hook::HookId;
use crate::json::{JsonError, JsonPoint, to_json};
use crate::points::PointId;

/// The document that a script is given: one line.
pub(super) fn write<P: JsonPoint>(
    hook: &HookId,
    granted: &[View],
    call: &Call<P>,
) -> Result<Vec<u8>, Failure> {
    let lost = |e: JsonError| Failure::Host(format!("the call cannot be written as JSON: {e}"));
    let document = json!({
        "portcullis": contract::VERSION,
        "point": P::ID.name(),
        "hook": hook.as_str(),
        "context": to_json(&call.context).map_err(lost)?,
        "input": to_json(P::input(&call.subject)).map_err(lost)?,
        "views": views(granted, &call.views).map_err(lost)?,
    });
    Ok(format!("{document}\n").into_bytes())
}

/// The variables that tell of a call.
pub(super) fn variables(
    hook: &HookId,
    point: PointId,
    context: &Context,
) -> [(&'static str, String); 5] {
    [
        ("PORTCULLIS_POINT", point.name().to_owned()),
        ("PORTCULLIS_HOOK", hook.to_string()),
        ("PORTCULLIS_SESSION", context.session_id.clone()),
        ("PORTCULLIS_TURN", context.turn.to_string()),
        ("PORTCULLIS_STEP", context.step.to_string()),
    ]
}

fn views(granted: &[View], views: &Views) -> Result<Value, JsonError> {
    let mut seen = Map::new();
    for view in granted {
        seen.insert(view.name().to_owned(), one(*view, views)?);
    }
    Ok(Value::Object(seen))
}

fn one(view: View, views: &Views) -> Result<Value, JsonError> {
    match view {
        View::Content => to_json(&*views.content),
        View::Conversation => to_json(&*views.conversation),
        View::ToolData => Ok(json!({
            "input": &*views.tool_arguments,
            "output": views.tool_output.as_deref(),
        })),
        View::ToolCatalog => to_json(&views.tools.specs().collect::<Vec<&ToolSpec>>()),
        View::Prompt => to_json(&*views.prompt),
        View::AgentState => Ok(json!({
            "values": views.state.values,
            "diff": views.state.diff,
        })),
        View::Session => Ok(session(&views.session)),
        View::Verdict => to_json(&views.verdict.as_deref()),
    }
}

fn session(session: &SessionInfo) -> Value {
    json!({
        "user": session.user,
        "working-dir": session.working_dir,
        "parent": session.parent,
        "metadata": session.metadata,
    })
}
