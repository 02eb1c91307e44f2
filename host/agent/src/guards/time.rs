//! Stops a turn that has taken a number of seconds.

use portcullis::NativeHook;
use portcullis::contract::{HookRole, StopKind, StopSignal};
use portcullis::points::{PreStep, pre_step::Outcome};

/// Stops a turn before its next step once it has taken this many seconds (Cognesy's
/// `ExecutionTimeLimitHook`).
pub fn time_guard(most_seconds: u64) -> NativeHook {
    NativeHook::new("guard-time")
        .description("Stops a turn that has taken a number of seconds.")
        .role(HookRole::Gate)
        .priority(super::PRIORITY)
        .on::<PreStep>(move |call| {
            let most_us = most_seconds.saturating_mul(1_000_000);
            Ok(if call.subject.elapsed_us >= most_us {
                Outcome::Stop(StopSignal {
                    kind: StopKind::TimeLimit,
                    message: format!(
                        "Time limit reached: {:.1} of {most_seconds} seconds",
                        call.subject.elapsed_us as f64 / 1e6
                    ),
                })
            } else {
                Outcome::Continue
            })
        })
}
