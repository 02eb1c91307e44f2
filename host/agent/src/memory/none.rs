//! A memory that stores nothing.

use async_trait::async_trait;
use portcullis::contract::ContentPart;

use super::{Memory, MemoryError, MemoryTurn};

/// Remembers nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoMemory;

#[async_trait]
impl Memory for NoMemory {
    async fn pre_turn_context(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
    ) -> Result<Option<String>, MemoryError> {
        Ok(None)
    }

    async fn post_turn_observe(
        &self,
        _: MemoryTurn<'_>,
        _: &[ContentPart],
        _: &[ContentPart],
    ) -> Result<(), MemoryError> {
        Ok(())
    }
}
