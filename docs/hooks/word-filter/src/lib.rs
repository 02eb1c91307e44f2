//! The hook that the book begins with.

// ANCHOR: hook
use portcullis_sdk::prelude::*;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Config {
    blocked: Vec<String>,
}

struct WordFilter;

#[hook(
    id = "word-filter",
    description = "Refuses turns that contain a blocked word.",
    role = gate,
    priority = 10
)]
impl WordFilter {
    fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        let config: Config = config()?;
        let text = content::text();
        Ok(
            match config.blocked.iter().find(|word| text.contains(*word)) {
                Some(word) => {
                    info!(word = %word, "blocked a turn");
                    pre_turn::Outcome::reject("blocked-word", "The message was blocked.")
                }
                None => pre_turn::Outcome::Continue,
            },
        )
    }
}
// ANCHOR_END: hook
