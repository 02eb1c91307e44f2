//! Extracts facts from the user's message after the turn, and remembers them.
//!
//! ```toml
//! [hooks.memory-extractor.grants]
//! contribute = ["note"]
//! shared-state = ["memory"]
//! views = ["conversation", "prompt", "session"]
//!
//! # In place of the defaults. `$1` is what the pattern's first group matched.
//! [[hooks.memory-extractor.config.facts]]
//! pattern = '(?i)\bmy name is (\w+)'
//! text = "The user is called $1."
//! id = "profile.name" # only the latest is kept; left out: each is kept
//! profile = true      # recalled in every turn; left out: false
//! tags = ["name"]
//! ```
//!
//! It reads only the user's last message, not the model's answer. It skips a turn whose policy
//! forbids writing, or in which no model was called. The note `memory.extracted` has counts and
//! nothing else.
//!
//! Points: `post-turn`. Role: observe, in the background: the agent does not wait for it. It fails
//! open. Needs the views `conversation`, `prompt` and `session`.

mod facts;

use facts::Facts;
use memory_store::store::{self, Kept};
use memory_store::{Memory, policy};
use portcullis_sdk::config::Prepared;
use portcullis_sdk::prelude::*;
use serde::Serialize;

static FACTS: Prepared<Facts> = Prepared::new(|| Facts::compile(config()?));

#[derive(Debug, Default, Serialize)]
struct Counts {
    stored: u32,
    unchanged: u32,
    no_room: u32,
}

struct MemoryExtractor;

#[hook(
    id = "memory-extractor",
    kind = "memory",
    description = "Takes facts out of what the user said and remembers them.",
    execution = background,
    config = facts::Config
)]
impl MemoryExtractor {
    fn post_turn(call: &post_turn::Call) -> HookResult<post_turn::Verdict> {
        // Without a step, the turn had no prompt, and so no policy.
        if call.steps() > 0 && policy::in_turn().write {
            let counts = keep(FACTS.get()?.of(&said()))?;
            call.add_note_json("memory.extracted", &counts)?;
        }
        Ok(call.proceed())
    }
}

/// Returns the text of the user's last message.
fn said() -> String {
    (0..conversation::len())
        .rev()
        .filter_map(conversation::get)
        .find(|message| message.role == Role::User)
        .map(|message| message.text())
        .unwrap_or_default()
}

fn keep(memories: Vec<Memory>) -> HookResult<Counts> {
    let mut counts = Counts::default();
    for memory in memories {
        let count = match store::keep(memory)? {
            Kept::Stored => &mut counts.stored,
            Kept::Unchanged => &mut counts.unchanged,
            Kept::NoRoom => &mut counts.no_room,
        };
        *count += 1;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests;
