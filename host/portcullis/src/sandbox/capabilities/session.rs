//! `portcullis:hooks/session`: whose session it is.

use wasmtime::component::{HasSelf, Linker};

use crate::contract::bindings::portcullis::hooks::session::{self, Host};
use crate::model::current::CurrentCall;
use crate::sandbox::store::HookStore;

impl Host for CurrentCall {
    fn user(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(self.views().session.user.clone())
    }

    fn working_dir(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(self.views().session.working_dir.clone())
    }

    fn parent(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(self.views().session.parent.clone())
    }

    fn metadata(&mut self) -> wasmtime::Result<Vec<(String, String)>> {
        Ok(self.views().session.metadata.clone())
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    session::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| &mut store.called().current)
}
