//! The memory of the process, as the kernel counts it.

/// The growth of the process's peak memory since [`Peak::begin`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peak {
    before: u64,
}

impl Peak {
    /// Begins to measure. `None` if it cannot be measured.
    pub(crate) fn begin() -> Option<Self> {
        // Resets the kernel's peak.
        std::fs::write("/proc/self/clear_refs", "5").ok()?;
        Some(Self {
            before: status("VmRSS:")?,
        })
    }

    /// Returns the peak growth of the process, in bytes.
    pub(crate) fn grown(self) -> Option<u64> {
        Some(status("VmHWM:")?.saturating_sub(self.before))
    }
}

/// Returns a value of the kernel's status file, in bytes.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_touched_is_counted() {
        let Some(peak) = Peak::begin() else {
            eprintln!("skipped: /proc is not as usual here");
            return;
        };
        let touched = vec![1u8; 32 << 20];
        assert!(std::hint::black_box(&touched).iter().all(|byte| *byte == 1));
        drop(touched);
        let grown = peak.grown().expect("a size");
        assert!(grown >= 24 << 20, "{grown}");
    }
}
