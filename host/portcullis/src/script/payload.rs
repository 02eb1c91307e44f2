//! The input of a script.

use serde_json::{Value, json};

use crate::contract::{self, Context};
use crate::model::call::Views;
use crate::model::failure::Failure;
use crate::model::hook::HookId;
use crate::model::json::{JsonError, to_json, views_to_json};
use crate::model::points::PointId;
use crate::model::view::View;

/// Writes the document that a script gets: one line.
pub(super) fn write(
    point: PointId,
    hook: &HookId,
    context: &Context,
    input: Result<Value, JsonError>,
    views: &Views,
    granted: &[View],
) -> Result<Vec<u8>, Failure> {
    let lost = |e: JsonError| Failure::Host(format!("the call cannot be written as JSON: {e}"));
    let document = json!({
        "portcullis": contract::VERSION,
        "point": point.name(),
        "hook": hook.as_str(),
        "context": to_json(context).map_err(lost)?,
        "input": input.map_err(lost)?,
        "views": views_to_json(granted, views).map_err(lost)?,
    });
    Ok(format!("{document}\n").into_bytes())
}

/// Returns the variables that describe a call.
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
