//! Stops a turn after a number of steps.

use portcullis::NativeHook;
use portcullis::contract::{HookRole, StopKind, StopSignal};
use portcullis::points::{PreStep, pre_step::Outcome};

/// Stops a turn before it takes more steps than this (Cognesy's `StepsLimitHook`).
pub fn steps_guard(most: u64) -> NativeHook {
    NativeHook::new("guard-steps")
        .description("Stops a turn after a number of steps.")
        .role(HookRole::Gate)
        .priority(super::PRIORITY)
        .on::<PreStep>(move |call| {
            let steps = u64::from(call.subject.steps);
            Ok(if steps >= most {
                Outcome::Stop(StopSignal {
                    kind: StopKind::StepsLimit,
                    message: format!("Step limit reached: {steps}/{most}"),
                })
            } else {
                Outcome::Continue
            })
        })
}
