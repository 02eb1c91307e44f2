//! The ticker's place among the machine's threads.
//!
//! A hook that computes forever takes a whole core. Where others are as busy, a thread that wakes among
//! equals waits for some slices of theirs, milliseconds each, and deadlines with it. The ticker runs
//! for a microsecond a tick, so it costs nobody anything to let it go first.

use thread_priority::{ThreadPriority, set_current_thread_priority};

/// Lets the calling thread run as soon as it wakes, as far as this process may have that.
pub(super) fn first_in_line() {
    if real_time().is_err()
        && let Err(refused) = set_current_thread_priority(ThreadPriority::Max)
    {
        tracing::debug!(
            "the deadline ticker waits in line with other threads: the system refuses it a priority \
             ({refused}); where cores are busy, hooks end some milliseconds after their deadlines"
        );
    }
}

/// The least of the real-time priorities.
#[cfg(unix)]
fn real_time() -> Result<(), thread_priority::Error> {
    use thread_priority::unix::{
        RealtimeThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, policy)
}

/// There are none that a thread could have without its process.
#[cfg(not(unix))]
fn real_time() -> Result<(), thread_priority::Error> {
    Err(thread_priority::Error::Priority("no real-time priorities"))
}
