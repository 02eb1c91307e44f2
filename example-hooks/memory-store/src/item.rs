//! Memories as items of context.

use std::collections::BTreeSet;

use portcullis_sdk::types::ContextItem;
use serde::{Deserialize, Serialize};

use crate::Memory;

/// What the kinds of all memories begin with.
pub const KINDS: &str = "memory.";
/// A part of who the user is.
pub const PROFILE: &str = "memory.profile";
/// Something the user named.
pub const NAMED: &str = "memory.named";
/// Something that fits what the agent looks for.
pub const FOUND: &str = "memory.found";

#[derive(Serialize, Deserialize)]
struct Data {
    id: String,
}

/// The item for a memory.
pub fn of(kind: &str, memory: &Memory) -> ContextItem {
    let id = memory.id.clone();
    ContextItem {
        kind: kind.to_owned(),
        text: memory.text.clone(),
        data: serde_json::to_string(&Data { id }).ok(),
    }
}

/// Whether an item is a memory.
pub fn is_memory(item: &ContextItem) -> bool {
    item.kind.starts_with(KINDS)
}

/// The ids of the memories among these.
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
