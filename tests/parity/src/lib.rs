//! The tests that every runtime of durable turns must pass.
//!
//! A runtime is tested through the traits [`Runtime`] and [`Process`]. They define how a process is
//! started in a [`World`] that outlives it, and how it runs, resumes and cancels turns. The
//! processes are agents in this process; they die by their [`Mortality`], which the runtime asks
//! around each effect.
//!
//! ```text
//! portcullis_parity::turns!(MyRuntime::start());        // for every runtime
//! portcullis_parity::deaths!(MyRuntime::start());       // for those whose turns survive their process
//! ```
//!
//! Both take an expression that is a future of `Option<impl Runtime>`, for each test. If it returns
//! `None`, nothing is tested: the expression reports NOT RUN and why.

mod agent;
mod mortality;
pub mod rows;
mod runtime;
mod tools;
mod world;

pub use agent::{LINES, quick};
pub use mortality::{Dies, Mortality};
pub use runtime::{End, Ended, Left, NO_USAGE, Process, Runtime};
pub use tools::{Echo, Trail, recorder};
pub use world::{Dead, Running, Story, World};

/// The tests of every runtime. `turns!(each RUNTIME)` runs them one after another, in an async block.
#[macro_export]
macro_rules! turns {
    ($($runtime:tt)*) => {
        $crate::each_row!({$($runtime)*} =>
            a_turn_is_the_same_turn,
            a_turn_is_the_same_whenever_it_runs,
            a_suspended_turn_is_resumed_by_another_process_with_other_code,
            a_suspended_turn_is_resumed_once,
            a_suspended_turn_that_nobody_answers_in_time_continues_with_a_no,
            a_turn_that_is_cancelled_in_the_middle_leaves_nothing,
        );
    };
}

/// The tests of runtimes whose turns survive their process. `deaths!(each RUNTIME)` runs them one after another, in an
/// async block.
#[macro_export]
macro_rules! deaths {
    ($($runtime:tt)*) => {
        $crate::each_row!({$($runtime)*} =>
            it_dies_when_a_turn_begins,
            it_dies_before_an_effect_is_recorded,
            it_dies_when_an_effect_is_recorded,
            a_tool_that_must_not_run_twice_does_not,
            every_effect_is_of_a_new_process,
            effects_have_the_same_names_at_any_time,
            a_turn_continues_wherever_the_clock_was_set_to,
            a_turn_that_is_cancelled_and_killed_is_over,
            a_turn_that_is_cancelled_when_it_is_dead_is_over,
            a_resumed_turn_dies_anywhere,
            a_resumed_turn_is_parked_anywhere,
            a_turn_whose_sub_agents_waited_dies_anywhere,
            a_turn_whose_sub_agents_waited_is_parked_anywhere,
        );
    };
}

/// Runs the rows one after another, or defines a test for each.
#[doc(hidden)]
#[macro_export]
macro_rules! each_row {
    ({each $runtime:expr} => $($row:ident),* $(,)?) => {$(
        println!("{}", stringify!($row));
        $crate::rows::$row(&$runtime).await;
    )*};
    ({$runtime:expr} => $($row:ident),* $(,)?) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $row() {
            if let Some(runtime) = $runtime.await {
                $crate::rows::$row(&runtime).await;
            }
        }
    )*};
}
