//! Tests of the distribution of mappings, and of their release.

use Purpose::{Capped, Deciding, Observing};

use super::*;
use crate::sandbox::warm::Warm;

fn mappings(most: u64) -> Mappings {
    with_idle(most, &Arc::default())
}

fn with_idle(most: u64, idle: &Arc<IdleInstances>) -> Mappings {
    Mappings {
        host: Arc::new(Budget::new(most, idle.clone())),
        process: Arc::new(Budget::new(u64::MAX, Arc::default())),
    }
}

fn is_in_use(taken: Result<Mapped, NoRoom>) -> bool {
    matches!(taken, Err(NoRoom::InUse { .. }))
}

fn may_have(taken: Result<Mapped, NoRoom>) -> Option<u64> {
    match taken {
        Err(NoRoom::TooMany { may, .. }) => Some(may),
        _ => None,
    }
}

#[test]
fn what_ends_is_free_again() {
    let mappings = mappings(10);
    let one = mappings.take(6, Deciding).expect("room");
    let other = mappings.take(4, Deciding).expect("room");
    assert!(is_in_use(mappings.take(1, Deciding)));
    drop(one);
    assert!(mappings.take(6, Deciding).is_ok());
    drop(other);
    assert!(mappings.take(10, Deciding).is_ok());
}

#[test]
fn the_others_leave_half_to_guards() {
    for purpose in [Observing, Capped] {
        let mappings = mappings(10);
        let _others = mappings.take(5, purpose).expect("room");
        assert!(is_in_use(mappings.take(1, purpose)));
        assert!(mappings.take(5, Deciding).is_ok());
    }
}

#[test]
fn so_do_large_instances() {
    let mappings = mappings(4 * SMALL);
    let _large = mappings.take(SMALL + 1, Deciding).expect("room");
    assert!(is_in_use(mappings.take(SMALL + 1, Deciding)));
    let guards: Vec<_> = (0..2).map(|_| mappings.take(SMALL, Deciding)).collect();
    assert!(guards.iter().all(Result::is_ok));
}

#[test]
fn all_hosts_of_a_process_share_what_the_kernel_gives() {
    let process = Arc::new(Budget::new(10, Arc::default()));
    let host = || Mappings {
        host: Arc::new(Budget::new(8, Arc::default())),
        process: process.clone(),
    };
    let (one, other) = (host(), host());
    let first = one.take(8, Deciding).expect("room");
    assert!(is_in_use(other.take(3, Deciding)));
    // Mappings that the process refused do not count for the host either.
    let second = other.take(2, Deciding).expect("room");
    drop((first, second));
    assert!(other.take(8, Deciding).is_ok());
}

#[test]
fn what_is_loaded_counts_and_has_no_more_than_half() {
    let mappings = mappings(10);
    let _loaded = mappings.take_for_code(4).expect("room");
    assert_eq!(may_have(mappings.take_for_code(2)), Some(1));
    let _other = mappings.take(5, Observing).expect("half, as before");
    assert!(is_in_use(mappings.take(2, Deciding)));
    assert!(mappings.take(1, Deciding).is_ok());
}

#[test]
fn what_never_starts_is_told_from_what_does_not_start_now() {
    let mappings = mappings(10);
    let loaded = mappings.take_for_code(2).expect("room");
    let running = mappings.take(6, Deciding).expect("room");
    assert!(is_in_use(mappings.take(8, Deciding)));
    assert_eq!(may_have(mappings.take(9, Deciding)), Some(8));
    assert_eq!(may_have(mappings.take(6, Observing)), Some(5));
    assert!(mappings.check(8, Deciding).is_ok());
    assert!(mappings.check(9, Deciding).is_err());
    drop((loaded, running));
    assert!(mappings.check(10, Deciding).is_ok());
}

/// Returns a place that keeps an instance.
fn kept(mut mapped: Mapped) -> Arc<Warm<Box<Mapped>>> {
    let warm = Arc::new(Warm::default());
    mapped.keep_in(&(Arc::downgrade(&warm) as _));
    warm.try_take().expect("free").value = Some(Box::new(mapped));
    warm
}

#[test]
fn a_pool_gives_up_no_instance_and_code_does() {
    let idle = Arc::new(IdleInstances::default());
    let mappings = with_idle(10, &idle);
    let warm = kept(mappings.take(7, Deciding).expect("room"));
    assert!(is_in_use(mappings.take_for_pool(4)));
    assert!(warm.keeps_one());
    assert!(mappings.take_for_code(4).is_ok());
    assert!(!warm.keeps_one());
}

#[test]
fn large_instances_and_those_of_observers_give_way_to_each_other() {
    let idle = Arc::new(IdleInstances::default());
    let mappings = with_idle(4 * SMALL, &idle);
    let large = kept(mappings.take(SMALL + 1, Deciding).expect("room"));
    let guard = kept(mappings.take(1, Deciding).expect("room"));
    let observer = kept(mappings.take(2 * SMALL, Observing).expect("room"));
    assert!(!large.keeps_one() && guard.keeps_one());
    assert!(mappings.take(SMALL + 1, Deciding).is_ok());
    assert!(!observer.keeps_one() && guard.keeps_one());
}
