//! `portcullis:hooks/failure`: a hook's report that it could not do its work.

use wasmtime::component::HasSelf;

use super::Capability;
use crate::contract::HookError;
use crate::contract::bindings::portcullis::hooks::failure::{self, Host};
use crate::sandbox::store::HookStore;

impl Host for HookStore {
    fn bad_config(&mut self, message: String) -> wasmtime::Result<()> {
        self.failed(HookError::BadConfig(message))
    }

    fn fail(&mut self, message: String) -> wasmtime::Result<()> {
        self.failed(HookError::Failed(message))
    }
}

impl HookStore {
    fn failed(&mut self, error: HookError) -> wasmtime::Result<()> {
        let error = self.capabilities.secrets.redact_error(error);
        self.current.report_failure(error)
    }
}

pub(super) const CAPABILITY: Capability = Capability::new(
    &["portcullis:hooks/failure"],
    "report that it could not do its work",
    |linker, _| failure::add_to_linker::<_, HasSelf<HookStore>>(linker, HookStore::called),
);
