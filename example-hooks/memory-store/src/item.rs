//! Memories as items of context.

use std::collections::BTreeSet;

use portcullis_sdk::types::ContextItem;
use serde::{Deserialize, Serialize};

use crate::Memory;

/// The prefix of the kinds of all memories.
pub const KINDS: &str = "memory.";
/// The kind of memories in the user's profile.
pub const PROFILE: &str = "memory.profile";
/// The kind of memories that the user named.
pub const NAMED: &str = "memory.named";
/// The kind of memories that match the queries of the agent's plan.
pub const FOUND: &str = "memory.found";

#[derive(Serialize, Deserialize)]
struct Data {
    id: String,
}

/// Returns the item for a memory.
pub fn of(kind: &str, memory: &Memory) -> ContextItem {
    let id = memory.id.clone();
    ContextItem {
        kind: kind.to_owned(),
        text: memory.text.clone(),
        data: serde_json::to_string(&Data { id }).ok(),
    }
}

/// Returns whether an item is a memory.
pub fn is_memory(item: &ContextItem) -> bool {
    item.kind.starts_with(KINDS)
}

/// Returns the ids of the memories among the items.
pub fn ids(items: &[ContextItem]) -> BTreeSet<String> {
    items
        .iter()
        .filter(|item| is_memory(item))
        .filter_map(|item| serde_json::from_str::<Data>(item.data.as_deref()?).ok())
        .map(|data| data.id)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{PROFILE, ids, of};
    use crate::Memory;

    #[test]
    fn an_item_says_which_memory_it_is() {
        let item = of(PROFILE, &Memory::new(Some("profile.name"), "Ann"));
        let mut other = item.clone();
        other.kind = "skill".into();
        other.data = Some(r#"{"id":"x"}"#.into());
        let ids = ids(&[item, other]);
        assert_eq!(ids.into_iter().collect::<Vec<_>>(), ["profile.name"]);
    }
}
