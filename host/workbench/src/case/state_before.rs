//! The state before a recorded call, derived from the call's own operations.

use std::collections::{BTreeMap, BTreeSet};

use portcullis::recording::{TapedInterface, World, WorldCall};
use serde_json::Value;

/// A key of the hook's private state, or of a namespace of the shared state.
pub(super) type Key = (Option<String>, String);

/// The state before a call.
#[derive(Default)]
pub(super) struct Before {
    /// The known values.
    pub(super) values: BTreeMap<Key, Vec<u8>>,
    /// The keys that the call depended on, and whose values are not known.
    pub(super) hidden: BTreeSet<Key>,
}

/// The previous value of a key, derived from a function's result.
enum Shown {
    Value(Vec<u8>),
    /// The key had no value.
    Nothing,
    /// A later function may show the value.
    Hidden,
    /// No later function shows the value.
    Overwritten,
}

pub(super) fn before(world: &World) -> Before {
    let mut before = Before::default();
    let mut seen = BTreeSet::new();
    for call in &world.calls {
        let Some((space, arguments)) = space(call) else {
            continue;
        };
        let returned = call.returned.as_ref().and_then(|list| list.get(0));
        let is_refused = returned.is_some_and(|value| value.get("Err").is_some());
        let returned = returned.map(|value| value.get("Ok").unwrap_or(value));
        if call.function == "keys" {
            let keys = returned.and_then(Value::as_array).into_iter().flatten();
            let keys = keys.filter_map(|key| Some((space.clone(), key.as_str()?.to_owned())));
            before.hidden.extend(keys.filter(|key| !seen.contains(key)));
            continue;
        }
        let Some((key, arguments)) = arguments.split_first() else {
            continue;
        };
        let Some(key) = key.as_str() else { continue };
        let key = (space, key.to_owned());
        if seen.contains(&key) {
            continue;
        }
        match shown(&call.function, arguments, returned) {
            Shown::Hidden => {
                before.hidden.insert(key);
                continue;
            }
            Shown::Value(value) => {
                before.hidden.remove(&key);
                before.values.insert(key.clone(), value);
            }
            Shown::Nothing => drop(before.hidden.remove(&key)),
            Shown::Overwritten if is_refused => continue,
            Shown::Overwritten => {}
        }
        seen.insert(key);
    }
    before
}

/// Returns the namespace and the arguments after it; `None` if the call is not about state.
fn space(call: &WorldCall) -> Option<(Option<String>, &[Value])> {
    let arguments = call.arguments.as_array()?.as_slice();
    match TapedInterface::of(&call.interface)? {
        TapedInterface::State => Some((None, arguments)),
        TapedInterface::SharedState => {
            let (space, rest) = arguments.split_first()?;
            Some((Some(space.as_str()?.to_owned()), rest))
        }
        TapedInterface::Model => None,
    }
}

fn shown(function: &str, arguments: &[Value], returned: Option<&Value>) -> Shown {
    let value = |found: Option<Vec<u8>>| found.map_or(Shown::Nothing, Shown::Value);
    match function {
        "get" => value(returned.and_then(bytes)),
        "increment" => {
            let sum = returned.and_then(Value::as_i64);
            let delta = arguments.first().and_then(Value::as_i64);
            match sum
                .zip(delta)
                .and_then(|(sum, delta)| sum.checked_sub(delta))
            {
                // A key without a value counts as 0.
                Some(0) => Shown::Nothing,
                Some(before) => Shown::Value(before.to_string().into_bytes()),
                None => Shown::Hidden,
            }
        }
        "swap" => match returned.and_then(Value::as_bool) {
            Some(true) => value(arguments.first().and_then(bytes)),
            _ => Shown::Hidden,
        },
        _ => Shown::Overwritten,
    }
}

