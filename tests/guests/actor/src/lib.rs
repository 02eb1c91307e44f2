//! A hook that answers at every point as its configuration says: with outcomes in the contract's
//! JSON form, each for some calls. The conformance scenarios give the same to native hooks and
//! scripts.

mod answers;

use portcullis_sdk::prelude::*;

/// The actor.
pub struct Actor;

macro_rules! serve {
    ($($point:ident)*) => {
        #[hook(
            id = "actor",
            description = "Answers as its configuration says.",
            kind = "test"
        )]
        impl Actor {
            $(fn $point(call: &$point::Call) -> HookResult<$point::Verdict> {
                let outcome = answers::outcome(stringify!($point), &call.facts())?;
                Ok(call.give(serde_json::from_value(outcome)?))
            })*
        }
    };
}

serve!(
    session_start session_end pre_turn post_turn turn_error turn_suspended turn_resumed
    prompt_policy prompt_context prompt_recall prompt_tools prompt_compile pre_step post_step
    pre_llm_call llm_delta post_llm_call llm_error pre_tool_call tool_update tool_update_sent
    post_tool_call state_changed message_added pre_subagent post_subagent pre_compaction
    post_compaction turn_stopping workspace_opened workspace_closed workspace_evicted
    workspace_eviction_retried workspace_snapshotted
);
