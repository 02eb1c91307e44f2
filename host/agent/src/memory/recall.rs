//! A memory of past turns. They are searched by the words of an input, and the model gets their
//! text.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use portcullis::contract::ContentPart;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Memory, MemoryError, MemoryTurn};

use crate::basics::text;

/// The maximum number of words in a search. More words make the search slower, not better.
const MOST_WORDS: usize = 32;

/// The minimum number of characters of a word in a search. Shorter words are in every text.
const SHORTEST_WORD: usize = 3;

/// The maximum number of bytes of one remembered text that the model gets.
const EXCERPT: usize = 400;

/// How a [`RecallMemory`] behaves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct MemoryConfig {
    /// The most bytes of text that a turn gets. Default: 4,096.
    pub max_context_bytes: usize,
    /// The most past turns that a turn gets. Default: 5.
    pub max_recalled: u32,
    /// The most bytes kept of an input, and of an output. Default: 16,384.
    pub max_kept_bytes: usize,
    /// The most turns kept for one user of one agent in one directory; the oldest are removed first.
    /// Default: 10,000.
    pub max_turns: u32,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self {
            max_context_bytes: 4_096,
            max_recalled: 5,
            max_kept_bytes: 16_384,
            max_turns: 10_000,
        }
    }
}

/// The text of a past turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastTurn {
    /// The user's input.
    pub input: String,
    /// The agent's output.
    pub output: String,
}

/// A store of past turns for a [`RecallMemory`]. `portcullis-store` has one.
///
/// The turns of an agent's users are kept apart; sessions without a user share one memory. The
/// store of `portcullis-store` can also keep the turns of directories apart.
#[async_trait]
pub trait PastTurns: Send + Sync {
    /// Returns the past turns of the user and the agent of `turn` that have any of the words, best
    /// match first. Turns of the same session are left out.
    ///
    /// # Errors
    ///
    /// The turns could not be searched.
    async fn search(
        &self,
        turn: MemoryTurn<'_>,
        words: &BTreeSet<String>,
        most: u32,
    ) -> Result<Vec<PastTurn>, MemoryError>;

    /// Stores a turn, and removes the oldest turns beyond `most` of its user and agent, and of its
    /// directory if the turns of directories are kept apart.
    ///
    /// # Errors
    ///
    /// The turn could not be stored.
    async fn keep(
        &self,
        turn: MemoryTurn<'_>,
        text: PastTurn,
        most: u32,
    ) -> Result<(), MemoryError>;
}

/// A memory that stores the text of every turn that has an output.
///
/// A new turn gets the past turns of the same user and agent that share words with its input, best
/// match first. Turns of the same session are left out, because the conversation has them.
#[derive(Clone)]
pub struct RecallMemory {
    turns: Arc<dyn PastTurns>,
    config: MemoryConfig,
}

impl RecallMemory {
    /// Creates a memory with this store of past turns.
    pub fn new(turns: Arc<dyn PastTurns>, config: MemoryConfig) -> Self {
        Self { turns, config }
    }
}

#[async_trait]
impl Memory for RecallMemory {
    async fn pre_turn_context(
        &self,
        turn: MemoryTurn<'_>,
        input: &[ContentPart],
    ) -> Result<Option<String>, MemoryError> {
        let words = words(&text::joined(input));
        if words.is_empty() {
            return Ok(None);
        }
        let found = self.turns.search(turn, &words, self.config.max_recalled);
        Ok(render(&found.await?, self.config.max_context_bytes))
    }

    async fn post_turn_observe(
        &self,
        turn: MemoryTurn<'_>,
        input: &[ContentPart],
        output: &[ContentPart],
    ) -> Result<(), MemoryError> {
        let kept = |parts| text::cut(&text::joined(parts), self.config.max_kept_bytes).into_owned();
        let text = PastTurn {
            input: kept(input),
            output: kept(output),
        };
        self.turns.keep(turn, text, self.config.max_turns).await
    }
}

/// Returns the words of a text that are useful for a search, in lower case. They contain only
/// letters and digits.
fn words(said: &str) -> BTreeSet<String> {
    said.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.chars().count() >= SHORTEST_WORD)
        .map(str::to_lowercase)
        .take(MOST_WORDS)
        .collect()
}

/// Returns text for the model of at most `most_bytes`; `None` if there are no past turns or none
/// fits.
fn render(found: &[PastTurn], most_bytes: usize) -> Option<String> {
    let mut out = String::from("[From earlier conversations, for reference:]");
    let mut any = false;
    for PastTurn { input, output } in found {
        let entry = format!(
            "\n- The user said: {}\n  The answer was: {}",
            line(input),
            line(output)
        );
        if out.len() + entry.len() > most_bytes {
            break;
        }
        out.push_str(&entry);
        any = true;
    }
    any.then_some(out)
}

/// Returns an excerpt as one line.
fn line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let joined = words.join(" ");
    match text::prefix(&joined, EXCERPT) {
        whole if whole.len() == joined.len() => joined,
        start => format!("{start}…"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_never_syntax() {
        let found: Vec<String> = words("NEAR(milk) \"AND\" to -buy* it")
            .into_iter()
            .collect();
        assert_eq!(found, ["and", "buy", "milk", "near"]);
        assert!(words("a b! ?").is_empty() && words("").is_empty());
    }

    #[test]
    fn turns_that_do_not_fit_are_left_out() {
        let found = |n: usize| PastTurn {
            input: format!("question {n}\nsecond line"),
            output: "answer ".repeat(200),
        };
        let text = render(&[found(1), found(2), found(3)], 1_100).unwrap();
        assert!(text.len() <= 1_100, "{}", text.len());
        assert!(text.contains("question 1 second line") && text.contains("question 2"));
        assert!(!text.contains("question 3"));
        assert_eq!(render(&[found(1)], 100), None);
        assert_eq!(render(&[], 1_000), None);
    }
}
