//! The tests: what is the same on every runtime, row by row.

mod clock;
mod deaths;
mod endings;
mod undisturbed;
mod waiting;

use crate::runtime::Runtime;

pub use clock::a_turn_continues_wherever_the_clock_was_set_to;
pub use deaths::{
    a_tool_that_must_not_run_twice_does_not, every_effect_is_of_a_new_process,
    it_dies_before_an_effect_is_recorded, it_dies_when_a_turn_begins,
    it_dies_when_an_effect_is_recorded,
};
pub use endings::{
    a_turn_that_is_cancelled_and_killed_is_over,
    a_turn_that_is_cancelled_in_the_middle_leaves_nothing,
    a_turn_that_is_cancelled_when_it_is_dead_is_over,
};
pub use undisturbed::{
    a_turn_is_the_same_turn, a_turn_is_the_same_whenever_it_runs,
    effects_have_the_same_names_at_any_time,
};
pub use waiting::{
    a_resumed_turn_dies_anywhere, a_resumed_turn_is_parked_anywhere,
    a_suspended_turn_is_resumed_by_another_process_with_other_code,
    a_suspended_turn_is_resumed_once,
    a_suspended_turn_that_nobody_answers_in_time_continues_with_a_no,
    a_turn_whose_sub_agents_waited_dies_anywhere,
    a_turn_whose_sub_agents_waited_is_parked_anywhere,
};

/// Returns the interval between the tried moments at which a process may die: 1, every moment, with
/// `PORTCULLIS_SOAK=full`.
fn every(runtime: &dyn Runtime) -> usize {
    match std::env::var("PORTCULLIS_SOAK").as_deref() {
        Ok("full") => 1,
        _ => runtime.every(),
    }
}
