//! A hook whose start computes as much as a call.

use portcullis_sdk::prelude::*;

/// The starter.
pub struct Starter;

/// Uses some forty million units of fuel: far more than fits into a deadline of a millisecond on any machine.
fn compute() {
    for round in 0..4_000_000 {
        std::hint::black_box(round);
    }
}

extern "C" fn start() {
    compute();
}

#[used]
#[expect(
    unsafe_code,
    reason = "what a runtime runs at its start stands in this section"
)]
#[unsafe(link_section = ".init_array")]
static START: extern "C" fn() = start;

#[hook(
    id = "starter",
    description = "Computes at its start as much as in a call; refuses an empty turn.",
    kind = "test"
)]
impl Starter {
    fn pre_turn(call: &pre_turn::Call) -> HookResult<pre_turn::Verdict> {
        compute();
        Ok(match call.parts() {
            0 => call.reject("empty", "a turn without content"),
            _ => call.proceed(),
        })
    }
}
