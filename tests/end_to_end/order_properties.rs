//! The order of hooks depends on their descriptors and on nothing else.

use std::collections::BTreeMap;

use portcullis::points::{
    MessageAdded, PointId, PostTurn, PreTurn, message_added, post_turn, pre_turn,
};
use portcullis::{Hooks, NativeHook};
use portcullis_tests::{HooksDir, hook, renamed};
use proptest::prelude::*;

/// A hook: its priority, and the hooks before it in the list that it runs after.
type Wish = (i32, Vec<prop::sample::Index>);

fn wishes(most: usize) -> impl Strategy<Value = Vec<Wish>> {
    // Few priorities, so that many hooks share one.
    let after = prop::collection::vec(any::<prop::sample::Index>(), 0..3);
    prop::collection::vec((-1..3, after), 1..=most)
}

/// Returns the ids that a hook runs after: only ids before it in the list, so that there is no
/// cycle.
fn after(index: usize, wish: &Wish) -> Vec<String> {
    match index {
        0 => Vec::new(),
        before => wish.1.iter().map(|other| id(other.index(before))).collect(),
    }
}

/// Returns ids whose order is not that of the list.
fn id(index: usize) -> String {
    [
        "mango", "cedar", "tulip", "acorn", "zebra", "kiwis", "birch", "wheat",
    ][index]
        .to_owned()
}

fn native(index: usize, wish: &Wish) -> NativeHook {
    NativeHook::new(id(index))
        .priority(wish.0)
        .after(after(index, wish))
        .on::<PreTurn>(|_| Ok(pre_turn::Outcome::Continue))
        .on::<PostTurn>(|_| Ok(post_turn::Outcome::Continue))
        .on::<MessageAdded>(|_| Ok(message_added::Outcome::Continue))
}

/// Generates a list, and the numbers of its places in any order.
fn shuffled(most: usize) -> impl Strategy<Value = (Vec<Wish>, Vec<usize>)> {
    wishes(most).prop_flat_map(|wishes| {
        let places: Vec<usize> = (0..wishes.len()).collect();
        (Just(wishes), Just(places).prop_shuffle())
    })
}

fn orders(hooks: &Hooks) -> BTreeMap<PointId, Vec<String>> {
    PointId::ALL
        .iter()
        .map(|point| (*point, hooks.order(*point)))
        .collect()
}

fn place(order: &[String], id: &str) -> usize {
    order.iter().position(|other| other == id).expect("a place")
}

proptest! {
    /// Hooks have the same order, regardless of the order in which they are added.
    #[test]
    fn the_order_of_putting_in_does_not_matter((wishes, places) in shuffled(8)) {
        let put = |places: &mut dyn Iterator<Item = usize>| {
            let natives: Vec<_> = places.map(|index| native(index, &wishes[index])).collect();
            orders(&Hooks::none().with(natives).expect("hooks"))
        };
        let listed = put(&mut (0..wishes.len()));
        let mixed = put(&mut places.into_iter());
        prop_assert_eq!(&listed, &mixed);
        // The hooks that a hook runs after stand before it, at forward and at reversed points.
        for point in [PointId::PreTurn, PointId::PostTurn, PointId::MessageAdded] {
            let order = &listed[&point];
            prop_assert_eq!(order.len(), wishes.len());
            for (index, wish) in wishes.iter().enumerate() {
                for before in after(index, wish) {
                    prop_assert!(place(order, &before) < place(order, &id(index)));
                }
            }
        }
    }

    /// Priority and then the id decide if no hook waits for another.
    #[test]
    fn without_dependencies_priority_and_id_decide(priorities in prop::collection::vec(-1..3, 1..8)) {
        let natives = priorities.iter().enumerate().map(|(index, priority)| native(index, &(*priority, Vec::new())));
        let hooks = Hooks::none().with(natives).expect("hooks");
        let mut by_priority: Vec<(i32, String)> = priorities.iter().enumerate().map(|(index, p)| (*p, id(index))).collect();
        by_priority.sort();
        let ids: Vec<&str> = by_priority.iter().map(|(_, id)| id.as_str()).collect();
        prop_assert_eq!(hooks.order(PointId::PreTurn), ids);
        by_priority.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let ids: Vec<&str> = by_priority.iter().map(|(_, id)| id.as_str()).collect();
        prop_assert_eq!(hooks.order(PointId::PostTurn), ids);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// Neither file names, nor file times, nor the order in `hooks.toml` matter.
    #[test]
    fn files_do_not_decide((wishes, places) in shuffled(5)) {
        let load = |places: &[usize], name: &dyn Fn(usize) -> String| {
            let mut dir = HooksDir::new();
            let mut toml = String::new();
            for &index in places {
                dir = dir.with_file(&name(index), &renamed("probe", &id(index)));
                let (priority, after) = (wishes[index].0, after(index, &wishes[index]));
                let settings = format!("priority = {priority}\nafter = {after:?}");
                toml += &hook(&id(index), &settings, "");
            }
            orders(&dir.settings(&toml).load())
        };
        let listed: Vec<usize> = (0..wishes.len()).collect();
        let one = load(&listed, &|index| format!("{}.wasm", id(index)));
        let other = load(&places, &|index| format!("{}-hook.wasm", 9 - index));
        prop_assert_eq!(one, other);
    }
}
