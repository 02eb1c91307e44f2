//! The lifecycle points, a module for each.
//!
//! A module has the `Call` that a handler is given. The methods of a `Call` read the facts of the call, one import
//! each, and answer it. An answer is given at once, and the method returns the `Verdict` that the handler returns. A
//! component imports the facts that its code reads and the answers that its code gives, and no others. So a component
//! shows which answers its hook may give.
//!
//! All modules are made from the contract in `wit/`; a new point needs no change here.

use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;

use serde::Serialize;

use crate::{Error, HookResult, imports};

portcullis_sdk_macros::contract_points!();

/// The return value of a handler: the call was answered, or it continues. Only the methods of a `Call` create one;
/// each point has its own type, such as [`pre_turn::Verdict`].
#[must_use = "the answer is given, and the handler must return this"]
pub struct Verdict<C> {
    answered: bool,
    call: PhantomData<fn(C)>,
}

impl<C> Verdict<C> {
    #[inline]
    fn new(answered: bool) -> Self {
        Self {
            answered,
            call: PhantomData,
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn answered(&self) -> bool {
        self.answered
    }
}

impl<C> Debug for Verdict<C> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verdict")
            .field("answered", &self.answered)
            .finish()
    }
}

/// Ends a call: returns whether it was answered, and reports an error to the host.
#[inline]
fn finish<C>(result: HookResult<Verdict<C>>) -> bool {
    match result {
        Ok(verdict) => verdict.answered,
        Err(error) => {
            failed(&error);
            true
        }
    }
}

#[cold]
fn failed(error: &Error) {
    match error.is_bad_config() {
        true => imports::failure::bad_config(error.message()),
        false => imports::failure::fail(&error.told()),
    }
}

/// Returns `value` as JSON text; `what` names it in the error.
fn json(what: &str, value: &impl Serialize) -> HookResult<String> {
    serde_json::to_string(value).map_err(|fault| Error::failed(format_args!("{what}: {fault}")))
}

#[cfg(test)]
mod tests;
