//! How many core instances, memories and tables a component is made of.
//!
//! wasmtime counts them too, but says in words alone that they are too many. Here they are known before
//! anything is started, so that the cause is known.

use wasmtime::component::Component;

/// What a component is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ResourceCounts {
    instances: usize,
    memories: usize,
    tables: usize,
}

impl ResourceCounts {
    /// Those of a component of which the core instances were counted.
    pub(crate) fn of(component: &Component, instances: usize) -> Self {
        let required = component.resources_required();
        Self {
            instances,
            memories: required.as_ref().map_or(0, |r| r.num_memories as usize),
            tables: required.as_ref().map_or(0, |r| r.num_tables as usize),
        }
    }

    /// The most there are of any sort.
    pub(crate) fn most(self) -> usize {
        self.instances.max(self.memories).max(self.tables)
    }
}
