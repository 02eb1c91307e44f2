//! The kernel's figures for this process's memory mappings.

use std::fs;

/// Returns the number of mappings.
pub fn mappings() -> usize {
    let maps = fs::read_to_string("/proc/self/maps").expect("the process's mappings");
    maps.lines().count()
}

/// Returns the maximum number of mappings.
pub fn most_mappings() -> Option<usize> {
    let most = fs::read_to_string("/proc/sys/vm/max_map_count").ok()?;
    most.trim().parse().ok()
}
