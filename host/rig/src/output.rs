//! Which answer of the model ends a turn.

use portcullis::contract::ContentPart;
use portcullis::points::post_llm_call::tool_names;
use rig_core::completion::CompletionRequest;
use rig_core::structured_output::OUTPUT_TOOL_DESCRIPTION;

/// How rig describes the output tool of its extractors.
const EXTRACTOR_TOOL_DESCRIPTION: &str =
    "Submit the structured data you extracted from the provided text.";

/// The turn's answer, if what the model said is one: it calls no tool, or rig's output tool, whose arguments are the
/// answer. rig runs no tools then.
pub(crate) fn answer(
    request: &CompletionRequest,
    said: &[ContentPart],
) -> Option<Vec<ContentPart>> {
    if tool_names(said).is_empty() {
        return Some(said.to_vec());
    }
    let arguments = said.iter().find_map(|part| match part {
        ContentPart::ToolCall(call) if is_output(request, &call.name) => Some(&call.arguments),
        _ => None,
    });
    arguments.map(|arguments| vec![ContentPart::Text(arguments.clone())])
}

/// Whether a tool is that of rig's for the answer, of which hooks are told only what the model is told.
fn is_output(request: &CompletionRequest, name: &str) -> bool {
    let descriptions = [OUTPUT_TOOL_DESCRIPTION, EXTRACTOR_TOOL_DESCRIPTION];
    let mut tools = request.tools.iter();
    tools.any(|tool| *tool.name == *name && descriptions.contains(&tool.description.as_str()))
}
