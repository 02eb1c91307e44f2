//! A second engine, for instances that live for one call: it keeps their memory for the next ones.
//!
//! Creating an instance maps its memory, and dropping the instance unmaps it, which costs more than
//! most calls. wasmtime's pooling allocator keeps the memory mapped. It has a fixed number of
//! places, so it serves hooks whose instances end with their call: at most as many of these exist
//! as calls may run at once. Instances that live longer are created on demand, as many as the
//! memory budget allows.

use std::sync::{Mutex, OnceLock, PoisonError};

use wasmtime::component::Component;
use wasmtime::{Config, Enabled, Engine, PoolingAllocationConfig};

use crate::sandbox::engine::{Runtime, config};
use crate::sandbox::mappings::{self, Mapped};

/// The most core instances of one component in the pool. A component that needs more is not
/// allocated from it.
const CORE_INSTANCES: u32 = 12;
const MEMORIES: u32 = 2;
const TABLES: u32 = 12;

/// The bytes of a memory that are kept and cleared by writing zeros. Pages beyond these are
/// returned to the system. A hook in Rust or C touches some 100 kB.
const KEPT_BYTES: usize = 1 << 20;

/// Places in addition to those of the calls, for instances that describe themselves while they are
/// loaded.
const SPARE: u32 = 8;

/// The engine, created when a hook needs it.
#[derive(Default)]
pub(crate) struct PoolingEngine {
    made: OnceLock<(Engine, Mapped)>,
    /// Held while the engine is created.
    making: Mutex<()>,
    warned: OnceLock<()>,
}

impl PoolingEngine {
    /// Returns the engine; `None` while the system or the host has too little address space or too
    /// few mappings for it.
    pub(crate) fn get(&self, runtime: &Runtime) -> Option<&Engine> {
        if self.made.get().is_none() {
            let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
            self.make(runtime);
        }
        self.made.get().map(|(engine, _)| engine)
    }

    fn make(&self, runtime: &Runtime) {
        if self.made.get().is_some() {
            return;
        }
        match make(runtime) {
            // No other thread creates one meanwhile.
            Ok(made) => drop(self.made.set(made)),
            Err(error) if self.warned.set(()).is_ok() => tracing::warn!(
                "instances for one call are made on demand, which takes longer: there is no memory for a \
                 pool of them ({error:#}); the next hook that is loaded asks again"
            ),
            Err(_) => {}
        }
    }
}

fn make(runtime: &Runtime) -> wasmtime::Result<(Engine, Mapped)> {
    let places = u32::try_from(runtime.calls)
        .unwrap_or(u32::MAX)
        .saturating_add(SPARE);
    let mappings = mappings::of_pool(places, MEMORIES);
    let mapped = runtime.mappings.take_for_pool(mappings)?;
    let engine = Engine::new(&pooling(runtime.fuel, places))?;
    runtime.ticker.add(&engine);
    Ok((engine, mapped))
}

fn pooling(fuel: bool, components: u32) -> Config {
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(components)
        .total_core_instances(components.saturating_mul(CORE_INSTANCES))
        .max_core_instances_per_component(CORE_INSTANCES)
        .total_memories(components.saturating_mul(MEMORIES))
        .max_memories_per_component(MEMORIES)
        .total_tables(components.saturating_mul(TABLES))
        .max_tables_per_component(TABLES)
        .total_stacks(components)
        .linear_memory_keep_resident(KEPT_BYTES)
        .table_keep_resident(KEPT_BYTES)
        .pagemap_scan(Enabled::Auto);
    let mut config = config(fuel);
    config.allocation_strategy(pool);
    config
}

/// Returns the component in another engine, or unchanged if that engine does not accept it.
#[expect(
    unsafe_code,
    reason = "deserializes what this process has serialized at once"
)]
pub(crate) fn in_engine(component: &Component, engine: &Engine) -> Component {
    if Engine::same(component.engine(), engine) {
        return component.clone();
    }
    let moved = component.serialize().and_then(|compiled| {
        // SAFETY: wasmtime made these bytes, and nothing has changed them since.
        unsafe { Component::deserialize(engine, compiled) }
    });
    moved.unwrap_or_else(|error| {
        tracing::debug!("a component stays in its engine: {error:#}");
        component.clone()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::isolation::Isolation;
    use crate::model::purpose::Purpose;
    use crate::sandbox::engine::{EngineOptions, Runtime};

    fn moved(wat: &str) -> bool {
        let runtime = Runtime::new(&EngineOptions::default()).expect("an engine");
        let engine = runtime.engine_for(Isolation::Call);
        assert!(!Engine::same(engine, &runtime.engine));
        let component = Component::new(&runtime.engine, wat::parse_str(wat).expect("a text"))
            .expect("a component");
        Engine::same(in_engine(&component, engine).engine(), engine)
    }

    #[test]
    fn a_component_moves_where_it_fits() {
        assert!(moved(
            "(component (core module $m (memory 1)) (core instance (instantiate $m)))"
        ));
    }

    #[test]
    fn a_component_of_too_many_parts_stays() {
        let instances = "(core instance (instantiate $m))".repeat(CORE_INSTANCES as usize + 1);
        assert!(!moved(&format!("(component (core module $m) {instances})")));
    }

    #[test]
    fn a_pool_is_made_once_there_is_room_and_takes_nothing_of_observers() {
        let runtime = Runtime::new(&EngineOptions {
            concurrent_calls: 4,
            memory_mappings: Some(400),
            ..EngineOptions::default()
        });
        let runtime = runtime.expect("an engine");
        let pooled = || !Engine::same(runtime.engine_for(Isolation::Call), &runtime.engine);
        let running = runtime.mappings.take(64, Purpose::Deciding);
        let more: Vec<_> = (0..4)
            .map(|_| runtime.mappings.take(64, Purpose::Deciding))
            .collect();
        assert!(!pooled());
        drop((running, more));
        assert!(pooled());
        assert!(runtime.mappings.take(200, Purpose::Observing).is_ok());
    }

    #[test]
    fn only_instances_for_one_call_come_from_the_pool() {
        let runtime = Runtime::new(&EngineOptions::default()).expect("an engine");
        for isolation in [Isolation::Session, Isolation::Shared] {
            assert!(Engine::same(runtime.engine_for(isolation), &runtime.engine));
        }
    }
}
