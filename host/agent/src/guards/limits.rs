//! Guards that stop a turn before its next step.

use portcullis::contract::{HookRole, StopKind, StopSignal};
use portcullis::points::PreStep;
use portcullis::points::pre_step::Outcome;
use portcullis::{Call, NativeHook};

/// Stops a turn before it takes more than `most` steps (Cognesy's `StepsLimitHook`).
pub fn steps_guard(most: u64) -> NativeHook {
    steps_guard_by(most, |call| u64::from(call.subject.steps))
}

/// Stops a turn before its next step once this counter has reached `most` (the `stepCounter` of
/// Cognesy's `StepsLimitHook`).
///
/// ```
/// use portcullis_agent::steps_guard_by;
///
/// // Counts what tools have reported in the agent's state.
/// let guard = steps_guard_by(20, |call| {
///     let changes = call.views.state.values.get("changes");
///     changes.and_then(|count| count.as_u64()).unwrap_or_default()
/// });
/// ```
pub fn steps_guard_by(
    most: u64,
    counter: impl Fn(&Call<PreStep>) -> u64 + Send + Sync + 'static,
) -> NativeHook {
    let description = "Stops a turn after a number of steps.";
    guard("guard-steps", description, move |call| {
        let steps = counter(call);
        (steps >= most).then(|| StopSignal {
            kind: StopKind::StepsLimit,
            message: format!("Step limit reached: {steps}/{most}"),
        })
    })
}

/// Stops a turn before its next step once its model calls have used more than `most` tokens, input
/// and output (Cognesy's `TokenUsageLimitHook`).
pub fn tokens_guard(most: u64) -> NativeHook {
    let description = "Stops a turn that has used a number of tokens.";
    guard("guard-tokens", description, move |call| {
        let usage = &call.subject.usage;
        let used = usage.input_tokens.saturating_add(usage.output_tokens);
        (used > most).then(|| StopSignal {
            kind: StopKind::TokenLimit,
            message: format!("Token limit reached: {used}/{most}"),
        })
    })
}

/// Stops a turn before its next step once it has taken `most_seconds` seconds (Cognesy's
/// `ExecutionTimeLimitHook`).
pub fn time_guard(most_seconds: u64) -> NativeHook {
    let description = "Stops a turn that has taken a number of seconds.";
    guard("guard-time", description, move |call| {
        let elapsed_us = call.subject.elapsed_us;
        let most_us = most_seconds.saturating_mul(1_000_000);
        (elapsed_us >= most_us).then(|| StopSignal {
            kind: StopKind::TimeLimit,
            message: format!(
                "Time limit reached: {:.1} of {most_seconds} seconds",
                elapsed_us as f64 / 1e6
            ),
        })
    })
}

fn guard(
    id: &str,
    description: &str,
    stop: impl Fn(&Call<PreStep>) -> Option<StopSignal> + Send + Sync + 'static,
) -> NativeHook {
    NativeHook::new(id)
        .description(description)
        .role(HookRole::Gate)
        .priority(super::PRIORITY)
        .on::<PreStep>(move |call| Ok(stop(call).map_or(Outcome::Continue, Outcome::Stop)))
}
