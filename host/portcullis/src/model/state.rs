//! Where hooks keep what they remember.
//!
//! Plain writes of a call are held back until it succeeds. Atomic operations take effect at once,
//! so that two sessions cannot both take the last of a budget, and are undone if the call fails.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The state of all hooks of a host.
#[derive(Debug, Default)]
pub struct StateStore {
    spaces: Mutex<HashMap<Namespace, BTreeMap<String, Vec<u8>>>>,
}

/// What hooks remember of a session: keys and values, by hook.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct PrivateState(BTreeMap<String, BTreeMap<String, Vec<u8>>>);

/// The most bytes of a number in text.
const LONGEST_NUMBER: usize = 20;

/// Whose state it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Namespace {
    /// One hook's in one session.
    Private { opening: u64, hook: Arc<str> },
    /// Everybody's to whom the operator grants it.
    Shared(Arc<str>),
}

/// How much a namespace may hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Quota {
    pub(crate) keys: usize,
    pub(crate) bytes: usize,
}

/// Why state could not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum StateFault {
    TooManyKeys(usize),
    TooManyBytes(usize),
    NotANumber,
}

impl StateStore {
    /// The value at a key of a shared namespace, for the embedder.
    pub fn shared(&self, namespace: &str, key: &str) -> Option<Vec<u8>> {
        self.lock()
            .get(&Namespace::Shared(namespace.into()))?
            .get(key)
            .cloned()
    }

    /// All keys and values of a shared namespace, for the embedder.
    pub fn shared_all(&self, namespace: &str) -> BTreeMap<String, Vec<u8>> {
        let namespace = Namespace::Shared(namespace.into());
        self.lock().get(&namespace).cloned().unwrap_or_default()
    }

    /// Puts a value at a key of a shared namespace, for the embedder.
    pub fn set_shared(&self, namespace: &str, key: &str, value: Vec<u8>) {
        self.lock()
            .entry(Namespace::Shared(namespace.into()))
            .or_default()
            .insert(key.into(), value);
    }

    /// Forgets all private state of a session, named by its opening.
    pub(crate) fn forget(&self, session: u64) {
        self.lock().retain(|space, _| match space {
            Namespace::Private { opening, .. } => *opening != session,
            Namespace::Shared(_) => true,
        });
    }

    /// What the hooks of an opening remember.
    pub(crate) fn export(&self, session: u64) -> PrivateState {
        let spaces = self.lock();
        let of_session = spaces.iter().filter_map(|(space, values)| match space {
            Namespace::Private { opening, hook } if *opening == session => {
                Some((hook.to_string(), values.clone()))
            }
            _ => None,
        });
        PrivateState(of_session.collect())
    }

    /// Gives the hooks of an opening what they remembered before.
    pub(crate) fn import(&self, session: u64, state: PrivateState) {
        let mut spaces = self.lock();
        for (hook, values) in state.0 {
            let space = Namespace::Private {
                opening: session,
                hook: hook.into(),
            };
            spaces.insert(space, values);
        }
    }

    // A panic elsewhere leaves the maps whole: each operation is one insert or remove.
    fn lock(&self) -> MutexGuard<'_, HashMap<Namespace, BTreeMap<String, Vec<u8>>>> {
        self.spaces.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What one call does to the state.
#[derive(Debug)]
pub(crate) struct Transaction {
    store: Arc<StateStore>,
    quota: Quota,
    /// Plain writes, which no other call sees yet.
    held: HashMap<(Namespace, String), Option<Vec<u8>>>,
    /// How to undo the atomic operations, which every call sees.
    undo: Vec<Undo>,
    /// The bytes that `undo` holds.
    undo_bytes: usize,
}

#[derive(Debug)]
enum Undo {
    Add {
        space: Namespace,
        key: String,
        delta: i64,
        created: bool,
    },
    Put {
        space: Namespace,
        key: String,
        before: Option<Vec<u8>>,
        after: Option<Vec<u8>>,
    },
}

impl Transaction {
    pub(crate) fn new(store: Arc<StateStore>, quota: Quota) -> Self {
        Self {
            store,
            quota,
            held: HashMap::new(),
            undo: Vec::new(),
            undo_bytes: 0,
        }
    }

    /// Whether nothing was written.
    pub(crate) fn is_clean(&self) -> bool {
        self.held.is_empty() && self.undo.is_empty()
    }

