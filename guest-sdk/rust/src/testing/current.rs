//! The active stand-in of this thread.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;

use super::world::World;

pub(super) type Shared = Rc<RefCell<World>>;

thread_local! {
    static CURRENT: RefCell<Shared> = RefCell::default();
}

/// Reads or changes the data of the current stand-in.
pub(super) fn with<T>(act: impl FnOnce(&mut World) -> T) -> T {
    let world = CURRENT.with_borrow(Rc::clone);
    act(&mut world.borrow_mut())
}

/// Makes a stand-in the current one until the returned value is dropped.
pub(super) fn enter(world: &Shared) -> Entered {
    Entered {
        outer: CURRENT.replace(Rc::clone(world)),
    }
}

pub(super) struct Entered {
    outer: Shared,
}

impl Drop for Entered {
    fn drop(&mut self) {
        CURRENT.set(Rc::clone(&self.outer));
    }
}

/// Returns the facts of the current call.
pub(crate) fn facts<F: Any>() -> Rc<F> {
    let facts = with(|world| world.call.facts.clone());
    let facts = facts.and_then(|facts| facts.downcast().ok());
    facts.expect("only `Host::call` makes a `Call`, and it has the facts of the point")
}

/// Keeps an answer to the current call.
pub(crate) fn answer(outcome: impl Any) {
    with(|world| world.call.answers.push(Box::new(outcome)));
}

/// Keeps a contribution to the current call.
pub(crate) fn contribute(contribution: impl Any) {
    with(|world| world.call.contributions.push(Box::new(contribution)));
}
