//! The writes of one call in one namespace.

use std::collections::HashMap;

use super::memory::Space;
use super::quota::Size;

/// The plain writes of one call in one namespace, with their sizes.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// `None` deletes the key.
    writes: HashMap<String, Option<Vec<u8>>>,
    /// The size of the keys that have a value here.
    written: Size,
    /// The size of the deleted keys.
    deleted: Size,
    /// The size in memory of all these keys, as of `version`.
    covered: Size,
    version: u64,
}

impl Held {
    pub(super) fn writes(&self) -> &HashMap<String, Option<Vec<u8>>> {
        &self.writes
    }

    pub(super) fn into_writes(self) -> HashMap<String, Option<Vec<u8>>> {
        self.writes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    /// Holds a write. `kept` is the namespace in memory.
    pub(super) fn put(&mut self, kept: &Space, key: String, value: Option<Vec<u8>>) {
        // Under another version, `covered` is counted again anyway.
        if !self.remove(&key) && self.version == kept.version() {
            self.covered = self.covered.plus(kept.size_of(&key));
        }
        self.hold(key, value);
    }

    /// Changes a write that is held.
    pub(super) fn change(&mut self, key: &str, value: Option<Vec<u8>>) {
        if self.remove(key) {
            self.hold(key.to_owned(), value);
        }
    }

    /// Removes a write whose key is not in the namespace in memory, or is written again at once:
    /// `covered` stays the same. Returns whether there was a write.
    pub(super) fn remove(&mut self, key: &str) -> bool {
        let Some(value) = self.writes.remove(key) else {
            return false;
        };
        let len = value.as_ref().map_or(0, Vec::len);
        let count = self.count(value.is_some());
        *count = count.minus(Size::of(key, len));
        true
    }

    fn hold(&mut self, key: String, value: Option<Vec<u8>>) {
        let len = value.as_ref().map_or(0, Vec::len);
        let count = self.count(value.is_some());
        *count = count.plus(Size::of(&key, len));
        self.writes.insert(key, value);
    }

    fn count(&mut self, written: bool) -> &mut Size {
        match written {
            true => &mut self.written,
            false => &mut self.deleted,
        }
    }

    /// Returns the size of a namespace in memory with these writes, without one key.
    pub(super) fn beside(&mut self, kept: &Space, key: &str) -> Size {
        if self.version != kept.version() {
            let covered = self.writes.keys().map(|key| kept.size_of(key));
            self.covered = covered.fold(Size::default(), Size::plus);
            self.version = kept.version();
        }
        let all = kept.size().minus(self.covered).plus(self.written);
        let own = match self.writes.get(key) {
            Some(Some(value)) => Size::of(key, value.len()),
            Some(None) => Size::default(),
            None => kept.size_of(key),
        };
        all.minus(own)
    }

    /// Returns the size of the deleted keys, without one key.
    pub(super) fn deleted_beside(&self, key: &str) -> Size {
        match self.writes.get(key) {
            Some(None) => self.deleted.minus(Size::of(key, 0)),
            Some(Some(_)) | None => self.deleted,
        }
    }
}