    /// What was written so far, as a transaction of its own; nothing if nothing was.
    pub(crate) fn take(&mut self) -> Option<Self> {
        if self.is_clean() {
            return None;
        }
        let empty = Self::new(self.store.clone(), self.quota);
        Some(std::mem::replace(self, empty))
    }

    pub(crate) fn get(&self, space: &Namespace, key: &str) -> Option<Vec<u8>> {
        if !self.held.is_empty()
            && let Some(held) = self.held.get(&(space.clone(), key.to_owned()))
        {
            return held.clone();
        }
        self.store.lock().get(space)?.get(key).cloned()
    }

    pub(crate) fn keys(&self, space: &Namespace) -> Vec<String> {
        let mut keys: std::collections::BTreeSet<String> = self
            .store
            .lock()
            .get(space)
            .map(|map| map.keys().cloned().collect())
            .unwrap_or_default();
        for ((held_space, key), value) in &self.held {
            if held_space == space {
                match value {
                    Some(_) => keys.insert(key.clone()),
                    None => keys.remove(key),
                };
            }
        }
        keys.into_iter().collect()
    }

    pub(crate) fn set(
        &mut self,
        space: &Namespace,
        key: String,
        value: Vec<u8>,
    ) -> Result<(), StateFault> {
        self.room_for(space, &key, value.len())?;
        self.held.insert((space.clone(), key), Some(value));
        Ok(())
    }

    pub(crate) fn delete(&mut self, space: &Namespace, key: String) {
        // To forget what was never there needs no remembering.
        let there = self
            .store
            .lock()
            .get(space)
            .is_some_and(|map| map.contains_key(&key));
        match there {
            true => self.held.insert((space.clone(), key), None),
            false => self.held.remove(&(space.clone(), key)),
        };
    }

    pub(crate) fn increment(
        &mut self,
        space: &Namespace,
        key: String,
        delta: i64,
    ) -> Result<i64, StateFault> {
        self.room_for(space, &key, LONGEST_NUMBER)?;
        let add = |value: Option<&Vec<u8>>| {
            number(value)?
                .checked_add(delta)
                .ok_or(StateFault::NotANumber)
        };
        // What the call itself overwrote is its own until it commits.
        if let Some(held) = self.held.get_mut(&(space.clone(), key.clone())) {
            let sum = add(held.as_ref())?;
            *held = Some(sum.to_string().into_bytes());
            return Ok(sum);
        }
        self.remember(key.len() + LONGEST_NUMBER)?;
        let mut spaces = self.store.lock();
        let map = spaces.entry(space.clone()).or_default();
        let sum = add(map.get(&key))?;
        let created = map
            .insert(key.clone(), sum.to_string().into_bytes())
            .is_none();
        drop(spaces);
        self.undo.push(Undo::Add {
            space: space.clone(),
            key,
            delta,
            created,
        });
        Ok(sum)
    }

    pub(crate) fn swap(
        &mut self,
        space: &Namespace,
        key: String,
        expected: Option<Vec<u8>>,
        new: Option<Vec<u8>>,
    ) -> Result<bool, StateFault> {
        let size = new.as_ref().map_or(0, Vec::len);
        self.room_for(space, &key, size)?;
        if let Some(held) = self.held.get_mut(&(space.clone(), key.clone())) {
            let same = *held == expected;
            if same {
                *held = new;
            }
            return Ok(same);
        }
        self.remember(key.len() + size + expected.as_ref().map_or(0, Vec::len))?;
        let mut spaces = self.store.lock();
        let map = spaces.entry(space.clone()).or_default();
        if map.get(&key) != expected.as_ref() {
            return Ok(false);
        }
        put(map, &key, new.clone());
        drop(spaces);
        self.undo.push(Undo::Put {
            space: space.clone(),
            key,
            before: expected,
            after: new,
        });
        Ok(true)
    }

    /// Counts what must be remembered to undo an atomic operation. A call may have it remember
    /// four times what a namespace may hold.
    fn remember(&mut self, bytes: usize) -> Result<(), StateFault> {
        let total = self.undo_bytes.saturating_add(bytes);
        if total > self.quota.bytes.saturating_mul(4) {
            return Err(StateFault::TooManyBytes(self.quota.bytes));
        }
        self.undo_bytes = total;
        Ok(())
    }

