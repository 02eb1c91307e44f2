//! `portcullis:hooks/content`: the current content.

use wasmtime::component::{HasSelf, Linker};

use crate::contract::ContentPart;
use crate::contract::bindings::portcullis::hooks::content::{self, Host};
use crate::model::current::CurrentCall;
use crate::sandbox::store::HookStore;

impl Host for CurrentCall {
    fn parts(&mut self) -> wasmtime::Result<Vec<ContentPart>> {
        Ok(self.views().content.to_vec())
    }

    fn text(&mut self) -> wasmtime::Result<String> {
        Ok(self
            .views()
            .content
            .iter()
            .filter_map(|part| match part {
                ContentPart::Text(text) => Some(text.as_str()),
                _ => None,
            })
            .collect())
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    content::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| &mut store.called().current)
}
