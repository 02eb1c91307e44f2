//! The declarations of a hook about itself: its descriptor, and the schema of its configuration.

use wasmtime::component::{ComponentExportIndex, Lift, TypedFunc};

use super::wasm_error::failure;
use super::{Instance, Plan, StartError, missing, signature, within};
use crate::contract::Descriptor;
use crate::model::failure::Failure;

/// A declaration of a hook about itself.
pub(crate) trait Declared: Lift + Send + 'static {
    /// The exported interface of the declaration.
    const INTERFACE: &'static str;
}

impl Declared for Descriptor {
    const INTERFACE: &'static str = "describe";
}

/// The JSON schema of a hook's configuration.
impl Declared for String {
    const INTERFACE: &'static str = "configuration";
}

impl Instance {
    /// Calls the hook's export for a declaration.
    pub(crate) fn ask<R: Declared>(
        &mut self,
        plan: Plan<'_>,
        export: ComponentExportIndex,
    ) -> Result<R, StartError> {
        let function = self.declares::<R>(export)?;
        self.prepare(plan);
        let asked = function.call(&mut self.store, ());
        self.declared(plan, asked).map_err(StartError::Failed)
    }

    /// Does the same as [`Self::ask`] for a hook that can wait.
    pub(crate) async fn ask_async<R: Declared>(
        &mut self,
        plan: Plan<'_>,
        export: ComponentExportIndex,
    ) -> Result<R, StartError> {
        let function = self.declares::<R>(export)?;
        let wall = self.prepare_to_wait(plan);
        let asking = function.call_async(&mut self.store, ());
        let asked = within(plan, &self.watch, wall, asking).await;
        asked
            .and_then(|asked| self.declared(plan, asked))
            .map_err(StartError::Failed)
    }

    fn declares<R: Declared>(
        &mut self,
        export: ComponentExportIndex,
    ) -> Result<TypedFunc<(), (R,)>, StartError> {
        let function = self.exports.get_func(&mut self.store, export);
        let function = function.ok_or_else(|| missing(R::INTERFACE))?;
        function
            .typed(&self.store)
            .map_err(|e| signature(R::INTERFACE, &e))
    }

    fn declared<R>(&mut self, plan: Plan<'_>, asked: wasmtime::Result<(R,)>) -> Result<R, Failure> {
        // Explained before the end, which clears the hook's output.
        let asked = asked
            .map(|(declared,)| declared)
            .map_err(|e| failure(self.store.data_mut(), e, plan));
        drop(self.store.data_mut().end());
        match self.store.data().over() {
            Some(failure) => Err(failure),
            None => asked,
        }
    }
}
