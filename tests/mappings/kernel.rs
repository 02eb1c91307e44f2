//! What the kernel says of this process's memory mappings.

use std::fs;

/// How many it has.
pub fn mappings() -> usize {
    let maps = fs::read_to_string("/proc/self/maps").expect("the process's mappings");
    maps.lines().count()
}

/// How many it may have.
pub fn most_mappings() -> Option<usize> {
    let most = fs::read_to_string("/proc/sys/vm/max_map_count").ok()?;
    most.trim().parse().ok()
}
