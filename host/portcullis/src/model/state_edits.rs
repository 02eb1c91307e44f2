//! A hook's changes to the agent's state, held until its answer is accepted.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::model::state::Quota;

/// The changes that one hook call makes to the agent's state, by key. `None` removes the key.
pub type StateEdits = BTreeMap<String, Option<Value>>;

/// The reason that a hook may not change a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EditFault {
    /// The hook was not granted the key.
    NotGranted,
    /// The key's name is invalid.
    BadKey,
    /// The number of the hook's keys would exceed this limit.
    TooManyKeys(usize),
    /// The size of the hook's keys would exceed this limit, in bytes.
    TooManyBytes(usize),
}

/// The changes of the current call, with the hook's grant.
pub(crate) struct HeldEdits {
    granted: Vec<String>,
    quota: Quota,
    held: StateEdits,
    /// The size of the hook's keys with these changes. Counted at the first change of a call.
    size: Option<Size>,
}

/// The total size of the keys that a hook may change.
#[derive(Debug, Clone, Copy, Default)]
struct Size {
    keys: usize,
    bytes: usize,
}

impl HeldEdits {
    pub(crate) fn new(granted: Vec<String>, quota: Quota) -> Self {
        Self {
            granted,
            quota,
            held: StateEdits::new(),
            size: None,
        }
    }

    /// Returns whether the call has changed nothing.
    pub(crate) fn is_clean(&self) -> bool {
        self.size.is_none()
    }

    /// Takes the changes of the call.
    pub(crate) fn take(&mut self) -> StateEdits {
        self.size = None;
        std::mem::take(&mut self.held)
    }

    /// Returns the entry of the grant that covers a key.
    pub(crate) fn entry(&self, key: &str) -> Option<&str> {
        let mut granted = self.granted.iter();
        granted.find(|entry| covers(entry, key)).map(String::as_str)
    }

    /// Changes a key. `values` is the state as the call sees it.
    pub(crate) fn edit(
        &mut self,
        values: &Map<String, Value>,
        key: String,
        value: Option<Value>,
    ) -> Result<(), EditFault> {
        if key.is_empty() || key.chars().any(char::is_control) {
            return Err(EditFault::BadKey);
        }
        if !self.granted.iter().any(|entry| covers(entry, &key)) {
            return Err(EditFault::NotGranted);
        }
        let size = self.size.unwrap_or_else(|| self.size_of(values));
        self.size = Some(size);
        let before = match self.held.get(&key) {
            Some(held) => held.as_ref(),
            None => values.get(&key),
        };
        let (before, after) = (bytes(&key, before), bytes(&key, value.as_ref()));
        let size = Size {
            keys: size.keys.saturating_sub(usize::from(before > 0)) + usize::from(after > 0),
            bytes: size.bytes.saturating_sub(before) + after,
        };
        if after > before {
            if size.keys > self.quota.keys {
                return Err(EditFault::TooManyKeys(self.quota.keys));
            }
            if size.bytes > self.quota.bytes {
                return Err(EditFault::TooManyBytes(self.quota.bytes));
            }
        }
        self.size = Some(size);
        match value.is_none() && !values.contains_key(&key) {
            true => drop(self.held.remove(&key)),
            false => drop(self.held.insert(key, value)),
        }
        Ok(())
    }

    /// Returns the size of the keys that the hook may change.
    fn size_of(&self, values: &Map<String, Value>) -> Size {
        let own = (values.iter()).filter(|(key, _)| self.granted.iter().any(|it| covers(it, key)));
        own.fold(Size::default(), |size, (key, value)| Size {
            keys: size.keys + 1,
            bytes: size.bytes + bytes(key, Some(value)),
        })
    }
}

/// Returns whether an entry of the grant covers a key: the entry is the key, or a prefix of the key
/// and `*`.
fn covers(entry: &str, key: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(prefix) => key.starts_with(prefix),
        None => entry == key,
    }
}

/// Returns the error in an entry of the grant, if there is one.
pub(crate) fn entry_fault(entry: &str) -> Option<&'static str> {
    let prefix = entry.strip_suffix('*').unwrap_or(entry);
    match (entry.is_empty(), prefix.contains('*')) {
        (true, _) => Some("is empty"),
        (_, true) => Some("has a `*` before its end"),
        _ => None,
    }
}

/// Returns the bytes of a key with its value as JSON text; 0 if there is no value.
fn bytes(key: &str, value: Option<&Value>) -> usize {
    struct Count(usize);
    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(key.len());
    match value.map(|value| serde_json::to_writer(&mut count, value)) {
        Some(_) => count.0,
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn held(granted: &[&str], keys: usize, bytes: usize) -> HeldEdits {
        let granted = granted.iter().map(|&entry| entry.to_owned()).collect();
        HeldEdits::new(granted, Quota { keys, bytes })
    }

    fn values(json: Value) -> Map<String, Value> {
        json.as_object().cloned().unwrap()
    }

    #[test]
    fn only_granted_keys_are_changed() {
        let mut edits = held(&["plan", "notes/*"], 10, 1_000);
        let state = values(json!({ "plan": 1, "tool": 2 }));
        let mut edit = |key: &str, value| edits.edit(&state, key.to_owned(), value);
        assert_eq!(edit("plan", Some(json!(2))), Ok(()));
        assert_eq!(edit("notes/a", Some(json!("x"))), Ok(()));
        for key in ["tool", "plans", "notes", "*"] {
            assert_eq!(edit(key, None), Err(EditFault::NotGranted), "{key}");
        }
        for key in ["", "notes/\n"] {
            assert_eq!(edit(key, None), Err(EditFault::BadKey), "{key:?}");
        }
        assert!(!edits.is_clean());
        let taken = [("notes/a", json!("x")), ("plan", json!(2))];
        let taken = taken.map(|(key, value)| (key.to_owned(), Some(value)));
        assert_eq!(edits.take(), BTreeMap::from(taken));
        assert!(edits.is_clean());
    }

    #[test]
    fn what_is_in_the_state_already_counts() {
        let full = |most| Err(EditFault::TooManyKeys(most));
        let mut edits = held(&["k*"], 2, 1_000);
        let state = values(json!({ "k1": 1, "other": 1 }));
        let mut edit = |key: &str, value| edits.edit(&state, key.to_owned(), value);
        assert_eq!(edit("k2", Some(json!(1))), Ok(()));
        assert_eq!(edit("k3", Some(json!(1))), full(2));
        assert_eq!(edit("k2", Some(json!(10))), Ok(()));
        assert_eq!(edit("k1", None), Ok(()));
        assert_eq!(edit("k3", Some(json!(1))), Ok(()));
        // Removing a key that did not exist is no change.
        assert_eq!(edit("k3", None), Ok(()));
        assert_eq!(edits.take().keys().collect::<Vec<_>>(), ["k1", "k2"]);
    }

    #[test]
    fn bytes_are_those_of_keys_and_json() {
        let mut edits = held(&["*"], 10, 10);
        let none = Map::new();
        let mut edit = |key: &str, value| edits.edit(&none, key.to_owned(), Some(value));
        assert_eq!(edit("key", json!("12345")), Ok(()));
        let full = Err(EditFault::TooManyBytes(10));
        assert_eq!(edit("key", json!("123456")), full);
        assert_eq!(edit("key", json!("")), Ok(()));
        assert_eq!(edit("b", json!(null)), Ok(()));
        assert_eq!(edit("c", json!(1)), full);
    }
}
