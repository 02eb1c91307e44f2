//! The limits of a worker process, set by itself before it reads a component.

use std::time::Duration;

use super::exit::Request;

/// How long the kernel leaves a worker that does not end itself, in seconds of processor time.
#[cfg(unix)]
const GRACE: u64 = 2;

/// How much lower a worker's priority is: a call of a hook has a deadline, a compilation has none.
#[cfg(unix)]
const NICE: i32 = 10;

/// Has the kernel keep the limits of a request. Of memory it counts what is allocated, not addresses
/// that are only reserved; where it has no such limit (other systems than Linux), addresses.
#[cfg(unix)]
pub(super) fn keep(request: &Request) -> std::io::Result<()> {
    use rustix::process::{Resource, nice};
    let seconds = Duration::from_millis(request.time_ms).as_secs();
    let memory = match cfg!(target_os = "linux") {
        true => Resource::Data,
        false => Resource::As,
    };
    set(Resource::Core, 0)?;
    // The signal that can be told from others comes at the lower limit.
    let seconds = seconds.saturating_add(GRACE);
    set_both(Resource::Cpu, seconds, seconds.saturating_add(1))?;
    // What is written has been in memory first.
    set(Resource::Fsize, request.memory_bytes)?;
    set(memory, request.memory_bytes)?;
    // A worker of the host's own priority is one that compiles, too.
    let _ = nice(NICE);
    Ok(())
}

/// Lowers a limit; one that is lower already stays.
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

/// The time that a worker sleeps before it looks at its processor time again.
pub(super) fn until_due(most: Duration, used: Duration) -> Duration {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = u32::try_from(threads).unwrap_or(u32::MAX);
    let soonest = most.saturating_sub(used) / threads;
    soonest.clamp(Duration::from_millis(1), Duration::from_secs(1))
}
