//! The limits that a worker process sets on itself before it reads a component.

use std::time::Duration;

use super::exit::Request;

/// The seconds of processor time after the limit at which the kernel ends a worker that does not
/// end itself.
#[cfg(unix)]
const GRACE: u64 = 2;

/// The increment of a worker's niceness: hook calls have a deadline, and compilations have none.
#[cfg(unix)]
const NICE: i32 = 10;

/// Makes the kernel enforce the limits of a request. The memory limit counts allocated memory, not
/// reserved addresses. Systems other than Linux have no such limit and count addresses.
#[cfg(unix)]
pub(super) fn keep(request: &Request) -> std::io::Result<()> {
    use rustix::process::{Resource, nice};
    let seconds = Duration::from_millis(request.time_ms).as_secs();
    let memory = match cfg!(target_os = "linux") {
        true => Resource::Data,
        false => Resource::As,
    };
    set(Resource::Core, 0)?;
    // The soft limit sends a signal that can be distinguished from others.
    let seconds = seconds.saturating_add(GRACE);
    set_both(Resource::Cpu, seconds, seconds.saturating_add(1))?;
    // Written data has been in memory first, so the same limit applies.
    set(Resource::Fsize, request.memory_bytes)?;
    set(memory, request.memory_bytes)?;
    // Failing to lower the priority does not prevent compilation.
    let _ = nice(NICE);
    Ok(())
}

/// Lowers a limit. A lower limit stays.
#[cfg(unix)]
fn set(resource: rustix::process::Resource, most: u64) -> std::io::Result<()> {
    set_both(resource, most, most)
}

#[cfg(unix)]
fn set_both(
    resource: rustix::process::Resource,
    current: u64,
    maximum: u64,
) -> std::io::Result<()> {
    use rustix::process::{Rlimit, getrlimit, setrlimit};
    let now = getrlimit(resource);
    let lower = |most: u64| now.maximum.map_or(most, |maximum| maximum.min(most));
    let limit = Rlimit {
        current: Some(lower(current)),
        maximum: Some(lower(maximum)),
    };
    Ok(setrlimit(resource, limit)?)
}

#[cfg(not(unix))]
pub(super) fn keep(_: &Request) -> std::io::Result<()> {
    Ok(())
}

/// Returns the time that a worker sleeps before it checks its processor time again.
pub(super) fn until_due(most: Duration, used: Duration) -> Duration {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = u32::try_from(threads).unwrap_or(u32::MAX);
    let soonest = most.saturating_sub(used) / threads;
    soonest.clamp(Duration::from_millis(1), Duration::from_secs(1))
}
