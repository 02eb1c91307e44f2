//! The recall plan, made before `prompt-recall` (HookRuntime's preflight).

use async_trait::async_trait;
use portcullis::contract::{ContentPart, Message};
use portcullis::prompt::Prompt;
use serde::{Deserialize, Serialize};

use super::words;
use crate::basics::text;

/// The turn to plan for.
#[derive(Debug, Clone, Copy)]
pub struct PreflightTurn<'a> {
    /// The agent.
    pub agent: &'a str,
    /// The user, as the embedder names them.
    pub user: Option<&'a str>,
    /// The session.
    pub session_id: &'a str,
    /// The turn, counted from 1.
    pub turn: u32,
    /// The user's input.
    pub said: &'a [ContentPart],
    /// The messages so far, including the input.
    pub conversation: &'a [Message],
    /// The hooks' contributions so far.
    pub prompt: &'a Prompt,
}

/// The queries of a recall, and its limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreflightPlan {
    /// The search queries. Hooks read them in the view `prompt`.
    pub queries: Vec<String>,
    /// The maximum number of items to recall.
    pub max_items: u32,
    /// The maximum number of tokens to recall.
    pub max_tokens: u64,
    /// Whether the plan is the fallback, made without a planner.
    pub fallback: bool,
}

/// The reason that there is no plan. The turn continues with the fallback.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("no plan of what to recall: {0}")]
pub struct PreflightError(pub String);

/// Plans a turn's recall. It is called only if a hook serves `prompt-recall`.
#[async_trait]
pub trait Preflight: Send + Sync {
    /// Returns the plan for a turn.
    ///
    /// # Errors
    ///
    /// The reason that there is no plan; [`FallbackPreflight`] then makes one.
    async fn plan(&self, turn: PreflightTurn<'_>) -> Result<PreflightPlan, PreflightError>;
}

/// Plans without a model: the queries are the significant words of the input. The same input always
/// gives the same plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FallbackPreflight {
    /// The maximum number of queries. Default: 16.
    pub max_queries: usize,
    /// The maximum number of items to recall. Default: 8.
    pub max_items: u32,
    /// The maximum number of tokens to recall. Default: 512.
    pub max_tokens: u64,
}

impl Default for FallbackPreflight {
    fn default() -> Self {
        Self {
            max_queries: 16,
            max_items: 8,
            max_tokens: 512,
        }
    }
}

impl FallbackPreflight {
    /// Returns the plan for a user's input.
    pub fn of(&self, said: &[ContentPart]) -> PreflightPlan {
        PreflightPlan {
            queries: words::content(&text::joined(said), self.max_queries),
            max_items: self.max_items,
            max_tokens: self.max_tokens,
            fallback: true,
        }
    }
}

#[async_trait]
impl Preflight for FallbackPreflight {
    async fn plan(&self, turn: PreflightTurn<'_>) -> Result<PreflightPlan, PreflightError> {
        Ok(self.of(turn.said))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fallback_searches_for_significant_words() {
        let said = [ContentPart::Text(
            "Where did I leave my red bicycle?".into(),
        )];
        let plan = FallbackPreflight::default().of(&said);
        assert_eq!(plan.queries, ["leave", "red", "bicycle"]);
        assert!(plan.fallback);
        assert_eq!(plan, FallbackPreflight::default().of(&said));
    }
}
