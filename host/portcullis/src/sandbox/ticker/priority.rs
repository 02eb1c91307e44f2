//! The priority of the ticker's thread.
//!
//! A hook that computes forever takes a whole core. If others are as busy, a thread of equal
//! priority waits for some of their time slices, milliseconds each, and deadlines are late by as
//! much. The ticker runs for a microsecond a tick, so its priority costs other threads nothing.

use thread_priority::{ThreadPriority, set_current_thread_priority};

/// Raises the calling thread's priority so that it runs as soon as it wakes, if the process may do
/// so.
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

/// Sets the lowest real-time priority.
#[cfg(unix)]
fn real_time() -> Result<(), thread_priority::Error> {
    use thread_priority::unix::{
        RealtimeThreadSchedulePolicy, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };
    let policy = ThreadSchedulePolicy::Realtime(RealtimeThreadSchedulePolicy::Fifo);
    set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, policy)
}

/// Returns an error: this system has no real-time priority for a single thread.
#[cfg(not(unix))]
fn real_time() -> Result<(), thread_priority::Error> {
    Err(thread_priority::Error::Priority("no real-time priorities"))
}
