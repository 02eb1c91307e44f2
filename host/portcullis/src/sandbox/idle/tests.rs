//! Tests of the eviction of instances.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::*;
use crate::sandbox::warm::Warm;

/// Returns a place with an instance, which is a number here.
fn kept(idle: &Arc<IdleInstances>, whose: Whose) -> (Arc<Warm<Box<u32>>>, Entry) {
    let warm = Arc::new(Warm::default());
    call(&warm);
    let keeper: Weak<dyn Keeper> = Arc::downgrade(&warm) as _;
    let entry = idle.enter(keeper, whose);
    (warm, entry)
}

fn call(warm: &Warm<Box<u32>>) {
    let mut taken = warm.try_take().expect("no other call has it");
    taken.value.get_or_insert_with(|| Box::new(7));
}

#[test]
fn what_a_call_has_stays() {
    let idle = Arc::new(IdleInstances::default());
    let (warm, _entry) = kept(&idle, Whose::Guard);
    let taken = warm.try_take();
    assert!(!idle.give_up(Whose::Guard));
    drop(taken);
    assert!(idle.give_up(Whose::Guard));
    assert!(!warm.keeps_one());
    assert!(!idle.give_up(Whose::Guard));
}

#[test]
fn the_instances_of_guards_go_last() {
    let idle = Arc::new(IdleInstances::default());
    let (guard, _guard) = kept(&idle, Whose::Guard);
    let (large, _large) = kept(&idle, Whose::LargeGuard);
    let (other, _other) = kept(&idle, Whose::Observer);
    assert!(idle.give_up(Whose::Guard));
    assert!(!other.keeps_one());
    assert!(!idle.give_up(Whose::Observer));
    assert!(idle.give_up(Whose::LargeGuard));
    assert!(!large.keeps_one());
    assert!(!idle.give_up(Whose::LargeGuard));
    assert!(guard.keeps_one());
    assert!(idle.give_up(Whose::Guard));
    assert!(!guard.keeps_one());
}

#[test]
fn what_was_not_called_for_a_while_goes_first() {
    let idle = Arc::new(IdleInstances::default());
    let places: Vec<_> = (0..5).map(|_| kept(&idle, Whose::Guard)).collect();
    // All were called lately, so any of them is evicted, and all have been asked.
    assert!(idle.give_up(Whose::Guard));
    let left = || places.iter().filter(|(warm, _)| warm.keeps_one());
    assert_eq!(left().count(), 4);
    let called: Vec<_> = left().skip(1).map(|(warm, _)| warm).collect();
    called.iter().for_each(|warm| call(warm));
    assert!(idle.give_up(Whose::Guard));
    assert!(called.iter().all(|warm| warm.keeps_one()));
    assert_eq!(left().count(), 3);
}

#[test]
fn few_are_asked_where_all_were_called_lately() {
    let idle = Arc::new(IdleInstances::default());
    let places: Vec<_> = (0..100).map(|_| kept(&idle, Whose::Guard)).collect();
    assert!(idle.give_up(Whose::Guard));
    let spared = places.iter().filter(|(warm, _)| warm.was_asked()).count();
    assert_eq!(spared, MOST_SPARED);
}

/// An instance that takes a while to drop, after the test allows the drop to continue.
struct Ending {
    begins: Sender<()>,
    go: Receiver<()>,
    freed: Arc<AtomicBool>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.begins.send(()).expect("a test that waits");
        self.go.recv().expect("a test that lets it go");
        std::thread::sleep(Duration::from_millis(20));
        self.freed.store(true, Ordering::SeqCst);
    }
}

/// A place without an instance. When it is asked, it allows the drop of the other instance to
/// continue.
struct Empty(Sender<()>);

impl Keeper for Empty {
    fn give_up(&self, _: bool) -> GivenUp {
        self.0.send(()).expect("an instance that ends");
        GivenUp::Nothing
    }
}

#[test]
fn what_another_thread_gives_up_is_waited_for() {
    let idle = Arc::new(IdleInstances::default());
    let freed = Arc::new(AtomicBool::new(false));
    let ((begins, begun), (lets, go)) = (channel(), channel());
    let warm = Arc::new(Warm::default());
    warm.try_take().expect("free").value = Some(Box::new(Ending {
        begins,
        go,
        freed: freed.clone(),
    }));
    let _ending = idle.enter(Arc::downgrade(&warm) as _, Whose::Guard);
    let has_room = || idle.make_room(Whose::Guard, || freed.load(Ordering::SeqCst));
    std::thread::scope(|scope| {
        let other = scope.spawn(has_room);
        begun.recv().expect("it ends");
        let empty: Arc<dyn Keeper> = Arc::new(Empty(lets));
        let _empty = idle.enter(Arc::downgrade(&empty), Whose::Guard);
        assert!(has_room());
        assert!(other.join().expect("no panic"));
    });
}

#[test]
fn the_order_of_entry_is_not_that_of_leaving_wherever_places_have_ended() {
    let idle = Arc::new(IdleInstances::default());
    let first = kept(&idle, Whose::Guard);
    drop(
        (0..10_000)
            .map(|_| kept(&idle, Whose::Guard))
            .collect::<Vec<_>>(),
    );
    let places: Vec<_> = (0..30).map(|_| kept(&idle, Whose::Guard)).collect();
    let mut left: Vec<usize> = (0..places.len()).collect();
    let mut gone = Vec::new();
    while idle.give_up(Whose::Guard) {
        let (still, given): (Vec<_>, Vec<_>) =
            left.into_iter().partition(|at| places[*at].0.keeps_one());
        left = still;
        gone.extend(given);
    }
    assert_eq!(gone.len(), places.len());
    assert!(!first.0.keeps_one());
    let next = gone.windows(2).filter(|two| two[0] + 1 == two[1]).count();
    assert!(next < 10, "{gone:?}");
}

#[test]
fn a_place_that_ended_is_passed_over() {
    let idle = Arc::new(IdleInstances::default());
    let (ended, entry) = kept(&idle, Whose::Guard);
    let (warm, _entry) = kept(&idle, Whose::Guard);
    drop(ended);
    assert!(idle.give_up(Whose::Guard));
    assert!(!warm.keeps_one());
    drop(entry);
    assert_eq!(idle.guards.hold().places.len(), 1);
}
