//! What is taken out of calls before they are written down.

use std::borrow::Cow;

use portcullis::secrets::Secrets;
use regex::Regex;
use serde_json::Value;

use crate::error::RecordingError;

/// What stands in the place of what a rule finds.
const REDACTED: &str = "[redacted]";

/// A rule of the operator's: what it finds in a text is replaced.
#[derive(Debug, Clone)]
pub struct Rule(Regex);

impl Rule {
    /// A rule for what this regular expression finds.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn new(expression: &str) -> Result<Self, RecordingError> {
        Regex::new(expression).map(Self).map_err(|error| {
            // What is above shows the place in the expression, over several lines.
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            RecordingError::Rule {
                rule: expression.to_owned(),
                cause: last.strip_prefix("error: ").unwrap_or(last).to_owned(),
            }
        })
    }
}

/// What is taken out of calls: the secrets of hooks, always, and what the operator's rules find.
#[derive(Debug, Clone, Default)]
pub struct Redaction {
    rules: Vec<Rule>,
}

impl Redaction {
    /// With these rules, in order.
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules }
    }

    /// Whether there is something to look for.
    pub(crate) fn is_needed(&self, secrets: &Secrets) -> bool {
        !self.rules.is_empty() || !secrets.is_empty()
    }

    /// The value without secrets and without what the rules find. Says whether a rule found something.
    pub(crate) fn apply(&self, value: Value, secrets: &Secrets) -> (Value, bool) {
        let mut found = false;
        let value = self.ruled(secrets.redact_json(value), &mut found);
        (value, found)
    }

    /// A text without secrets and without what the rules find. Says whether a rule found something.
    pub(crate) fn plain_text(&self, text: &str, secrets: &Secrets, found: &mut bool) -> String {
        self.text(secrets.redact(text).into_owned(), found)
    }

    fn ruled(&self, value: Value, found: &mut bool) -> Value {
        match value {
            _ if self.rules.is_empty() => value,
            Value::String(text) => Value::String(self.text(text, found)),
            Value::Array(list) => list.into_iter().map(|v| self.ruled(v, found)).collect(),
            Value::Object(map) => {
                let entries = map.into_iter();
                Value::Object(
                    entries
                        .map(|(key, value)| (key, self.ruled(value, found)))
                        .collect(),
                )
            }
            other => other,
        }
    }

    fn text(&self, mut text: String, found: &mut bool) -> String {
        for Rule(rule) in &self.rules {
            if let Cow::Owned(replaced) = rule.replace_all(&text, REDACTED) {
                *found = true;
                text = replaced;
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_rule_is_one_line() {
        for (rule, cause) in [
            ("(", "unclosed group"),
            ("a\n[", "unclosed character class"),
        ] {
            let error = Rule::new(rule).expect_err(rule).to_string();
            assert!(error.contains(&format!("expression: {cause}; ")), "{error}");
        }
    }
}
