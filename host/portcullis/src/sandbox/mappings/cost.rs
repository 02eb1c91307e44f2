//! How many mappings things have. A test of `tests/mappings` counts those of the process.

use crate::sandbox::capabilities::CallMode;
use crate::sandbox::info::ComponentInfo;

/// Of a memory: a guard region, what is accessible, and the rest of the reservation.
const MEMORY: u64 = 3;
/// More of a memory that data is in: the pages with the data are a mapping of the file, and lie in the middle
/// of what is accessible.
const DATA: u64 = 2;
/// Of the stack of a hook that can wait: the stack and its guard page.
const STACK: u64 = 2;
/// Of a compiled component: code, data that is only read, data that is copied, and what lies between.
const COMPONENT: u64 = 8;

/// The most elements of a table that has no mapping of its own, whatever room it has to grow: the allocator
/// maps what is 128 KiB or more, and an element takes eight bytes.
const SMALL_TABLE: usize = 8_192;

/// The most that an instance of a component has, but for its large tables.
pub(crate) fn of_instance(info: &ComponentInfo) -> u64 {
    let memory = match info.parts.has_data {
        true => MEMORY + DATA,
        false => MEMORY,
    };
    let stack = match info.calling {
        CallMode::Async => STACK,
        CallMode::Sync => 0,
    };
    let memories = (info.parts.memories as u64).saturating_mul(memory);
    let all = memories.saturating_add(stack);
    // One that has none still counts, so that there are not more of them than there may be mappings.
    all.max(1)
}

/// What a table gets that grows from so many elements to so many.
pub(crate) const fn of_table(current: usize, desired: usize) -> u64 {
    (current <= SMALL_TABLE && desired > SMALL_TABLE) as u64
}

/// The most that a compiled component has.
pub(crate) const fn of_component() -> u64 {
    COMPONENT
}

/// The most that a pool has with all its places in use.
pub(crate) fn of_pool(places: u32, memories_per_place: u32) -> u64 {
    u64::from(places) * (STACK + u64::from(memories_per_place) * (MEMORY + DATA))
}
