//! Linking once, so that a component is instantiated many times at little cost.

use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre};

use crate::contract::linked::component::Linker;
use crate::sandbox::capabilities::{self, CallMode};
use crate::sandbox::store::HookStore;

/// The linkers of a host, made on demand: one for each engine and call mode.
pub(crate) struct Linkers {
    stored: bool,
    made: Mutex<Vec<(CallMode, Arc<Linker<HookStore>>)>>,
}

impl Linkers {
    /// Creates the linkers. `stored` says whether hooks' state is kept in a store.
    pub(crate) fn new(stored: bool) -> Self {
        Self {
            stored,
            made: Mutex::default(),
        }
    }

    /// Returns whether hooks' state is kept in a store.
    pub(crate) fn stored(&self) -> bool {
        self.stored
    }

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
        let mut linkers = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let made = linkers
            .iter()
            .find(|(of, linker)| *of == calling && Engine::same(linker.engine(), engine));
        if let Some((_, linker)) = made {
            return Ok(linker.clone());
        }
        let mut linker = Linker::new(engine, HookStore::watcher, HookStore::tape);
        capabilities::add_to_linker(&mut linker, calling)?;
        if self.stored && calling == CallMode::Async {
            capabilities::add_stored_to_linker(&mut linker)?;
        }
        let linker = Arc::new(linker);
        linkers.push((calling, linker.clone()));
        Ok(linker)
    }
}
