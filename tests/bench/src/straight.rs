//! A component called directly through wasmtime, with the same limits armed and nothing else: the
//! lower bound.

use std::path::Path;
use std::time::Duration;

use wasmtime::component::{Component, Instance, InstancePre, Linker, LinkerInstance, TypedFunc};
use wasmtime::{Config, Engine, ResourceLimiter, Result, Store};

const FUEL: u64 = 50_000_000;
const TICKS: u64 = 101;
const VERSION: &str = "0.2.0";

/// The facts that a hook reads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Facts {
    /// The name of the tool.
    pub name: &'static str,
    /// The arguments of the call, as JSON text.
    pub arguments: &'static str,
}

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The code, for programs.
    pub code: String,
    /// The reason, for people and models.
    pub reason: String,
}

/// A compiled and linked component.
pub struct Linked {
    engine: Engine,
    component: InstancePre<Bare>,
    point: &'static str,
}

/// A warm instance.
pub struct Straight {
    store: Store<Bare>,
    handle: TypedFunc<(), (bool,)>,
}

struct Bare {
    memory: usize,
    facts: Facts,
    answer: Option<Refusal>,
}

impl ResourceLimiter for Bare {
    fn memory_growing(&mut self, current: usize, desired: usize, _: Option<usize>) -> Result<bool> {
        self.memory += desired - current;
        Ok(self.memory < 64 << 20)
    }

    fn table_growing(&mut self, _: usize, _: usize, _: Option<usize>) -> Result<bool> {
        Ok(true)
    }
}

impl Linked {
    /// Compiles a component to be called at a point, or maps an earlier compilation in `compiled`.
    ///
    /// # Errors
    ///
    /// wasmtime refuses the component.
    pub fn new(
        component: &Path,
        point: &'static str,
        compiled: Option<&Path>,
    ) -> anyhow::Result<Self> {
        Self::link(component, point, compiled).map_err(described)
    }

    fn link(component: &Path, point: &'static str, compiled: Option<&Path>) -> Result<Self> {
        let mut config = Config::new();
        config
            .concurrency_support(false)
            .epoch_interruption(true)
            .consume_fuel(true)
            .relaxed_simd_deterministic(true)
            .cranelift_nan_canonicalization(true)
            .wasm_backtrace_max_frames(None)
            .generate_address_map(false);
        let engine = Engine::new(&config)?;
        let ticking = engine.weak();
        std::thread::spawn(move || {
            while let Some(engine) = ticking.upgrade() {
                std::thread::sleep(Duration::from_millis(1));
                engine.increment_epoch();
            }
        });
        let component = compile(&engine, component, compiled)?;
        let mut linker: Linker<Bare> = Linker::new(&engine);
        define(&mut linker, point)?;
        linker.define_unknown_imports_as_traps(&component)?;
        let component = linker.instantiate_pre(&component)?;
        Ok(Self {
            engine,
            component,
            point,
        })
    }

    /// Starts an instance.
    ///
    /// # Errors
    ///
    /// The component cannot be started, or does not serve the point.
    pub fn start(&self) -> anyhow::Result<Straight> {
        self.instance().map_err(described)
    }

    fn instance(&self) -> Result<Straight> {
        let bare = Bare {
            memory: 0,
            facts: Facts::default(),
            answer: None,
        };
        let mut store = Store::new(&self.engine, bare);
        store.limiter(|bare| bare);
        store.epoch_deadline_trap();
        store.set_hostcall_fuel(4 << 20);
        store.set_fuel(FUEL)?;
        store.set_epoch_deadline(TICKS);
        let instance = self.component.instantiate(&mut store)?;
        let handle = handle(&mut store, &instance, self.point)?;
        Ok(Straight { store, handle })
    }
}

impl Straight {
    /// Makes one call, with new limits.
    ///
    /// # Errors
    ///
    /// The hook traps, or its answer and its return value disagree.
    pub fn call(&mut self, facts: Facts) -> anyhow::Result<Option<Refusal>> {
        self.answer(facts).map_err(described)
    }

    fn answer(&mut self, facts: Facts) -> Result<Option<Refusal>> {
        self.store.data_mut().facts = facts;
        self.store.set_fuel(FUEL)?;
        self.store.set_epoch_deadline(TICKS);
        let (answered,) = self.handle.call(&mut self.store, ())?;
        let answer = self.store.data_mut().answer.take();
        match answered == answer.is_some() {
            true => Ok(answer),
            false => Err(wasmtime::Error::msg("the hook did not do what it said")),
        }
    }
}

/// Compiles a component. The compilation is kept for the same version of wasmtime, so the caller
/// names the directory after the version.
#[expect(unsafe_code, reason = "maps what this function wrote itself")]
fn compile(engine: &Engine, component: &Path, compiled: Option<&Path>) -> Result<Component> {
    let Some(compiled) = compiled else {
        return Component::from_file(engine, component);
    };
    // SAFETY: `serialize` wrote the file below; wasmtime checks version, settings and processor.
    if is_newer(compiled, component)
        && let Ok(component) = unsafe { Component::deserialize_file(engine, compiled) }
    {
        return Ok(component);
    }
    let component = Component::from_file(engine, component)?;
    std::fs::write(compiled, component.serialize()?)?;
    Ok(component)
}

/// Returns whether a file exists and is not older than another one.
fn is_newer(file: &Path, other: &Path) -> bool {
    let changed = |file: &Path| file.metadata().and_then(|about| about.modified());
    matches!((changed(file), changed(other)), (Ok(file), Ok(other)) if file >= other)
}

fn handle(
    store: &mut Store<Bare>,
    instance: &Instance,
    point: &str,
) -> Result<TypedFunc<(), (bool,)>> {
    let index = instance
        .get_export_index(&mut *store, None, &interface(point))
        .and_then(|at| instance.get_export_index(&mut *store, Some(&at), "handle"))
        .ok_or_else(|| wasmtime::Error::msg(format!("the hook does not serve `{point}`")))?;
    instance.get_typed_func(store, index)
}

fn define(linker: &mut Linker<Bare>, point: &str) -> Result<()> {
    let facts = interface(&format!("{point}-facts"));
    linker
        .instance(&facts)?
        .func_wrap("name", |store, ()| Ok((store.data().facts.name,)))?;
    linker
        .instance(&interface("tool-data"))?
        .func_wrap("input", |store, ()| Ok((store.data().facts.arguments,)))?;
    let answers = interface(&format!("{point}-answer"));
    reject(&mut linker.instance(&answers)?)
}

fn reject(answers: &mut LinkerInstance<'_, Bare>) -> Result<()> {
    answers.func_wrap(
        "reject",
        |mut store, (code, reason, _): (String, String, Option<String>)| {
            store.data_mut().answer = Some(Refusal { code, reason });
            Ok(())
        },
    )
}

fn described(error: wasmtime::Error) -> anyhow::Error {
    anyhow::anyhow!("{error:#}")
}

fn interface(name: &str) -> String {
    format!("portcullis:hooks/{name}@{VERSION}")
}
