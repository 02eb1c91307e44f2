//! A small guard at `pre-tool-call`. The other two points measure what less reading costs.

use portcullis_sdk::prelude::*;

struct Guard;

#[hook(
    id = "guard-rust",
    description = "Refuses shell commands that delete directories."
)]
impl Guard {
    /// Reads the name and the arguments.
    fn pre_tool_call(call: &pre_tool_call::Call) -> HookResult<pre_tool_call::Verdict> {
        Ok(
            match call.name() == "shell" && tool_data::arguments_json().contains("rm -rf") {
                true => call.reject("no-rm", "Nothing is deleted here."),
                false => call.proceed(),
            },
        )
    }

    /// Reads the name.
    fn post_tool_call(call: &post_tool_call::Call) -> HookResult<post_tool_call::Verdict> {
        Ok(match call.name() == "forbidden" {
            true => call.reject("forbidden", "Its output is withheld."),
            false => call.proceed(),
        })
    }

    /// Reads nothing.
    fn tool_update(call: &tool_update::Call) -> HookResult<tool_update::Verdict> {
        Ok(call.proceed())
    }
}
