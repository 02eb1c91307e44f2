//! Which instances are given up.

use super::*;
use crate::sandbox::warm::Warm;

/// A place with an instance, which is a number here.
fn kept(idle: &Arc<IdleInstances>, guarding: bool) -> (Arc<Warm<Box<u32>>>, Entry) {
    let warm = Arc::new(Warm::default());
    call(&warm);
    let keeper: Weak<dyn Keeper> = Arc::downgrade(&warm) as _;
    let entry = idle.enter(keeper, guarding);
    (warm, entry)
}

fn call(warm: &Warm<Box<u32>>) {
    let mut taken = warm.try_take().expect("no other call has it");
    taken.value.get_or_insert_with(|| Box::new(7));
}

#[test]
fn what_a_call_has_stays() {
    let idle = Arc::new(IdleInstances::default());
    let (warm, _entry) = kept(&idle, true);
    let taken = warm.try_take();
    assert!(!idle.give_up(Whose::Anybodys));
    drop(taken);
    assert!(idle.give_up(Whose::Anybodys));
    assert!(!warm.keeps_one());
    assert!(!idle.give_up(Whose::Anybodys));
}

#[test]
fn the_instances_of_guards_go_last() {
    let idle = Arc::new(IdleInstances::default());
    let (guard, _guard) = kept(&idle, true);
    let (other, _other) = kept(&idle, false);
    assert!(idle.give_up(Whose::Anybodys));
    assert!(!other.keeps_one());
    assert!(!idle.give_up(Whose::Others));
    assert!(guard.keeps_one());
    assert!(idle.give_up(Whose::Anybodys));
    assert!(!guard.keeps_one());
}

#[test]
fn what_was_not_called_for_a_while_goes_first() {
    let idle = Arc::new(IdleInstances::default());
    let places: Vec<_> = (0..5).map(|_| kept(&idle, true)).collect();
    // All were called lately, so any of them goes, and all have been asked.
    assert!(idle.give_up(Whose::Anybodys));
    let left = || places.iter().filter(|(warm, _)| warm.keeps_one());
    assert_eq!(left().count(), 4);
    let called: Vec<_> = left().skip(1).map(|(warm, _)| warm).collect();
    called.iter().for_each(|warm| call(warm));
    assert!(idle.give_up(Whose::Anybodys));
    assert!(called.iter().all(|warm| warm.keeps_one()));
    assert_eq!(left().count(), 3);
}

#[test]
fn few_are_asked_where_all_were_called_lately() {
    let idle = Arc::new(IdleInstances::default());
    let places: Vec<_> = (0..100).map(|_| kept(&idle, true)).collect();
    assert!(idle.give_up(Whose::Anybodys));
    let spared = places.iter().filter(|(warm, _)| warm.was_asked()).count();
    assert_eq!(spared, MOST_SPARED);
}

#[test]
fn a_place_that_ended_is_passed_over() {
    let idle = Arc::new(IdleInstances::default());
    let (ended, entry) = kept(&idle, true);
    let (warm, _entry) = kept(&idle, true);
    drop(ended);
    assert!(idle.give_up(Whose::Anybodys));
    assert!(!warm.keeps_one());
    drop(entry);
    assert_eq!(idle.guards.hold().places.len(), 1);
}
