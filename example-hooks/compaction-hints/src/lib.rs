//! Keeps pinned messages when a conversation is compacted.
//!
//! ```toml
//! [hooks.compaction-hints.config]
//! marker = "[pin]"                 # the default; "" for none
//! patterns = ['(?i)\bdecision:']   # messages that match one of these are kept as well
//! instructions = "Hold on to file names and open questions."
//! ```
//!
//! A message is kept if its text contains the marker or matches a pattern. `instructions` are
//! words for the model that writes the summary. All three may be left out.
//!
//! The conversation is read a slice at a time; it never stands in this hook's memory whole.
//!
//! Points: `pre-compaction`. Role: transform; a hint is no guard, so it fails open. Needs the
//! view `conversation`.

mod pins;

use pins::Pins;
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;

static PINS: Prepared<Pins> = Prepared::new(|| Pins::compile(config()?));

struct CompactionHints;

#[hook(
    id = "compaction-hints",
    kind = "memory",
    description = "Keeps pinned messages when the conversation is compacted.",
    role = transform,
    failure = open
)]
impl CompactionHints {
    fn pre_compaction(
        _: Context,
        _: pre_compaction::TokenBudget,
    ) -> HookResult<pre_compaction::Outcome> {
        let pins = PINS.get()?;
        let keep = pins.indexes(conversation::iter());
        let instructions = pins.instructions();
        if keep.is_empty() && instructions.is_none() {
            return Ok(pre_compaction::Outcome::Continue);
        }
        debug!(kept = keep.len(), "pinned messages");
        Ok(pre_compaction::Outcome::Transform(
            pre_compaction::CompactionHint { keep, instructions },
        ))
    }
}
