//! The kernel's figures for this process.

/// Returns the bytes that are resident now, or `None` if they cannot be read.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// Runs an action and returns the maximum growth of the process in bytes meanwhile, or `None` if it
/// cannot be read.
pub fn grown_at_most<T>(action: impl FnOnce() -> T) -> (T, Option<u64>) {
    // Resets the kernel's record of the peak.
    let before = std::fs::write("/proc/self/clear_refs", "5")
        .ok()
        .and_then(|()| resident());
    let done = action();
    let grown = before.and_then(|before| Some(status("VmHWM:")?.saturating_sub(before)));
    (done, grown)
}

/// Returns a line of `/proc/self/status`, in bytes.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
