//! Compiling and matching the patterns.

use portcullis_sdk::prelude::*;
use regex_lite::Regex;
use serde::Deserialize;

const REASON: &str = "The message was blocked by a content policy.";

/// The operator's table.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Regular expressions. A turn whose text matches one of them is refused.
    #[schemars(length(min = 1), inner(length(min = 1)), example = [r"(?i)ignore (all )?previous instructions"])]
    patterns: Vec<String>,
    /// The reason that the person is shown. A general sentence if left out.
    reason: Option<String>,
}

/// The table with its patterns compiled.
#[derive(Debug)]
pub struct Patterns {
    patterns: Vec<Regex>,
    reason: String,
}

impl Patterns {
    /// Compiles the patterns. The error names a bad one.
    pub fn compile(config: Config) -> HookResult<Self> {
        if config.patterns.is_empty() {
            return Err(Error::bad_config(
                "`patterns`: must hold at least one pattern",
            ));
        }
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
            reason: config.reason.unwrap_or_else(|| REASON.to_owned()),
        })
    }

    /// Returns the first pattern that the text matches.
    pub fn matching(&self, text: &str) -> Option<&str> {
        self.patterns
            .iter()
            .find(|pattern| pattern.is_match(text))
            .map(Regex::as_str)
    }

    /// Returns the reason that the person is shown.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

#[cfg(test)]
mod tests {
    use super::{Patterns, REASON};
    use portcullis_sdk::{Error, HookResult, config};

    fn patterns(table: &str) -> HookResult<Patterns> {
        Patterns::compile(config::from_json(table)?)
    }

    #[test]
    fn the_first_match_is_named() {
        let patterns =
            patterns(r#"{"patterns": ["(?i)drop\\s+table", "secret"]}"#).expect("patterns");
        assert_eq!(
            patterns.matching("please DROP  TABLE users, secret"),
            Some(r"(?i)drop\s+table")
        );
        assert_eq!(patterns.matching("a secret"), Some("secret"));
        assert_eq!(patterns.matching("hello"), None);
        assert_eq!(patterns.reason(), REASON);
    }

    #[test]
    fn a_bad_pattern_is_named() {
        let fault = patterns(r#"{"patterns": ["ok", "(oops"]}"#).expect_err("an open group");
        assert!(fault.is_bad_config(), "{fault}");
        let named = fault.message().starts_with("`patterns[1]`: `(oops`: ");
        assert!(named, "{fault}");
    }

    #[test]
    fn guarding_nothing_is_a_mistake() {
        let empty = Error::bad_config("`patterns`: must hold at least one pattern");
        assert_eq!(patterns(r#"{"patterns": []}"#).err(), Some(empty));
        assert_eq!(
            patterns("{}").err(),
            Some(Error::bad_config("missing field `patterns`"))
        );
    }
}
