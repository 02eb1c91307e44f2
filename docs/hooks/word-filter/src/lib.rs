//! The hook that the book begins with.

// ANCHOR: hook
use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Config {
    /// The words that no message may contain.
    blocked: Vec<String>,
}

struct WordFilter;

#[hook(
    id = "word-filter",
    description = "Refuses turns that contain a blocked word.",
    priority = 10,
    config = Config
)]
impl WordFilter {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        let config: Config = config()?;
        let text = content::text();
        for word in &config.blocked {
            if text.contains(word) {
                info!(word = %word, "blocked a turn");
                return Ok(call.reject("blocked-word", "The message was blocked."));
            }
        }
        Ok(call.proceed())
    }
}
// ANCHOR_END: hook
