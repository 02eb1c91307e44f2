//! Pieces of a response, as they come.

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

/// Where a provider puts the pieces of a response.
#[async_trait]
pub trait DeltaSink: Send {
    /// Takes a piece. [`ControlFlow::Break`] means that nobody wants the rest: the provider ends
    /// the call with any error, which is not looked at.
    async fn push(&mut self, delta: Delta<'_>) -> ControlFlow<()>;
}

/// A sink for callers that want the whole response only.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDeltas;

#[async_trait]
impl DeltaSink for NoDeltas {
    async fn push(&mut self, _: Delta<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
