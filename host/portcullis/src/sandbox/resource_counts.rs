//! The numbers of core instances, memories and tables in a component.
//!
//! wasmtime counts them too, but reports an excess only as text. They are known here before
//! anything is started, so that the failure has the right cause.

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
    /// Returns the counts of a component, given the number of its core instances and whether it has
    /// data.
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
