//! The state of hooks during a replay.
//!
//! A hook's own writes persist: another version reads its own writes. A value that the recorded
//! hook read and had not written is set before the call: others wrote it, or it existed before.

use std::collections::{BTreeMap, BTreeSet};

use portcullis::recording::{TapedInterface, World, WorldCall};
use serde_json::Value;

/// A namespace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    /// The private state of the hook in a session opening.
    Private(u64),
    /// A shared namespace.
    Shared(String),
}

type Key = (Space, String);

/// The known part of the recorded hook's state.
#[derive(Default)]
pub(super) struct Recorded {
    known: BTreeMap<Key, Option<Vec<u8>>>,
}

/// A key that others changed, and its value.
#[derive(Debug, PartialEq)]
pub(super) struct Changed {
    pub(super) space: Space,
    pub(super) key: String,
    pub(super) value: Option<Vec<u8>>,
}

/// The writes of a call.
pub(super) struct Written(BTreeMap<Key, Option<Vec<u8>>>);

/// A call's view of the state.
struct Calling<'a> {
    recorded: &'a mut Recorded,
    /// The writes of the call itself.
    own: BTreeMap<Key, Option<Vec<u8>>>,
    changed: Vec<Changed>,
}

impl Recorded {
    /// Returns the changes by others before a call that had the private state of this opening, and
    /// the call's writes.
    pub(super) fn follow(&mut self, opening: u64, world: &World) -> (Vec<Changed>, Written) {
        let mut calling = Calling {
            recorded: self,
            own: BTreeMap::new(),
            changed: Vec::new(),
        };
        for call in &world.calls {
            let Some(returned) = &call.returned else {
                continue;
            };
            let arguments = call.arguments.as_array().map_or(&[][..], Vec::as_slice);
            let (space, arguments) = match (TapedInterface::of(&call.interface), arguments) {
                (Some(TapedInterface::State), arguments) => (Space::Private(opening), arguments),
                (Some(TapedInterface::SharedState), [Value::String(space), rest @ ..]) => {
                    (Space::Shared(space.clone()), rest)
                }
                // The model's answers are replayed separately. A later host may have recorded other
                // interfaces.
                (Some(TapedInterface::SharedState | TapedInterface::Model) | None, _) => continue,
            };
            calling.did(&space, &call.function, arguments, result(returned));
        }
        let Calling { own, changed, .. } = calling;
        (changed, Written(own))
    }

    /// Records that a call with these writes was replayed, and that its writes took effect.
    /// Otherwise the next call gets the writes as changes by others.
    pub(super) fn wrote(&mut self, Written(own): Written) {
        self.known.extend(own);
    }
}

impl Calling<'_> {
    fn did(
        &mut self,
        space: &Space,
        function: &str,
        arguments: &[Value],
        returned: Option<&Value>,
    ) {
        let Some(returned) = returned else {
            return;
        };
        match (function, arguments) {
            ("get", [Value::String(key)]) => self.read(space, key, bytes(returned)),
            ("keys", _) => self.listed(space, returned),
            ("set", [Value::String(key), value]) => {
                let value = bytes(value);
                self.own.insert((space.clone(), key.clone()), value);
            }
            ("delete", [Value::String(key)]) => {
                self.own.insert((space.clone(), key.clone()), None);
            }
            ("increment", [Value::String(key), delta]) => {
                if let (Some(sum), Some(delta)) = (returned.as_i64(), delta.as_i64()) {
                    // A missing value counts as 0, so a sum equal to the delta reveals nothing.
                    let before = sum.wrapping_sub(delta);
                    if before != 0 {
                        self.read(space, key, Some(before.to_string().into_bytes()));
                    }
                    let now = Some(sum.to_string().into_bytes());
                    self.own.insert((space.clone(), key.clone()), now);
                }
            }
            ("swap", [Value::String(key), expected, new]) if *returned == Value::Bool(true) => {
                self.read(space, key, bytes(expected));
                self.own.insert((space.clone(), key.clone()), bytes(new));
            }
            _ => {}
        }
    }

    /// Records that the recorded hook read this value at a key.
    fn read(&mut self, space: &Space, key: &str, value: Option<Vec<u8>>) {
        let at = (space.clone(), key.to_owned());
        if self.own.contains_key(&at) {
            return;
        }
        let was_known = self.recorded.known.get(&at).cloned().unwrap_or_default();
        if was_known != value {
            self.changed.push(Changed {
                space: space.clone(),
                key: key.to_owned(),
                value: value.clone(),
            });
        }
        self.recorded.known.insert(at, value);
    }

    fn listed(&mut self, space: &Space, keys: &Value) {
        let keys = keys.as_array().map_or(&[][..], Vec::as_slice);
        let there: BTreeSet<&str> = keys.iter().filter_map(Value::as_str).collect();
        for key in &there {
            let at = (space.clone(), (*key).to_owned());
            let is_known = matches!(self.recorded.known.get(&at), Some(Some(_)));
            if !is_known && !self.own.contains_key(&at) {
                // Its value is not known until it is read.
                self.read(space, key, Some(Vec::new()));
            }
        }
        let gone: Vec<String> = self
            .recorded
            .known
            .iter()
            .filter(|((of, key), value)| {
                of == space && value.is_some() && !there.contains(key.as_str())
            })
            .map(|((_, key), _)| key.clone())
            .collect();
        for key in gone {
            self.read(space, &key, None);
        }
    }
}

