//! `portcullis:hooks/conversation`: the messages so far.

use wasmtime::component::HasSelf;

use super::{Capability, Permission};
use crate::contract::Message;
use crate::contract::bindings::portcullis::hooks::conversation::{self, Host};
use crate::model::current::CurrentCall;
use crate::model::view::View;

impl Host for CurrentCall {
    fn len(&mut self) -> wasmtime::Result<u32> {
        Ok(u32::try_from(self.views().conversation.len()).unwrap_or(u32::MAX))
    }

    fn last(&mut self) -> wasmtime::Result<Option<Message>> {
        Ok(self.views().conversation.last().cloned())
    }

    fn get(&mut self, index: u32) -> wasmtime::Result<Option<Message>> {
        Ok(self.views().conversation.get(index as usize).cloned())
    }

    fn slice(&mut self, start: u32, end: u32) -> wasmtime::Result<Vec<Message>> {
        let end = (end as usize).min(self.views().conversation.len());
        let slice = self.views().conversation.get(start as usize..end);
        Ok(slice.unwrap_or_default().to_vec())
    }

    fn turn_start(&mut self) -> wasmtime::Result<u32> {
        let views = self.views();
        let start = views.turn_start.min(views.conversation.len());
        Ok(u32::try_from(start).unwrap_or(u32::MAX))
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::View(View::Conversation),
    reads: |_| Some(View::Conversation.name().to_owned()),
    ..Capability::new(
        &["portcullis:hooks/conversation"],
        "read the whole conversation",
        |linker, _| {
            conversation::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
                &mut store.called().current
            })
        },
    )
};
