//! The model's answers that end a turn.

use portcullis::contract::ContentPart;
use portcullis::points::post_llm_call::tool_names;
use rig_core::completion::CompletionRequest;
use rig_core::structured_output::OUTPUT_TOOL_DESCRIPTION;

/// rig's description of the output tool of its extractors. rig does not export it, so its version
/// is pinned.
const EXTRACTOR_TOOL_DESCRIPTION: &str =
    "Submit the structured data you extracted from the provided text.";

/// Returns the name of rig's output tool, if the model is offered one. A hook receives only the
/// request to the model, so the tool is recognized by its description. rig adds it after all other
/// tools, one of which may have the same description.
pub(crate) fn output_tool(request: &CompletionRequest) -> Option<String> {
    let descriptions = [OUTPUT_TOOL_DESCRIPTION, EXTRACTOR_TOOL_DESCRIPTION];
    let mut tools = request.tools.iter();
    let tool = tools.rfind(|tool| descriptions.contains(&tool.description.as_str()))?;
    Some(tool.name.to_string())
}

/// Returns the turn's answer, if the model's response calls no tool or calls the output tool. The
/// arguments of the first output-tool call are then the answer, and rig runs no tools.
pub(crate) fn answer(output_tool: Option<&str>, said: &[ContentPart]) -> Option<Vec<ContentPart>> {
    if tool_names(said).is_empty() {
        return Some(said.to_vec());
    }
    let output_tool = output_tool?;
    let arguments = said.iter().find_map(|part| match part {
        ContentPart::ToolCall(call) if call.name == output_tool => Some(&call.arguments),
        _ => None,
    });
    arguments.map(|arguments| vec![ContentPart::Text(arguments.clone())])
}
