//! The mappings of instances, components and pools. A test of `tests/mappings` counts those of the
//! process.

use crate::sandbox::capabilities::CallMode;
use crate::sandbox::info::ComponentInfo;

/// The mappings of a memory: a guard region, the accessible part, and the rest of the reservation.
const MEMORY: u64 = 3;
/// The additional mappings of a memory with data: the pages with the data are a mapping of the
/// file, in the middle of the accessible part.
const DATA: u64 = 2;
/// The mappings of the stack of a hook that can wait: the stack and its guard page.
const STACK: u64 = 2;
/// The mappings of a compiled component: code, read-only data, copied data, and the gaps between
/// them.
const COMPONENT: u64 = 8;

/// The most elements of a table without a mapping of its own, regardless of its maximum size: the
/// allocator maps allocations of 128 KiB or more, and an element takes eight bytes.
const SMALL_TABLE: usize = 8_192;

/// Returns the most mappings of an instance of a component, without its large tables.
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
    // An instance without mappings still counts, so that there are not more instances than
    // mappings.
    all.max(1)
}

/// Returns the mappings that a table adds when it grows from `current` to `desired` elements.
pub(crate) const fn of_table(current: usize, desired: usize) -> u64 {
    (current <= SMALL_TABLE && desired > SMALL_TABLE) as u64
}

/// Returns the most mappings of a compiled component.
pub(crate) const fn of_component() -> u64 {
    COMPONENT
}

/// Returns the most mappings of a pool with all its places in use.
pub(crate) fn of_pool(places: u32, memories_per_place: u32) -> u64 {
    u64::from(places) * (STACK + u64::from(memories_per_place) * (MEMORY + DATA))
}
