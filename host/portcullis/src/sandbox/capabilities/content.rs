//! `portcullis:hooks/content`: the current content.

use wasmtime::component::HasSelf;

use super::{Capability, Permission};
use crate::contract::ContentPart;
use crate::contract::bindings::portcullis::hooks::content::{self, Host};
use crate::model::current::CurrentCall;
use crate::model::view::View;

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

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::View(View::Content),
    reads: |_| Some(View::Content.name().to_owned()),
    ..Capability::new(
        &["portcullis:hooks/content"],
        "read the content of a call: what the user, the model or the turn says",
        |linker, _| {
            content::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
                &mut store.called().current
            })
        },
    )
};
