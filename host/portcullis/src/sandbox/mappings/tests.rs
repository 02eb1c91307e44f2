//! Who gets the mappings, and when they are free again.

use Purpose::{Capped, Deciding, Observing};

use super::*;

fn mappings(most: u64) -> Mappings {
    Mappings {
        host: Arc::new(Budget::new(most)),
        process: Arc::new(Budget::new(u64::MAX)),
    }
}

fn is_overload(taken: Result<Mapped, Failure>) -> bool {
    matches!(taken, Err(Failure::Overload(text)) if text.contains("memory-mappings"))
}

#[test]
fn what_ends_is_free_again() {
    let mappings = mappings(10);
    let one = mappings.take(6, Deciding).expect("room");
    let other = mappings.take(4, Deciding).expect("room");
    assert!(is_overload(mappings.take(1, Deciding)));
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
        assert!(is_overload(mappings.take(1, purpose)));
        assert!(mappings.take(5, Deciding).is_ok());
    }
}

#[test]
fn so_do_large_instances() {
    let mappings = mappings(4 * SMALL);
    let _large = mappings.take(SMALL + 1, Deciding).expect("room");
    assert!(is_overload(mappings.take(SMALL + 1, Deciding)));
    let guards: Vec<_> = (0..2).map(|_| mappings.take(SMALL, Deciding)).collect();
    assert!(guards.iter().all(Result::is_ok));
}

#[test]
fn all_hosts_of_a_process_share_what_the_kernel_gives() {
    let process = Arc::new(Budget::new(10));
    let host = || Mappings {
        host: Arc::new(Budget::new(8)),
        process: process.clone(),
    };
    let (one, other) = (host(), host());
    let first = one.take(8, Deciding).expect("room");
    assert!(is_overload(other.take(3, Deciding)));
    // What the process refused is not the host's either.
    let second = other.take(2, Deciding).expect("room");
    drop((first, second));
    assert!(other.take(8, Deciding).is_ok());
}

#[test]
fn what_is_there_already_counts() {
    let mappings = mappings(10);
    let held = mappings.hold(12);
    assert!(is_overload(mappings.take(1, Deciding)));
    drop(held);
    assert!(mappings.take(10, Deciding).is_ok());
}