    /// The call succeeded: its writes stay.
    pub(crate) fn commit(&mut self) {
        self.undo.clear();
        self.undo_bytes = 0;
        if self.held.is_empty() {
            return;
        }
        let mut spaces = self.store.lock();
        for ((space, key), value) in self.held.drain() {
            put(spaces.entry(space).or_default(), &key, value);
        }
    }

    /// The call failed: nothing of it stays.
    fn roll_back(&mut self) {
        self.held.clear();
        self.undo_bytes = 0;
        if self.undo.is_empty() {
            return;
        }
        let mut spaces = self.store.lock();
        for undo in self.undo.drain(..).rev() {
            match undo {
                Undo::Add {
                    space,
                    key,
                    delta,
                    created,
                } => {
                    let map = spaces.entry(space).or_default();
                    // Others may have added since, and theirs stays; or taken the key away, and
                    // then there is nothing left of ours.
                    let Some(Ok(now)) = map.get(&key).map(|value| number(Some(value))) else {
                        continue;
                    };
                    match now.saturating_sub(delta) {
                        0 if created => map.remove(&key),
                        sum => map.insert(key, sum.to_string().into_bytes()),
                    };
                }
                Undo::Put {
                    space,
                    key,
                    before,
                    after,
                } => {
                    let map = spaces.entry(space).or_default();
                    if map.get(&key) == after.as_ref() {
                        put(map, &key, before);
                    }
                }
            }
        }
    }

