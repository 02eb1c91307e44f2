//! `portcullis:hooks/types`: the types that the other interfaces share. It has no functions.

use wasmtime::component::HasSelf;

use super::Capability;
use crate::contract::bindings::portcullis::hooks::types::{self, Host};
use crate::model::current::CurrentCall;

impl Host for CurrentCall {}

pub(super) const CAPABILITY: Capability = Capability::new(
    &["portcullis:hooks/types"],
    "use the shared types",
    |linker, _| types::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| &mut store.current),
);
