//! How many core instances, memories and tables a component is made of.
//!
//! wasmtime counts them too, but says in words alone that they are too many. Here they are known before
//! anything is started, so that the cause is known.

use wasmtime::component::Component;

/// What a component is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ResourceCounts {
    instances: usize,
    pub(crate) memories: usize,
    tables: usize,
    /// Whether a memory begins with data in it.
    pub(crate) has_data: bool,
}

impl ResourceCounts {
    /// Those of a component of which the core instances were counted, and data was looked for.
    pub(crate) fn of(component: &Component, instances: usize, has_data: bool) -> Self {
        let required = component.resources_required();
        Self {
            instances,
            memories: required.as_ref().map_or(0, |r| r.num_memories as usize),
            tables: required.as_ref().map_or(0, |r| r.num_tables as usize),
            has_data,
        }
    }

    /// The most there are of any sort.
    pub(crate) fn most(self) -> usize {
        self.instances.max(self.memories).max(self.tables)
    }
}
