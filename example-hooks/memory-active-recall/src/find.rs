//! Choosing the memories to recall.

use memory_store::{Memory, item, score};
use portcullis_sdk::types::ContextItem;

/// The limits of the plan.
pub struct Room {
    pub items: u32,
    pub tokens: u64,
}

/// Returns the best matching memories that are not in the context yet, within the limits.
pub fn items(
    memories: &[Memory],
    queries: &[String],
    known: &[ContextItem],
    room: &Room,
) -> Vec<ContextItem> {
    let ids = item::ids(known);
    let new = score::rank(memories, queries)
        .into_iter()
        .filter(|memory| !ids.contains(&memory.id));
    score::take(new, room.items as usize, room.tokens)
        .into_iter()
        .map(|memory| item::of(item::FOUND, memory))
        .collect()
}

#[cfg(test)]
mod tests {
    use memory_store::{Memory, item};

    use super::{Room, items};

    #[test]
    fn the_best_that_are_new_and_fit() {
        let memories: Vec<Memory> = ["The dog is called Rex.", "A dog needs a walk.", "Tea."]
            .map(|text| Memory::new(None, text))
            .into();
        let known = [item::of(item::NAMED, &memories[0])];
        for (name, known, max_items, max_tokens, expected) in [
            (
                "both",
                &[][..],
                8,
                99,
                &["A dog needs a walk.", "The dog is called Rex."][..],
            ),
            (
                "not the known one",
                &known[..],
                8,
                99,
                &["A dog needs a walk."],
            ),
            ("one item", &[], 1, 99, &["A dog needs a walk."]),
            ("no tokens", &[], 8, 1, &[]),
        ] {
            let room = Room {
                items: max_items,
                tokens: max_tokens,
            };
            let mut found: Vec<String> = items(&memories, &["dogs".into()], known, &room)
                .into_iter()
                .map(|item| item.text)
                .collect();
            if max_items > 1 {
                found.sort();
            }
            assert_eq!(found, expected, "{name}");
        }
    }
}
