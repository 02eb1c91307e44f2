//! The smallest hooks there are, to measure the host and not the hook.

use portcullis_sdk::prelude::*;

/// It continues.
pub struct Tiny;

#[hook(
    id = "tiny",
    description = "Continues; before a model call it looks at the newest message first.",
    kind = "test",
    role = gate
)]
impl Tiny {
    fn pre_tool_call(
        _: Context,
        input: pre_tool_call::ToolRequest,
    ) -> HookResult<pre_tool_call::Outcome> {
        Ok(match input.name.as_str() {
            "" => pre_tool_call::Outcome::reject("nameless", "a tool without a name"),
            _ => pre_tool_call::Outcome::Continue,
        })
    }

    fn pre_llm_call(_: Context, _: pre_llm_call::LlmCall) -> HookResult<pre_llm_call::Outcome> {
        Ok(match conversation::last() {
            None => pre_llm_call::Outcome::reject("empty", "a conversation without messages"),
            Some(_) => pre_llm_call::Outcome::Continue,
        })
    }
}
