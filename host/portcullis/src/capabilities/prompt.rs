//! `portcullis:hooks/prompt`: what hooks have contributed to the turn's prompt.

use wasmtime::component::{HasSelf, Linker};

use crate::bindings::portcullis::hooks::prompt::{self, Host};
use crate::call::Views;
use crate::contract::{ContextItem, DomainPolicy, PromptSection};
use crate::store::HookStore;

impl Host for Views {
    fn policies(&mut self) -> wasmtime::Result<Vec<DomainPolicy>> {
        let policies = self.prompt.policies.iter();
        Ok(policies.map(|policy| policy.value.clone()).collect())
    }

    fn policy(&mut self, domain: String) -> wasmtime::Result<Option<DomainPolicy>> {
        Ok(self.prompt.policy(&domain).cloned())
    }

    fn context_items(&mut self) -> wasmtime::Result<Vec<ContextItem>> {
        let items = self.prompt.items.iter();
        Ok(items.map(|item| item.value.clone()).collect())
    }

    fn sections(&mut self) -> wasmtime::Result<Vec<PromptSection>> {
        Ok(self.prompt.sections().cloned().collect())
    }

    fn queries(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.prompt.queries.clone())
    }
}

pub(super) fn add_to_linker(linker: &mut Linker<HookStore>) -> wasmtime::Result<()> {
    prompt::add_to_linker::<_, HasSelf<Views>>(linker, |store| &mut store.called().views)
}
