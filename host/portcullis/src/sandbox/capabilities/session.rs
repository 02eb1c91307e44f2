//! `portcullis:hooks/session`: the owner of the session.

use wasmtime::component::HasSelf;

use super::{Capability, Permission};
use crate::contract::bindings::portcullis::hooks::session::{self, Host};
use crate::model::current::CurrentCall;
use crate::model::view::View;

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

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::View(View::Session),
    ..Capability::new(
        &["portcullis:hooks/session"],
        "read who the user is and what the session is about",
        |linker, _| {
            session::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
                &mut store.called().current
            })
        },
    )
};
