//! The session, the turn and the step of the current call.

use crate::imports::call;

pub use crate::types::Context;

/// Returns the session's id, unique within the host.
#[inline]
pub fn session_id() -> String {
    call::session_id()
}

/// Returns the name of the agent whose loop is running.
#[inline]
pub fn agent() -> String {
    call::agent()
}

/// Returns the turn, counted from 1; 0 outside of any turn.
#[inline]
pub fn turn() -> u32 {
    call::turn()
}

/// Returns the step within the turn, counted from 1; 0 outside of any step.
#[inline]
pub fn step() -> u32 {
    call::step()
}

/// Returns all of these in one record, for hooks that read more than two.
#[inline]
pub fn all() -> Context {
    call::context()
}
