//! Finding the pinned messages.

use portcullis_sdk::schemars::{self, JsonSchema};
use portcullis_sdk::types::Message;
use portcullis_sdk::{Error, HookResult};
use regex_lite::Regex;
use serde::Deserialize;

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// A message with this text in it is kept.
    #[serde(default = "pin")]
    marker: String,
    /// Regular expressions. A message that one of them matches is kept.
    #[serde(default)]
    patterns: Vec<String>,
    /// Instructions for the model that writes the summary.
    instructions: Option<String>,
}

fn pin() -> String {
    "[pin]".to_owned()
}

/// The table with its patterns compiled.
#[derive(Debug)]
pub struct Pins {
    marker: String,
    patterns: Vec<Regex>,
    /// Instructions for the model that writes the summary.
    pub instructions: Option<String>,
}

impl Pins {
    /// Compiles the patterns. The error names a bad one.
    pub fn compile(config: Config) -> HookResult<Self> {
        let compile = |(index, pattern): (usize, &String)| {
            Regex::new(pattern).map_err(|fault| {
                Error::bad_config(format_args!("`patterns[{index}]`: `{pattern}`: {fault}"))
            })
        };
        Ok(Self {
            patterns: config
                .patterns
                .iter()
                .enumerate()
                .map(compile)
                .collect::<HookResult<_>>()?,
            marker: config.marker,
            instructions: config.instructions,
        })
    }

    /// Returns the indexes of the pinned messages.
    pub fn indexes(&self, messages: impl Iterator<Item = Message>) -> Vec<u32> {
        (0..)
            .zip(messages)
            .filter(|(_, message)| self.pins(&message.text()))
            .map(|(index, _)| index)
            .collect()
    }

    fn pins(&self, text: &str) -> bool {
        (!self.marker.is_empty() && text.contains(&self.marker))
            || self.patterns.iter().any(|pattern| pattern.is_match(text))
    }
}

#[cfg(test)]
mod tests {
    use super::Pins;
    use portcullis_sdk::types::Message;
    use portcullis_sdk::{HookResult, config};

    fn pins(table: &str) -> HookResult<Pins> {
        Pins::compile(config::from_json(table)?)
    }

    fn conversation() -> impl Iterator<Item = Message> {
        ["[pin] use tabs", "hello", "Decision: ship", ""]
            .map(Message::user)
            .into_iter()
    }

    #[test]
    fn the_marker_pins() {
        let pins = pins("{}").expect("defaults");
        assert_eq!(pins.indexes(conversation()), [0]);
        assert_eq!(pins.instructions, None);
    }

    #[test]
    fn patterns_pin() {
        let pins = pins(r#"{"marker": "", "patterns": ["(?i)^decision:"]}"#).expect("a table");
        assert_eq!(pins.indexes(conversation()), [2]);
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let fault = pins(r#"{"patterns": ["["]}"#).expect_err("an open class");
        assert!(fault.is_bad_config(), "{fault}");
        assert!(
            fault.message().starts_with("`patterns[0]`: `[`: "),
            "{fault}"
        );
    }
}
