//! A hook that performs the configured action at each point:
//!
//! ```toml
//! [hooks.probe.config]
//! pre-turn = "reject"
//! post-turn = "transform changed"
//! ```
//!
//! At a point without an entry it continues. The module `action` lists the actions.

mod action;
mod contribution;
mod excess;
mod look;

use portcullis_sdk::points::*;
use portcullis_sdk::prelude::{HookResult, hook};

/// The probe.
pub struct Probe;

macro_rules! serve {
    ($($point:ident)*) => {
        #[hook(
            id = "probe",
            description = "Does as its configuration says.",
            kind = "test"
        )]
        impl Probe {
            $(fn $point(call: &$point::Call) -> HookResult<$point::Verdict> {
                let facts = || serde_json::to_value(call.facts());
                match action::outcome(stringify!($point), facts)? {
                    Some(outcome) => Ok(call.give(serde_json::from_value(outcome)?)),
                    None => Ok(call.proceed()),
                }
            })*
        }
    };
}

portcullis_sdk::every_point!(serve);
