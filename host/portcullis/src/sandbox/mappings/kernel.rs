//! How many memory mappings the system gives a process.

/// What Linux gives a process unless the machine's administrator says otherwise.
const USUAL: u64 = 65_530;

/// How many mappings the instances of a process may have. On Linux a quarter of the kernel's is left for what
/// else a process maps: its libraries, threads, files and heap.
pub(super) fn most_of_process() -> u64 {
    match cfg!(target_os = "linux") {
        true => share_of(kernels().unwrap_or(USUAL)),
        // Other systems have no such limit.
        false => u64::MAX,
    }
}

/// How many those of a host may have by default.
pub(super) fn default_of_host() -> u64 {
    match cfg!(target_os = "linux") {
        true => most_of_process(),
        false => share_of(USUAL),
    }
}

const fn share_of(most: u64) -> u64 {
    most - most / 4
}

/// What the kernel gives, if it says so.
fn kernels() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/sys/vm/max_map_count").ok()?;
    text.trim().parse().ok()
}
