//! Linking once, so that a component is instantiated many times at little cost.

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

use crate::sandbox::capabilities::{self, CallMode};
use crate::sandbox::store::HookStore;

/// The linkers of a host, made when a component needs them: one for each engine and way of calling.
#[derive(Default)]
pub(crate) struct Linkers(Mutex<Vec<(CallMode, Arc<Linker<HookStore>>)>>);

impl Linkers {
    pub(crate) fn link(
        &self,
        component: &Component,
        calling: CallMode,
    ) -> wasmtime::Result<InstancePre<HookStore>> {
        let linker = self.linker(component.engine(), calling)?;
        linker.instantiate_pre(component)
    }

    fn linker(
        &self,
        engine: &Engine,
        calling: CallMode,
    ) -> wasmtime::Result<Arc<Linker<HookStore>>> {
        let mut linkers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let made = linkers
            .iter()
            .find(|(of, linker)| *of == calling && Engine::same(linker.engine(), engine));
        if let Some((_, linker)) = made {
            return Ok(linker.clone());
        }
        let mut linker = Linker::new(engine);
        capabilities::add_to_linker(&mut linker, calling)?;
        let linker = Arc::new(linker);
        linkers.push((calling, linker.clone()));
        Ok(linker)
    }
}
