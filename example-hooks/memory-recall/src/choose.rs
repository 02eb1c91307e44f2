//! Choosing the memories to recall.

use memory_store::{Memory, item, score, words};
use portcullis_sdk::schemars::{self, JsonSchema};
use portcullis_sdk::types::ContextItem;
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The most memories in a turn.
    max_items: usize,
    /// The most tokens of the memories in a turn.
    max_tokens: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            max_items: 12,
            max_tokens: 300,
        }
    }
}

/// Returns the profile and then the named memories, each newest first, within the limits.
pub fn items(memories: &[Memory], said: &str, config: &Config) -> Vec<ContextItem> {
    let names = words::names(said);
    let profile = memories.iter().filter(|memory| memory.profile);
    let named = memories
        .iter()
        .filter(|memory| !memory.profile && memory.is_named_by(&names));
    let chosen = score::take(profile.chain(named), config.max_items, config.max_tokens);
    let kind = |memory: &Memory| match memory.profile {
        true => item::PROFILE,
        false => item::NAMED,
    };
    chosen
        .into_iter()
        .map(|memory| item::of(kind(memory), memory))
        .collect()
}

#[cfg(test)]
mod tests {
    use memory_store::Memory;

    use super::{Config, items};

    fn memories() -> Vec<Memory> {
        vec![
            Memory::new(None, "The standup is at nine.").tagged(["work"]),
            Memory {
                profile: true,
                ..Memory::new(Some("profile.name"), "The user is called Ann.")
            },
            Memory::new(Some("wifi"), "The password is on the fridge."),
        ]
    }

    #[test]
    fn table() {
        let small = Config {
            max_items: 1,
            ..Config::default()
        };
        let full = Config::default();
        for (said, config, expected) in [
            ("hello", &full, &["memory.profile"][..]),
            (
                "anything for #Work?",
                &full,
                &["memory.profile", "memory.named"],
            ),
            (
                "the wifi at work",
                &full,
                &["memory.profile", "memory.named", "memory.named"],
            ),
            ("the wifi at work", &small, &["memory.profile"]),
            ("when is the standup?", &full, &["memory.profile"]),
        ] {
            let items = items(&memories(), said, config);
            let kinds: Vec<&str> = items.iter().map(|item| item.kind.as_str()).collect();
            assert_eq!(kinds, expected, "{said}");
        }
    }
}
