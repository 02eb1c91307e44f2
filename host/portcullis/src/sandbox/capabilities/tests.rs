use std::collections::BTreeSet;

use wasmtime::Engine;

use super::*;

/// A hook cannot import an unlisted interface; an interface listed twice has two grants.
#[test]
fn every_interface_is_of_one_capability_and_is_linked() {
    let mut seen = BTreeSet::new();
    for interface in all().flat_map(|capability| capability.interfaces) {
        assert!(seen.insert(interface), "{interface} is listed twice");
    }
    let linker = || Linker::new(&Engine::default(), |_: &HookStore| None, |_| None);
    for mode in [CallMode::Sync, CallMode::Async] {
        add_to_linker(&mut linker(), mode).unwrap();
    }
}

/// The keys of `[hooks.ID.grants]` that no capability reads would grant nothing.
#[test]
fn every_key_of_the_grants_is_of_a_capability() {
    let keys = |capability: &'static Capability| capability.permission.keys();
    let used: BTreeSet<&str> = all().flat_map(keys).collect();
    let grants = serde_json::to_value(Grants::default()).unwrap();
    let fields = grants.as_object().unwrap().keys().map(String::as_str);
    assert_eq!(used, fields.collect());
}

/// A run that records the use of a capability without a grant would name no entry of `hooks.toml`.
#[test]
fn what_is_noted_is_granted_by_keys() {
    let noted = all().filter(|capability| capability.notes_use);
    let keys: BTreeSet<&str> = noted
        .flat_map(|capability| {
            let keys = capability.permission.keys();
            assert!(!keys.is_empty(), "{:?}", capability.interfaces);
            keys
        })
        .collect();
    assert!(
        keys.contains("secrets") && keys.contains("http"),
        "{keys:?}"
    );
}
