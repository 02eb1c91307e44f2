//! Runs components: their instances, limits and imports.

pub(crate) mod admission;
pub(crate) mod capabilities;
pub(crate) mod component;
pub(crate) mod component_hook;
pub(crate) mod engine;
mod frames;
mod idle;
pub(crate) mod info;
pub(crate) mod instance;
pub(crate) mod lines;
pub(crate) mod link;
pub(crate) mod mappings;
pub(crate) mod memory_budget;
pub(crate) mod meter;
pub(crate) mod pool;
pub(crate) mod pooling_engine;
mod queue;
pub(crate) mod resource_counts;
pub(crate) mod store;
#[cfg(test)]
mod suite;
pub(crate) mod sum;
pub(crate) mod tape;
pub(crate) mod ticker;
pub(crate) mod warm;
pub(crate) mod watcher;
