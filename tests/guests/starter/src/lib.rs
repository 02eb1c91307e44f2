//! A hook that computes at its start as much as in a call.

use portcullis_sdk::prelude::*;

/// The starter.
pub struct Starter;

/// Some ten million units of fuel.
fn compute() {
    for round in 0..1_000_000 {
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
    description = "Computes at its start as much as in a call.",
    kind = "test",
    role = gate
)]
impl Starter {
    fn pre_turn(_: Context, _: pre_turn::TurnInput) -> HookResult<pre_turn::Outcome> {
        compute();
        Ok(pre_turn::Outcome::Continue)
    }
}
