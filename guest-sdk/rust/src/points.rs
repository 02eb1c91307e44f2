//! The lifecycle points, a module for each.
//!
//! A module has the `Call` that a handler is given. Its methods read the facts of the call, one import each, and
//! answer it: an answer is given at once, and the method returns the `Verdict` that the handler must return. A
//! component imports the facts that its code reads and the answers that its code gives, and no others. So what a
//! hook may answer can be read off its component.
//!
//! All modules are made from the contract in `wit/`; a new point needs no line here.

use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;

use serde::Serialize;

use crate::{Error, HookResult, imports};

portcullis_sdk_macros::contract_points!();

/// What a handler returns: that the call was answered, or that it continues. Only the methods of a `Call` make one;
/// each point has its own, such as [`pre_turn::Verdict`].
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

/// Ends a call: says whether it was answered, and reports a failure as one.
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

/// `value` as JSON text; `what` names it in the error.
fn json(what: &str, value: &impl Serialize) -> HookResult<String> {
    serde_json::to_string(value).map_err(|fault| Error::failed(format_args!("{what}: {fault}")))
}

#[cfg(test)]
mod tests;