fn bytes(value: &Value) -> Option<Vec<u8>> {
    let list = value.as_array()?.iter();
    list.map(|byte| u8::try_from(byte.as_u64()?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use portcullis::recording::{World, WorldCall};
    use serde_json::{Value, json};

    use super::{Key, before};

    fn key(key: &str) -> Key {
        (None, key.to_owned())
    }

    /// Returns the values and the hidden keys before these calls: functions, arguments and returned
    /// values.
    fn shown(calls: &[(&str, Value, Value)]) -> (BTreeMap<Key, String>, BTreeSet<Key>) {
        let calls = calls.iter().map(|(function, arguments, returned)| {
            let interface = match function.strip_prefix("shared.") {
                Some(_) => "portcullis:hooks/shared-state",
                None => "portcullis:hooks/state",
            };
            WorldCall {
                interface: interface.to_owned(),
                function: function.trim_start_matches("shared.").to_owned(),
                arguments: arguments.clone(),
                returned: Some(json!([returned])),
            }
        });
        let world = World {
            calls: calls.collect(),
            ..World::default()
        };
        let before = before(&world);
        let text = |value: Vec<u8>| String::from_utf8(value).expect("text");
        let values = before.values.into_iter();
        (
            values.map(|(key, value)| (key, text(value))).collect(),
            before.hidden,
        )
    }

    #[test]
    fn what_a_key_had_is_known_from_the_first_function() {
        let one = json!([49]);
        for (calls, value) in [
            (vec![("get", json!(["a"]), one.clone())], Some("1")),
            (vec![("get", json!(["a"]), Value::Null)], None),
            (
                vec![("increment", json!(["a", 1]), json!({ "Ok": 3 }))],
                Some("2"),
            ),
            (
                vec![("increment", json!(["a", -2]), json!({ "Ok": 1 }))],
                Some("3"),
            ),
            (
                vec![("increment", json!(["a", 1]), json!({ "Ok": 1 }))],
                None,
            ),
            (
                vec![("swap", json!(["a", one, null]), json!({ "Ok": true }))],
                Some("1"),
            ),
            (
                vec![("swap", json!(["a", null, one]), json!({ "Ok": true }))],
                None,
            ),
            (
                vec![
                    ("swap", json!(["a", null, [50]]), json!({ "Ok": false })),
                    ("get", json!(["a"]), one.clone()),
                ],
                Some("1"),
            ),
            (
                vec![
                    ("set", json!(["a", [50]]), json!({ "Ok": null })),
                    ("get", json!(["a"]), json!([50])),
                ],
                None,
            ),
            (
                vec![
                    ("set", json!(["a", [50]]), json!({ "Err": "full" })),
                    ("get", json!(["a"]), one.clone()),
                ],
                Some("1"),
            ),
            (
                vec![
                    ("keys", json!([]), json!(["a"])),
                    ("get", json!(["a"]), one.clone()),
                ],
                Some("1"),
            ),
        ] {
            let expected = value.map(|value| (key("a"), value.to_owned()));
            let (values, hidden) = shown(&calls);
            assert_eq!(values, expected.into_iter().collect(), "{calls:?}");
            assert!(hidden.is_empty(), "{calls:?}");
        }
    }

    #[test]
    fn what_no_function_shows_is_hidden() {
        for calls in [
            vec![("swap", json!(["a", null, [50]]), json!({ "Ok": false }))],
            vec![(
                "increment",
                json!(["a", 1]),
                json!({ "Err": "not-a-number" }),
            )],
            vec![("keys", json!([]), json!(["a"]))],
            vec![
                ("keys", json!([]), json!(["a"])),
                ("delete", json!(["a"]), json!(null)),
            ],
            vec![
                ("swap", json!(["a", null, [50]]), json!({ "Ok": false })),
                ("set", json!(["a", [50]]), json!({ "Ok": null })),
            ],
        ] {
            let (values, hidden) = shown(&calls);
            assert_eq!(
                (values, hidden),
                (BTreeMap::new(), [key("a")].into()),
                "{calls:?}"
            );
        }
    }

    #[test]
    fn shared_state_has_a_namespace() {
        let calls = [
            ("shared.increment", json!(["n", "a", 1]), json!({ "Ok": 3 })),
            ("increment", json!(["a", 1]), json!({ "Ok": 5 })),
        ];
        let (values, _) = shown(&calls);
        let shared = (Some("n".to_owned()), "a".to_owned());
        let expected = [(shared, "2".to_owned()), (key("a"), "4".to_owned())];
        assert_eq!(values, expected.into());
    }
}
