//! A hook that gives the configured answers at every point: outcomes in the contract's JSON form,
//! each for some calls. The conformance scenarios give the same answers to native hooks and
//! scripts.

mod answers;

use portcullis_sdk::prelude::*;

/// The actor.
pub struct Actor;

macro_rules! serve {
    ($($point:ident)*) => {
        #[hook(
            id = "actor",
            description = "Answers as its configuration says.",
            kind = "test"
        )]
        impl Actor {
            $(fn $point(call: &$point::Call) -> HookResult<$point::Verdict> {
                let outcome = answers::outcome(stringify!($point), &call.facts())?;
                Ok(call.give(serde_json::from_value(outcome)?))
            })*
        }
    };
}

portcullis_sdk::every_point!(serve);
