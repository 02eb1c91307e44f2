//! The order of replayed calls.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use portcullis_recording::StoredCall;

/// Calls that are replayed one after another: those of a hook in one session opening, which share
/// its private state and its instances. If sessions share instances, those of a host.
pub(super) struct Unit {
    pub(super) calls: Vec<StoredCall>,
}

/// Returns the units, in the order of their first calls.
pub(super) fn units(calls: Vec<StoredCall>) -> Vec<Unit> {
    let mut units: BTreeMap<(i64, u64), Vec<StoredCall>> = BTreeMap::new();
    for call in calls {
        let opening = match call.setup.of.isolation.as_str() {
            Some("shared") => 0,
            _ => call.instance.opening,
        };
        units.entry((call.host, opening)).or_default().push(call);
    }
    let mut units: Vec<Unit> = units
        .into_values()
        .map(|calls| Unit {
            calls: in_order(calls),
        })
        .collect();
    units.sort_by_key(|unit| unit.calls.first().map(|call| (call.host, call.id)));
    units
}

/// Sorts calls by their start, and those of one instance by their number in the instance.
fn in_order(mut calls: Vec<StoredCall>) -> Vec<StoredCall> {
    calls.sort_by_key(|call| call.id);
    let mut places: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (place, call) in calls.iter().enumerate() {
        match places.entry(call.instance.instance) {
            Entry::Vacant(vacant) => drop(vacant.insert(vec![place])),
            Entry::Occupied(mut of) => of.get_mut().push(place),
        }
    }
    let mut to = vec![0; calls.len()];
    for places in places.into_values() {
        let mut numbered: Vec<(u64, usize)> = places
            .iter()
            .filter_map(|place| Some((calls.get(*place)?.instance.call, *place)))
            .collect();
        numbered.sort_unstable();
        for ((_, from), place) in numbered.into_iter().zip(places) {
            if let Some(to) = to.get_mut(from) {
                *to = place;
            }
        }
    }
    let mut placed: Vec<(usize, StoredCall)> = to.into_iter().zip(calls).collect();
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, call)| call).collect()
}
