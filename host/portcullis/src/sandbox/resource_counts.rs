//! The numbers of core instances, memories and tables in a component.
//!
//! wasmtime counts them too, but reports an excess in words only. Here they are known before
//! anything is started, so that the cause is known.

use wasmtime::component::Component;

/// The resource counts of a component.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ResourceCounts {
    instances: usize,
    pub(crate) memories: usize,
    tables: usize,
    /// Whether a memory is initialized with data.
    pub(crate) has_data: bool,
}

impl ResourceCounts {
    /// Returns the counts of a component whose core instances were counted and whose data was
    /// looked for.
    pub(crate) fn of(component: &Component, instances: usize, has_data: bool) -> Self {
        let required = component.resources_required();
        Self {
            instances,
            memories: required.as_ref().map_or(0, |r| r.num_memories as usize),
            tables: required.as_ref().map_or(0, |r| r.num_tables as usize),
            has_data,
        }
    }

    /// Returns the largest of the counts.
    pub(crate) fn most(self) -> usize {
        self.instances.max(self.memories).max(self.tables)
    }
}