/// Returns a function's result: the one value of the list, without `Ok`. `None` for a function that
/// returned nothing, or an error.
fn result(returned: &Value) -> Option<&Value> {
    static NULL: Value = Value::Null;
    let first = match returned {
        Value::Array(list) => list.first().unwrap_or(&NULL),
        other => other,
    };
    match first.as_object() {
        Some(map) if map.contains_key("Ok") => map.get("Ok"),
        Some(map) if map.contains_key("Err") => None,
        _ => Some(first),
    }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    let list = value.as_array()?.iter();
    list.map(|byte| u8::try_from(byte.as_u64()?).ok()).collect()
}

/// Returns the changes of a call: to state, servers and the model.
pub(super) fn effects(world: &World) -> Vec<Value> {
    let calls = world.calls.iter().filter(|call| !only_reads(call));
    let calls =
        calls.map(|call| serde_json::json!([call.interface, call.function, call.arguments]));
    let requests = world.requests.iter().map(|request| {
        serde_json::json!([
            request.method,
            request.url,
            request.body.text,
            request.body.bytes
        ])
    });
    calls.chain(requests).collect()
}

/// Returns whether a call changes nothing.
fn only_reads(call: &WorldCall) -> bool {
    let reads: &[&str] = match TapedInterface::of(&call.interface) {
        Some(TapedInterface::State | TapedInterface::SharedState) => &["get", "keys"],
        Some(TapedInterface::Model) => &["tokens-left", "tokens_left"],
        None => &[],
    };
    reads.contains(&call.function.as_str())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn world(calls: &[(&str, Value, Value)]) -> World {
        World {
            calls: calls
                .iter()
                .map(|(function, arguments, returned)| WorldCall {
                    interface: "portcullis:hooks/state".into(),
                    function: (*function).into(),
                    arguments: arguments.clone(),
                    returned: Some(returned.clone()),
                })
                .collect(),
            ..World::default()
        }
    }

    fn of(value: &str) -> Option<Vec<u8>> {
        Some(value.as_bytes().to_vec())
    }

    const OPENING: u64 = 1;

    /// Returns the changes by others before a call that is replayed, and whose writes take effect.
    fn made(recorded: &mut Recorded, opening: u64, world: &World) -> Vec<Changed> {
        let (changed, written) = recorded.follow(opening, world);
        recorded.wrote(written);
        changed
    }

    #[test]
    fn what_others_wrote_is_told_from_what_the_hook_wrote() {
        let mut recorded = Recorded::default();
        let changed = |key: &str, value: Option<Vec<u8>>| Changed {
            space: Space::Private(OPENING),
            key: key.into(),
            value,
        };
        // The key had a value before the first call.
        let first = world(&[
            ("get", json!(["a"]), json!([[49]])),
            ("set", json!(["b", [50]]), json!([{"Ok": null}])),
            ("increment", json!(["n", 2]), json!([{"Ok": 2}])),
        ]);
        assert_eq!(
            made(&mut recorded, OPENING, &first),
            [changed("a", of("1"))]
        );
        // Its own writes are known; another increment happened in between.
        let second = world(&[
            ("get", json!(["b"]), json!([[50]])),
            ("increment", json!(["n", 1]), json!([{"Ok": 5}])),
            ("keys", json!([]), json!([["b", "n"]])),
        ]);
        let expected = [changed("n", of("4")), changed("a", None)];
        assert_eq!(made(&mut recorded, OPENING, &second), expected);
        // The writes of a call that failed, or is not replayed, are not known.
        let third = world(&[("set", json!(["b", [51]]), json!([{"Ok": null}]))]);
        assert_eq!(recorded.follow(OPENING, &third).0, []);
        let fourth = world(&[("get", json!(["b"]), json!([[50]]))]);
        assert_eq!(made(&mut recorded, OPENING, &fourth), []);
        assert_eq!(recorded.follow(OPENING, &third).0, []);
        let fifth = world(&[("get", json!(["b"]), json!([[51]]))]);
        let expected = [changed("b", of("3"))];
        assert_eq!(made(&mut recorded, OPENING, &fifth), expected);
    }

    #[test]
    fn what_is_known_of_one_opening_says_nothing_of_another() {
        let mut recorded = Recorded::default();
        let wrote = world(&[("set", json!(["a", [49]]), json!([{"Ok": null}]))]);
        assert_eq!(made(&mut recorded, OPENING, &wrote), []);
        let missed = world(&[("get", json!(["a"]), json!([null]))]);
        assert_eq!(made(&mut recorded, 2, &missed), []);
        let read = world(&[("get", json!(["a"]), json!([[49]]))]);
        assert_eq!(made(&mut recorded, OPENING, &read), []);
        let changed = Changed {
            space: Space::Private(2),
            key: "a".into(),
            value: of("1"),
        };
        assert_eq!(made(&mut recorded, 2, &read), [changed]);
    }
}
