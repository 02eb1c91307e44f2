//! A build without the feature `http`: no component that imports `wasi:http` is loaded, so these
//! types have no values.

use std::any::Any;

use crate::contract::linked::component::Linker;
use crate::model::reached::Used;
use crate::model::trace_context::TraceContext;
use crate::sandbox::capabilities::capability::{OpenError, Sources};
use crate::sandbox::capabilities::{CallMode, InstanceContext, InstanceState};
use crate::sandbox::component::Setup;
use crate::sandbox::store::HookStore;

/// The servers that a hook may send requests to: none.
#[derive(Debug, PartialEq)]
pub(crate) enum Egress {}

/// An instance's requests: none.
pub(crate) enum Http {}

impl Http {
    /// Returns the most bytes of headers of a request or a response.
    pub(crate) fn header_bytes(&self) -> usize {
        match *self {}
    }

    /// Sets the span of the next requests.
    pub(crate) fn trace(&mut self, _: Option<TraceContext>) {
        match *self {}
    }

    /// Notes the rules that allowed the call's requests.
    pub(crate) fn mark(&mut self, _: &mut Used) {
        match *self {}
    }
}

impl InstanceState for Option<Box<Http>> {
    fn new(_: &InstanceContext<'_>) -> Self {
        None
    }
}

/// Returns whether a resource contains no other data.
pub(in crate::sandbox::capabilities) fn is_small(_: &(dyn Any + Send)) -> bool {
    false
}

pub(super) fn open(_: &mut Setup, _: &Sources<'_>) -> Result<(), Vec<OpenError>> {
    Ok(())
}

pub(super) fn link(_: &mut Linker<HookStore>, _: CallMode) -> wasmtime::Result<()> {
    Ok(())
}
