//! Stops a turn that has used a number of tokens.

use portcullis::NativeHook;
use portcullis::contract::{HookRole, StopKind, StopSignal};
use portcullis::points::{PreStep, pre_step::Outcome};

/// Stops a turn before its next step once its model calls have used more tokens than this, input
/// and output (Cognesy's `TokenUsageLimitHook`).
pub fn tokens_guard(most: u64) -> NativeHook {
    NativeHook::new("guard-tokens")
        .description("Stops a turn that has used a number of tokens.")
        .role(HookRole::Gate)
        .priority(super::PRIORITY)
        .on::<PreStep>(move |call| {
            let usage = &call.subject.usage;
            let used = usage.input_tokens.saturating_add(usage.output_tokens);
            Ok(if used > most {
                Outcome::Stop(StopSignal {
                    kind: StopKind::TokenLimit,
                    message: format!("Token limit reached: {used}/{most}"),
                })
            } else {
                Outcome::Continue
            })
        })
}
