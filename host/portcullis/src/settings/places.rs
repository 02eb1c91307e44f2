//! The positions of the keys in a TOML text.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::steps;

/// The positions of a text's keys and lines.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    keys: Keys,
    /// The offset of the start of each line but the first.
    lines: Vec<usize>,
}

/// Keys with their positions and the keys below them.
type Keys = BTreeMap<String, Key>;

#[derive(Debug, Clone, Default)]
struct Key {
    offset: usize,
    below: Keys,
}

impl Places {
    pub(super) fn of(text: &str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let table = DeTable::parse(text);
        steps::count(text.len());
        Self {
            keys: table.map_or_else(|_| Keys::new(), |table| keys(table.get_ref())),
            lines: breaks.map(|(at, _)| at + 1).collect(),
        }
    }

    /// Returns the line of an offset, counted from 1.
    pub(super) fn line(&self, offset: usize) -> usize {
        1 + self.lines.partition_point(|begins| *begins <= offset)
    }

    /// Returns whether the key at the end of a path exists.
    pub(super) fn has(&self, path: &[&str]) -> bool {
        let mut here = Some(&self.keys);
        path.iter().all(|name| {
            let key = here.and_then(|keys| keys.get(*name));
            here = key.map(|key| &key.below);
            key.is_some()
        })
    }

    /// Returns the offset of the key at the end of a path, or of the last existing key on the path.
    pub(super) fn offset(&self, path: &[&str]) -> Option<usize> {
        let mut here = &self.keys;
        let mut offset = None;
        for name in path {
            steps::count(1);
            let Some(key) = here.get(*name) else { break };
            offset = Some(key.offset);
            here = &key.below;
        }
        offset
    }
}

fn keys(table: &DeTable<'_>) -> Keys {
    let keys = table.iter().map(|(key, value)| {
        let below = below(value.get_ref());
        let offset = key.span().start;
        (key.get_ref().clone().into_owned(), Key { offset, below })
    });
    keys.collect()
}

/// Returns the keys of a table, or the indices of a list.
fn below(value: &DeValue<'_>) -> Keys {
    match value {
        DeValue::Table(table) => keys(table),
        DeValue::Array(items) => {
            let items = items.iter().enumerate().map(|(index, item)| {
                let below = below(item.get_ref());
                let offset = item.span().start;
                (index.to_string(), Key { offset, below })
            });
            items.collect()
        }
        _ => Keys::new(),
    }
}
