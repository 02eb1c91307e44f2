//! A hook that does at every point what its configuration says:
//!
//! ```toml
//! [hooks.probe.config]
//! pre-turn = "reject"
//! post-turn = "transform changed"
//! ```
//!
//! At a point without an entry it continues. The module `action` lists what it can do.

mod action;
mod contribution;
mod excess;
mod look;

use portcullis_sdk::points::*;
use portcullis_sdk::prelude::{HookResult, hook};

/// The probe.
pub struct Probe;

macro_rules! serve {
    ($($point:ident)*) => {
        #[hook(
            id = "probe",
            description = "Does as its configuration says.",
            kind = "test"
        )]
        impl Probe {
            $(fn $point(call: &$point::Call) -> HookResult<$point::Verdict> {
                let facts = || serde_json::to_value(call.facts());
                match action::outcome(stringify!($point), facts)? {
                    Some(outcome) => Ok(call.give(serde_json::from_value(outcome)?)),
                    None => Ok(call.proceed()),
                }
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
