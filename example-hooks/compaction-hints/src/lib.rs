//! Keeps pinned messages when a conversation is compacted.
//!
//! ```toml
//! [hooks.compaction-hints.config]
//! marker = "[pin]"                 # the default; "" for none
//! patterns = ['(?i)\bdecision:']   # messages that match one of these are kept as well
//! instructions = "Hold on to file names and open questions."
//! ```
//!
//! A message is kept if its text contains the marker or matches a pattern. `instructions` goes to
//! the model that writes the summary. All three may be left out.
//!
//! The hook reads the conversation in slices and never holds all of it in memory.
//!
//! Points: `pre-compaction`. Role: transform; it guards nothing, so it fails open. Needs the
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
    failure = open,
    config = pins::Config
)]
impl CompactionHints {
    fn pre_compaction(call: &pre_compaction::Call) -> HookResult<pre_compaction::Verdict> {
        let pins = PINS.get()?;
        let keep = pins.indexes(conversation::iter());
        if keep.is_empty() && pins.instructions.is_none() {
            return Ok(call.proceed());
        }
        debug!(kept = keep.len(), "pinned messages");
        Ok(call.transform(&keep, pins.instructions.as_deref()))
    }
}
