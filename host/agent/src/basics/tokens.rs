//! Estimates of token counts, without the model's tokenizer.

use portcullis::contract::{ContentPart, Message};
use portcullis::tools::ToolCatalog;

/// Characters per token: the average of tokenizers on English text and code.
const CHARS_PER_TOKEN: u64 = 4;

/// The tokens of a message's role and separators.
const PER_MESSAGE: u64 = 4;

/// The tokens of a picture. Providers count by its size, which is not known here.
const PER_IMAGE: u64 = 1_000;

/// Returns a text's tokens.
pub(crate) fn of_text(text: &str) -> u64 {
    (text.chars().count() as u64).div_ceil(CHARS_PER_TOKEN)
}

/// Returns a part's tokens.
pub(crate) fn of_part(part: &ContentPart) -> u64 {
    match part {
        ContentPart::Text(text) | ContentPart::Thinking(text) => of_text(text),
        ContentPart::Image(_) => PER_IMAGE,
        ContentPart::ToolCall(call) => of_text(&call.name) + of_text(&call.arguments),
        ContentPart::ToolResult(result) => of_text(&result.content),
    }
}

/// Returns a message's tokens.
pub(crate) fn of_message(message: &Message) -> u64 {
    PER_MESSAGE + message.content.iter().map(of_part).sum::<u64>()
}

/// Returns the tokens of all messages.
pub(crate) fn of_messages(messages: &[Message]) -> u64 {
    messages.iter().map(of_message).sum()
}

/// Returns the tokens of the tools' descriptions.
pub(crate) fn of_tools(tools: &ToolCatalog) -> u64 {
    tools
        .specs()
        .map(|spec| of_text(&spec.name) + of_text(&spec.description) + of_text(&spec.schema))
        .sum()
}

/// Counts a conversation's tokens: the provider's count at the last response, and an estimate for
/// the messages since. Each message is counted once.
#[derive(Debug, Clone, Default)]
pub(crate) struct TokenMeter {
    /// The tokens of the first `counted` messages.
    tokens: u64,
    counted: usize,
}

impl TokenMeter {
    /// Returns the tokens of these messages and tools.
    pub(crate) fn read(&mut self, messages: &[Message], tools: &ToolCatalog) -> u64 {
        if self.counted == 0 || self.counted > messages.len() {
            self.tokens = of_tools(tools);
            self.counted = 0;
        }
        self.tokens += of_messages(messages.get(self.counted..).unwrap_or_default());
        self.counted = messages.len();
        self.tokens
    }

    /// Sets the tokens of the first `messages` messages, as the provider counted them.
    pub(crate) fn set(&mut self, tokens: u64, messages: usize) {
        self.tokens = tokens;
        self.counted = messages;
    }

    /// Forgets the count, because messages were removed or changed.
    pub(crate) fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use portcullis::contract::Role;

    use super::*;
    use crate::basics::text;

    fn says(words: &str) -> Message {
        text::message(Role::User, words)
    }

    #[test]
    fn real_usage_counts_and_new_messages_are_estimated() {
        let tools = ToolCatalog::default();
        let mut meter = TokenMeter::default();
        let mut messages = vec![says("12345678")];
        assert_eq!(meter.read(&messages, &tools), 6);
        assert_eq!(meter.read(&messages, &tools), 6, "counted once");
        messages.push(says("ok"));
        meter.set(1_000, messages.len());
        assert_eq!(meter.read(&messages, &tools), 1_000);
        messages.push(says("123456789"));
        assert_eq!(meter.read(&messages, &tools), 1_007);
        meter.reset();
        assert_eq!(meter.read(&messages, &tools), 6 + 5 + 7);
    }

    #[test]
    fn fewer_messages_are_counted_again() {
        let tools = ToolCatalog::default();
        let mut meter = TokenMeter::default();
        meter.set(500, 3);
        assert_eq!(meter.read(&[says("1234")], &tools), 5);
    }
}
