//! The smallest possible hook, to measure the host and not the hook.

use portcullis_sdk::prelude::*;

/// The tiny hook.
pub struct Tiny;

#[hook(
    id = "tiny",
    description = "Continues; before a model call it reads the newest message first.",
    kind = "test"
)]
impl Tiny {
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        Ok(match call.name().as_str() {
            "" => call.reject("nameless", "a tool without a name"),
            _ => call.proceed(),
        })
    }

    fn pre_llm_call(call: &pre_llm_call::Call) -> HookResult<pre_llm_call::Verdict> {
        Ok(match conversation::last() {
            None => call.reject("empty", "a conversation without messages"),
            Some(_) => call.proceed(),
        })
    }
}
