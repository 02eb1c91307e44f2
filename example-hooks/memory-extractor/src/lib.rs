//! Takes facts out of what the user said, once the turn is over, and remembers them.
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
//! id = "profile.name" # one of it is kept, the latest; left out: each is kept
//! profile = true      # recalled in every turn; left out: false
//! tags = ["name"]
//! ```
//!
//! Only what the user said in the turn is read, not what the model answered. A turn that the policy
//! keeps from writing, or that no model took part in, is left alone. The note
//! `memory.extracted` has counts and nothing else.
//!
//! Points: `post-turn`. Role: observe, in the background: nobody waits for it, and it changes
//! nothing. It fails open. Needs the views `conversation`, `prompt` and `session`.

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
    role = observe,
    execution = background,
    contributes = [note]
)]
impl MemoryExtractor {
    fn post_turn(_: Context, output: post_turn::TurnOutput) -> HookResult<post_turn::Outcome> {
        // Without a step the prompt was not put together, and no policy asked for.
        if output.steps == 0 || !policy::in_turn().write {
            return Ok(post_turn::Outcome::Continue);
        }
        let counts = keep(FACTS.get()?.of(&said()))?;
        let note = AuditNote {
            code: "memory.extracted".into(),
            data: serde_json::to_string(&counts)?,
        };
        Ok(post_turn::Outcome::Contribute(vec![
            post_turn::Contribution::Note(note),
        ]))
    }
}

/// What the user said in the turn: the last message of theirs.
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
