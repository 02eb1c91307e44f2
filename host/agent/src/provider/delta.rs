//! Pieces of a response, as they arrive.

use std::ops::ControlFlow;

use futures::FutureExt as _;
use futures::future::BoxFuture;

use super::Signature;

/// A piece of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// Text.
    Text(&'a str),
    /// Reasoning.
    Thinking(&'a str),
}

/// Receives the pieces of a response from a provider.
pub trait DeltaSink: Send {
    /// Receives a piece. After [`ControlFlow::Break`] the rest is not needed: the provider ends the
    /// call with any error, which is ignored.
    fn push<'a>(&'a mut self, delta: Delta<'a>) -> BoxFuture<'a, ControlFlow<()>>;

    /// Receives the signature of reasoning in the response. The provider needs it if the reasoning
    /// is sent back ([`LlmRequest::signatures`](crate::LlmRequest::signatures)). By default it is
    /// lost.
    fn sign(&mut self, _reasoning: &str, _signature: Signature) {}
}

/// A sink that ignores all pieces.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDeltas;

impl DeltaSink for NoDeltas {
    fn push<'a>(&'a mut self, _: Delta<'a>) -> BoxFuture<'a, ControlFlow<()>> {
        std::future::ready(ControlFlow::Continue(())).boxed()
    }
}
