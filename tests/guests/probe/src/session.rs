//! The points of a session and of its compactions.

use portcullis_sdk::points::{pre_compaction, session_start};
use portcullis_sdk::prelude::HookResult;

use crate::deed::{Deed, refusal};

pub fn start() -> HookResult<session_start::Outcome> {
    let deed = Deed::at("session-start")?;
    deed.tell()?;
    Ok(match deed {
        Deed::Reject => session_start::Outcome::Reject(refusal()),
        _ => session_start::Outcome::Continue,
    })
}

pub fn pre_compaction(input: pre_compaction::TokenBudget) -> HookResult<pre_compaction::Outcome> {
    use pre_compaction::{CompactionHint, Outcome};
    let deed = Deed::at("pre-compaction")?;
    Ok(match (deed.text(String::new)?, deed) {
        (_, Deed::Reject) => Outcome::Reject(refusal()),
        (Some(text), _) => Outcome::Transform(CompactionHint {
            keep: if text == "all" {
                (0..input.messages).collect()
            } else {
                vec![input.messages]
            },
            instructions: Some(text),
        }),
        (None, _) => Outcome::Continue,
    })
}
