//! Linking once, so that a component is instantiated many times at little cost.

use wasmtime::Engine;
use wasmtime::component::{Component, InstancePre, Linker};

use crate::sandbox::capabilities::{self, CallMode};
use crate::sandbox::store::HookStore;

/// One linker for each way of calling.
pub(crate) struct Linkers {
    direct: Linker<HookStore>,
    waiting: Linker<HookStore>,
}

impl Linkers {
    /// `stored` says whether hooks' state is kept in a store.
    pub(crate) fn new(engine: &Engine, stored: bool) -> wasmtime::Result<Self> {
        let linker = |calling| {
            let mut linker = Linker::new(engine);
            capabilities::add_to_linker(&mut linker, calling).map(|()| linker)
        };
        let direct = linker(CallMode::Sync)?;
        let mut waiting = linker(CallMode::Async)?;
        if stored {
            capabilities::add_stored_to_linker(&mut waiting)?;
        }
        Ok(Self { direct, waiting })
    }

    pub(crate) fn link(
        &self,
        component: &Component,
        calling: CallMode,
    ) -> wasmtime::Result<InstancePre<HookStore>> {
        let linker = match calling {
            CallMode::Sync => &self.direct,
            CallMode::Async => &self.waiting,
        };
        linker.instantiate_pre(component)
    }
}