    fn room_for(&self, space: &Namespace, key: &str, len: usize) -> Result<(), StateFault> {
        let (mut keys, mut bytes) = (1, key.len() + len);
        let mut count = |k: &str, v: usize| {
            if k != key {
                keys += 1;
                bytes += k.len() + v;
            }
        };
        let spaces = self.store.lock();
        for (k, v) in spaces.get(space).into_iter().flatten() {
            if self.held.is_empty() || !self.held.contains_key(&(space.clone(), k.clone())) {
                count(k, v.len());
            }
        }
        for ((held_space, k), v) in &self.held {
            if let (true, Some(v)) = (held_space == space, v) {
                count(k, v.len());
            }
        }
        if keys > self.quota.keys {
            return Err(StateFault::TooManyKeys(self.quota.keys));
        }
        if bytes > self.quota.bytes {
            return Err(StateFault::TooManyBytes(self.quota.bytes));
        }
        Ok(())
    }
}

impl Drop for Transaction {
    /// What was not committed is undone.
    fn drop(&mut self) {
        self.roll_back();
    }
}

fn put(map: &mut BTreeMap<String, Vec<u8>>, key: &str, value: Option<Vec<u8>>) {
    match value {
        Some(value) => map.insert(key.to_owned(), value),
        None => map.remove(key),
    };
}

fn number(value: Option<&Vec<u8>>) -> Result<i64, StateFault> {
    let Some(bytes) = value else { return Ok(0) };
    std::str::from_utf8(bytes)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or(StateFault::NotANumber)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(store: &Arc<StateStore>) -> Transaction {
        Transaction::new(
            store.clone(),
            Quota {
                keys: 3,
                bytes: 100,
            },
        )
    }

    fn costs() -> Namespace {
        Namespace::Shared("costs".into())
    }

    #[test]
    fn a_session_that_is_left_is_remembered_in_another_host() {
        let private = |opening| Namespace::Private {
            opening,
            hook: "counts".into(),
        };
        let store = Arc::new(StateStore::default());
        let mut call = open(&store);
        for opening in [1, 2] {
            let n = opening.to_string().into_bytes();
            call.set(&private(opening), "n".into(), n).expect("room");
        }
        call.commit();
        let kept = serde_json::to_string(&store.export(1)).expect("JSON");
        let there = Arc::new(StateStore::default());
        there.import(7, serde_json::from_str(&kept).expect("what was kept"));
        let call = open(&there);
        assert_eq!(call.get(&private(7), "n"), Some(b"1".to_vec()));
        assert_eq!(call.get(&private(2), "n"), None);
    }

    #[test]
    fn plain_writes_wait_for_the_commit() {
        let store = Arc::new(StateStore::default());
        let mut call = open(&store);
        call.set(&costs(), "a".into(), b"1".to_vec()).expect("room");
        assert_eq!(call.get(&costs(), "a"), Some(b"1".to_vec()));
        assert_eq!(store.shared("costs", "a"), None);
        call.commit();
        assert_eq!(store.shared("costs", "a"), Some(b"1".to_vec()));
    }

    #[test]
    fn a_failed_call_leaves_nothing() {
        let store = Arc::new(StateStore::default());
        store.set_shared("costs", "total", b"5".to_vec());
        let mut call = open(&store);
        call.set(&costs(), "a".into(), b"x".to_vec()).expect("room");
        assert_eq!(call.increment(&costs(), "total".into(), 3), Ok(8));
        assert_eq!(
            call.swap(&costs(), "lock".into(), None, Some(b"me".to_vec())),
            Ok(true)
        );
        // Another session adds while the call runs.
        let mut other = open(&store);
        assert_eq!(other.increment(&costs(), "total".into(), 10), Ok(18));
        other.commit();
        drop(call);
        assert_eq!(store.shared("costs", "total"), Some(b"15".to_vec()));
        assert_eq!(store.shared("costs", "lock"), None);
        assert_eq!(store.shared("costs", "a"), None);
    }

    #[test]
    fn what_a_failed_call_made_is_gone() {
        let store = Arc::new(StateStore::default());
        let mut call = open(&store);
        assert_eq!(call.increment(&costs(), "new".into(), 3), Ok(3));
        drop(call);
        assert_eq!(store.shared("costs", "new"), None);
    }

    #[test]
    fn what_others_took_away_does_not_come_back() {
        let store = Arc::new(StateStore::default());
        let mut call = open(&store);
        assert_eq!(call.increment(&costs(), "total".into(), 10), Ok(10));
        let mut reset = open(&store);
        reset.delete(&costs(), "total".into());
        reset.commit();
        drop(call);
        assert_eq!(store.shared("costs", "total"), None);
    }

    #[test]
    fn what_a_call_overwrites_is_its_own_until_it_commits() {
        let store = Arc::new(StateStore::default());
        store.set_shared("costs", "total", b"100".to_vec());
        let mut call = open(&store);
        call.set(&costs(), "total".into(), b"0".to_vec())
            .expect("room");
        assert_eq!(call.increment(&costs(), "total".into(), 5), Ok(5));
        let mut other = open(&store);
        assert_eq!(other.increment(&costs(), "total".into(), 5), Ok(105));
        other.commit();
        drop(call);
        assert_eq!(store.shared("costs", "total"), Some(b"105".to_vec()));
    }

    #[test]
    fn undoing_is_capped_too() {
        let store = Arc::new(StateStore::default());
        let mut call = open(&store);
        let full = (0..100).find_map(|_| call.increment(&costs(), "n".into(), 1).err());
        assert_eq!(full, Some(StateFault::TooManyBytes(100)));
    }

    #[test]
    fn a_swap_sees_what_the_call_wrote_before() {
        let store = Arc::new(StateStore::default());
        let mut call = open(&store);
        call.set(&costs(), "a".into(), b"1".to_vec()).expect("room");
        let swapped = call.swap(&costs(), "a".into(), Some(b"1".to_vec()), None);
        assert_eq!(swapped, Ok(true));
        assert_eq!(call.keys(&costs()), Vec::<String>::new());
    }

    #[test]
    fn keys_and_bytes_are_capped() {
        let store = Arc::new(StateStore::default());
        let mut call = open(&store);
        let too_big = call.set(&costs(), "a".into(), vec![0; 100]);
        assert_eq!(too_big, Err(StateFault::TooManyBytes(100)));
        for key in ["a", "b", "c"] {
            call.set(&costs(), key.into(), Vec::new()).expect("room");
        }
        let one_more = call.set(&costs(), "d".into(), Vec::new());
        assert_eq!(one_more, Err(StateFault::TooManyKeys(3)));
    }

    #[test]
    fn text_is_not_a_number_and_sums_do_not_wrap() {
        let store = Arc::new(StateStore::default());
        store.set_shared("costs", "name", b"x".to_vec());
        store.set_shared("costs", "most", i64::MAX.to_string().into_bytes());
        let mut call = open(&store);
        for key in ["name", "most"] {
            let sum = call.increment(&costs(), key.into(), 1);
            assert_eq!(sum, Err(StateFault::NotANumber));
        }
    }
}
