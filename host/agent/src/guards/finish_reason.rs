//! Stops a turn at some of the model's finish reasons.

use portcullis::NativeHook;
use portcullis::contract::{HookRole, StopKind, StopSignal};
use portcullis::points::{PostStep, post_step::Outcome};

use crate::basics::stop_reason;

/// Stops a turn after a step that the model ended for one of these reasons (Cognesy's
/// `FinishReasonHook`). It runs last, because the order is reversed at `post-step`.
pub fn finish_reason_guard(reasons: Vec<String>) -> NativeHook {
    NativeHook::new("guard-finish-reason")
        .description("Stops a turn at some of the model's finish reasons.")
        .role(HookRole::Gate)
        .priority(super::PRIORITY)
        .on::<PostStep>(move |call| {
            let reason = stop_reason::name(&call.subject.stop);
            if !reasons.iter().any(|wanted| wanted == reason) {
                return Ok(Outcome::Continue);
            }
            Ok(Outcome::Stop(StopSignal {
                kind: StopKind::FinishReason(reason.to_owned()),
                message: format!("The model stopped with `{reason}`"),
            }))
        })
}
