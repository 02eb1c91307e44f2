//! Pieces of a response, as they arrive.

use std::ops::ControlFlow;

use async_trait::async_trait;

/// A piece of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// Text.
    Text(&'a str),
    /// Reasoning.
    Thinking(&'a str),
}

/// Takes the pieces of a response from a provider.
#[async_trait]
pub trait DeltaSink: Send {
    /// Takes a piece. On [`ControlFlow::Break`] the rest is not needed: the provider ends the call
    /// with any error, which is ignored.
    async fn push(&mut self, delta: Delta<'_>) -> ControlFlow<()>;
}

/// A sink that ignores all pieces.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDeltas;

#[async_trait]
impl DeltaSink for NoDeltas {
    async fn push(&mut self, _: Delta<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
