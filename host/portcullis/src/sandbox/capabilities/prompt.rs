//! `portcullis:hooks/prompt`: the contributions of hooks to the turn's prompt.

use wasmtime::component::HasSelf;

use super::{Capability, Permission};
use crate::contract::bindings::portcullis::hooks::prompt::{self, Host};
use crate::contract::{ContextItem, DomainPolicy, PromptSection};
use crate::model::current::CurrentCall;
use crate::model::view::View;

impl Host for CurrentCall {
    fn policies(&mut self) -> wasmtime::Result<Vec<DomainPolicy>> {
        let policies = self.views().prompt.policies.iter();
        Ok(policies.map(|policy| policy.value.clone()).collect())
    }

    fn policy(&mut self, domain: String) -> wasmtime::Result<Option<DomainPolicy>> {
        Ok(self.views().prompt.policy(&domain).cloned())
    }

    fn context_items(&mut self) -> wasmtime::Result<Vec<ContextItem>> {
        let items = self.views().prompt.items.iter();
        Ok(items.map(|item| item.value.clone()).collect())
    }

    fn sections(&mut self) -> wasmtime::Result<Vec<PromptSection>> {
        Ok(self.views().prompt.sections().cloned().collect())
    }

    fn queries(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.views().prompt.queries.clone())
    }
}

pub(super) const CAPABILITY: Capability = Capability {
    permission: Permission::View(View::Prompt),
    ..Capability::new(
        &["portcullis:hooks/prompt"],
        "read what other hooks contribute to the prompt",
        |linker, _| {
            prompt::add_to_linker::<_, HasSelf<CurrentCall>>(linker, |store| {
                &mut store.called().current
            })
        },
    )
};
