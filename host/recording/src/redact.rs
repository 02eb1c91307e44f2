//! Redaction of calls before they are written.

mod recorded;

use std::borrow::Cow;

use portcullis::secrets::Secrets;
use regex::Regex;
use serde_json::{Map, Value};

use crate::error::RecordingError;

/// The replacement for a rule's match.
const REDACTED: &str = "[redacted]";

/// An operator's rule: its matches in a text are replaced.
#[derive(Debug, Clone)]
pub struct Rule(Regex);

impl Rule {
    /// Creates a rule from a regular expression.
    ///
    /// # Errors
    ///
    /// The expression is invalid.
    pub fn new(expression: &str) -> Result<Self, RecordingError> {
        Regex::new(expression).map(Self).map_err(|error| {
            // The lines before the last show the place in the expression.
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            RecordingError::Rule {
                rule: expression.to_owned(),
                cause: last.strip_prefix("error: ").unwrap_or(last).to_owned(),
            }
        })
    }
}

/// The redactions in a written value.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Found {
    /// Whether a rule matched.
    pub(crate) rule: bool,
    /// Whether a key or a number changed, so that the value may no longer fit its type.
    pub(crate) reshaped: bool,
    /// The reason why the call cannot be replayed.
    pub(crate) missing: Option<&'static str>,
}

impl Found {
    /// Records why the call cannot be replayed. The first reason stays.
    pub(crate) fn misses(&mut self, why: &'static str) {
        self.missing = self.missing.or(Some(why));
    }

    /// Adds the redactions in a part of the value.
    pub(crate) fn add(&mut self, part: Self) {
        self.rule |= part.rule;
        self.reshaped |= part.reshaped;
        self.missing = self.missing.or(part.missing);
    }
}

/// The redaction of calls: hooks' secrets, always, and matches of the operator's rules.
#[derive(Debug, Clone, Default)]
pub struct Redaction {
    rules: Vec<Rule>,
}

impl Redaction {
    /// Creates a redaction with these rules, in order.
    pub fn new(rules: Vec<Rule>) -> Self {
        Self { rules }
    }

    /// Returns whether there are rules or secrets to look for.
    pub(crate) fn is_needed(&self, secrets: &Secrets) -> bool {
        !self.rules.is_empty() || !secrets.is_empty()
    }

    /// Returns a text without secrets and without the rules' matches. Sets `found` if a rule
    /// matched.
    pub(crate) fn plain_text(&self, text: &str, secrets: &Secrets, found: &mut bool) -> String {
        self.text(secrets.redact(text).into_owned(), found)
    }

    /// Returns the value without secrets and without the rules' matches, in its keys and numbers
    /// too.
    pub(crate) fn value(&self, value: Value, secrets: &Secrets, found: &mut Found) -> Value {
        match value {
            Value::String(text) => Value::String(self.plain_text(&text, secrets, &mut found.rule)),
            Value::Array(list) => {
                let list = list.into_iter();
                list.map(|value| self.value(value, secrets, found))
                    .collect()
            }
            Value::Object(map) => {
                let mut clean = Map::new();
                for (key, value) in map {
                    let value = match bytes_of(&value) {
                        // The bytes of an image.
                        Some(bytes) if key.eq_ignore_ascii_case("bytes") => self
                            .bytes(&bytes, secrets, found)
                            .map_or(value, Value::from),
                        _ => self.value(value, secrets, found),
                    };
                    let plain = self.plain_text(&key, secrets, &mut found.rule);
                    found.reshaped |= plain != key;
                    if clean.insert(plain, value).is_some() {
                        found.misses("two keys of a value are one without what must not be kept");
                    }
                }
                Value::Object(clean)
            }
            Value::Number(number) => {
                let text = number.to_string();
                let plain = self.plain_text(&text, secrets, &mut found.rule);
                if plain == text {
                    return Value::Number(number);
                }
                found.reshaped = true;
                Value::String(plain)
            }
            other => other,
        }
    }

    /// Removes secrets and the rules' matches from the texts of a value. The value's keys and
    /// numbers are the host's.
    pub(crate) fn texts(&self, value: &mut Value, secrets: &Secrets, found: &mut Found) {
        match value {
            Value::String(text) => *text = self.plain_text(text, secrets, &mut found.rule),
            Value::Array(list) => {
                for value in list {
                    self.texts(value, secrets, found);
                }
            }
            Value::Object(map) => {
                for value in map.values_mut() {
                    self.texts(value, secrets, found);
                }
            }
            _ => {}
        }
    }

    /// Returns the bytes without secrets and without the rules' matches; `None` if they contain
    /// neither.
    fn bytes(&self, bytes: &[u8], secrets: &Secrets, found: &mut Found) -> Option<Vec<u8>> {
        let lossy = String::from_utf8_lossy(bytes);
        let mut found_here = false;
        let plain = self.plain_text(&lossy, secrets, &mut found_here);
        if plain == lossy {
            return None;
        }
        found.rule |= found_here;
        if std::str::from_utf8(bytes).is_ok() {
            return Some(plain.into_bytes());
        }
        found.misses("bytes that are no text have what must not be kept");
        Some(REDACTED.into())
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

/// Returns the bytes if the value is a list of bytes.
fn bytes_of(value: &Value) -> Option<Vec<u8>> {
    let list = value.as_array().filter(|list| !list.is_empty())?.iter();
    list.map(|byte| u8::try_from(byte.as_u64()?).ok()).collect()
}

#[cfg(test)]
mod tests;
