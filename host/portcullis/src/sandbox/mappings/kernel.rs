//! The system's limit on a process's memory mappings.

/// The limit of Linux, unless the machine's administrator changed it.
const USUAL: u64 = 65_530;

/// Returns the most mappings of all instances of a process. On Linux a quarter of the kernel's
/// limit is left for the other mappings of a process: its libraries, threads, files and heap.
pub(super) fn most_of_process() -> u64 {
    match cfg!(target_os = "linux") {
        true => share_of(kernels().unwrap_or(USUAL)),
        // Other systems have no such limit.
        false => u64::MAX,
    }
}

/// Returns the default limit for the instances of a host.
pub(super) fn default_of_host() -> u64 {
    match cfg!(target_os = "linux") {
        true => most_of_process(),
        false => share_of(USUAL),
    }
}

const fn share_of(most: u64) -> u64 {
    most - most / 4
}

/// Returns the kernel's limit, if it can be read.
fn kernels() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/sys/vm/max_map_count").ok()?;
    text.trim().parse().ok()
}
