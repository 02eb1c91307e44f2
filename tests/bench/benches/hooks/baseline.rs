//! The same component called straight through wasmtime's typed functions, with the same limits
//! armed and nothing else: the floor.

use std::sync::Arc;

use portcullis::contract::{Context, HookError, Message};
use wasmtime::component::{Component, Lift, Linker, Lower, TypedFunc};
use wasmtime::{Config, Engine, ResourceLimiter, Store};

const FUEL: u64 = 50_000_000;
const TICKS: u64 = 101;

/// A started component.
pub struct Straight<I: 'static, O: 'static> {
    store: Store<Bare>,
    handle: TypedFunc<(&'static Context, &'static I), (Result<O, HookError>,)>,
}

struct Bare {
    memory: usize,
    messages: Arc<Vec<Message>>,
}

impl ResourceLimiter for Bare {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _: Option<usize>,
    ) -> wasmtime::Result<bool> {
        self.memory += desired - current;
        Ok(self.memory < 64 << 20)
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> wasmtime::Result<bool> {
        Ok(true)
    }
}

impl<I, O> Straight<I, O>
where
    I: Lower + wasmtime::component::ComponentType + Sync,
    O: Lift + wasmtime::component::ComponentType + Send + Sync,
{
    /// Starts the hook `tiny` to be called at a point.
    pub fn start(point: &str, messages: Arc<Vec<Message>>) -> wasmtime::Result<Self> {
        let mut config = Config::new();
        config
            .concurrency_support(false)
            .epoch_interruption(true)
            .consume_fuel(true)
            .relaxed_simd_deterministic(true)
            .cranelift_nan_canonicalization(true)
            .wasm_backtrace_max_frames(None);
        let engine = Engine::new(&config)?;
        let ticking = engine.weak();
        std::thread::spawn(move || {
            while let Some(engine) = ticking.upgrade() {
                std::thread::sleep(std::time::Duration::from_millis(1));
                engine.increment_epoch();
            }
        });
        let component = Component::from_file(&engine, portcullis_tests::component("tiny"))?;
        let mut linker: Linker<Bare> = Linker::new(&engine);
        linker
            .instance("portcullis:hooks/conversation@0.1.0")?
            .func_wrap("last", |store, ()| {
                Ok((store.data().messages.last().cloned(),))
            })?;
        linker.define_unknown_imports_as_traps(&component)?;
        let mut store = Store::new(
            &engine,
            Bare {
                memory: 0,
                messages,
            },
        );
        store.limiter(|bare| bare);
        store.epoch_deadline_trap();
        store.set_hostcall_fuel(4 << 20);
        store.set_fuel(FUEL)?;
        store.set_epoch_deadline(TICKS);
        let instance = linker.instantiate(&mut store, &component)?;
        let interface = format!("portcullis:hooks/{point}@0.1.0");
        let index = instance
            .get_export_index(&mut store, None, &interface)
            .and_then(|at| instance.get_export_index(&mut store, Some(&at), "handle"))
            .ok_or_else(|| wasmtime::Error::msg("tiny does not serve the point"))?;
        let handle = instance.get_typed_func(&mut store, index)?;
        Ok(Self { store, handle })
    }

    /// One call, with the limits armed anew.
    pub fn call(&mut self, context: &'static Context, input: &'static I) -> wasmtime::Result<O> {
        self.store.set_fuel(FUEL)?;
        self.store.set_epoch_deadline(TICKS);
        let (answer,) = self.handle.call(&mut self.store, (context, input))?;
        answer.map_err(|_| wasmtime::Error::msg("tiny failed"))
    }
}
