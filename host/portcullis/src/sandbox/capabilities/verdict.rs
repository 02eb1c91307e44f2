//! `portcullis:hooks/verdict`: the decision of the chain.

use wasmtime::component::HasSelf;

use super::{Capability, Permission};
use crate::contract::ChainVerdict;
use crate::contract::bindings::portcullis::hooks::verdict::{self, Host};
use crate::model::current::CurrentCall;
use crate::model::view::View;

impl Host for CurrentCall {
    fn current(&mut self) -> wasmtime::Result<Option<ChainVerdict>> {
        Ok(self.views().verdict.as_deref().cloned())
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::View(View::Verdict),
    ..Capability::new(
        &["portcullis:hooks/verdict"],
        "read what the other hooks decided",
        |linker, _| {
            verdict::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
                &mut store.called().current
            })
        },
    )
};
