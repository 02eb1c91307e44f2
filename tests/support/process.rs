//! What the kernel says of this process.

/// The bytes that are resident now; `None` if they cannot be read.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// By how many bytes the process grew, at most, while something was done; `None` if that cannot
/// be read.
pub fn grown_at_most<T>(action: impl FnOnce() -> T) -> (T, Option<u64>) {
    // What the kernel remembers as the highest is forgotten.
    let before = std::fs::write("/proc/self/clear_refs", "5")
        .ok()
        .and_then(|()| resident());
    let done = action();
    let grown = before.and_then(|before| Some(status("VmHWM:")?.saturating_sub(before)));
    (done, grown)
}

/// A line of the kernel's, in bytes.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
