//! The prompt of a turn, put together from what hooks contribute.

use std::sync::Arc;

use portcullis::contract::ContentPart;
use serde::{Deserialize, Serialize};

use super::running::Running;
use crate::error::TurnError;

/// What hooks contributed to a turn's prompt.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct TurnPrompt {}

impl Running {
    /// Puts the turn's prompt together.
    pub(super) async fn assemble(
        &mut self,
        _said: &Arc<Vec<ContentPart>>,
    ) -> Result<(), TurnError> {
        Ok(())
    }

    /// Takes over a prompt that was put together before.
    pub(super) fn take_prompt(&mut self, prompt: TurnPrompt) {
        self.prompt = prompt;
    }

    /// Hands on remarks and jobs.
    pub(super) fn asides(
        &self,
        _asides: Vec<portcullis::prompt::Contributed<portcullis::prompt::Aside>>,
    ) {
    }
}
