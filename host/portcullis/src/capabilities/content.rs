//! `portcullis:hooks/content`: the content in hand.

use wasmtime::component::{HasSelf, Linker};

use crate::bindings::portcullis::hooks::content::{self, Host};
use crate::call::Views;
use crate::contract::ContentPart;
use crate::store::HookStore;

impl Host for Views {
    fn parts(&mut self) -> wasmtime::Result<Vec<ContentPart>> {
        Ok(self.content.to_vec())
    }

    fn text(&mut self) -> wasmtime::Result<String> {
        Ok(self
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
    content::add_to_linker::<_, HasSelf<Views>>(linker, |store| &mut store.called().views)
}
