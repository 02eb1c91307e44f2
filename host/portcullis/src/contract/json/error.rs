//! An error in a JSON document, and its place.

use std::fmt;

use serde::de::{Expected, Unexpected};
use serde::{de, ser};

use super::name::{Wit, unknown};
use crate::contract::text::sanitize_for_terminal;

/// An error in a JSON document, and its place.
///
/// The text quotes nothing of the document: a hook's answer may contain data that the hook was to
/// remove, and the text of an error goes to the model, the log and the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The place, as a JSON pointer such as `/reject/code`; empty for the whole document.
    pub path: String,
    /// The error, and the correct form.
    pub problem: String,
    /// The key at the path that is not known, if that is the error. The error's text leaves it out.
    pub unknown: Option<String>,
}

impl JsonError {
    pub(crate) fn new(problem: String) -> Self {
        Self {
            path: String::new(),
            problem,
            unknown: None,
        }
    }

    /// Returns the error for a name that is none of these, at an object's key.
    pub(crate) fn unknown_name(what: &str, wrong: &str, right: &'static [&'static str]) -> Self {
        Self {
            unknown: Some(sanitize_for_terminal(wrong)),
            ..Self::new(unknown(what, wrong, right))
        }
    }

    /// Returns the error with `segment` added at the front of its path.
    pub(crate) fn under(mut self, segment: impl fmt::Display) -> Self {
        self.path.insert_str(0, &escaped(&segment.to_string()));
        self
    }

    /// Returns the error with the unknown key at the end of its path, for the author of the
    /// document.
    #[must_use]
    pub fn with_key(mut self) -> Self {
        if let Some(key) = self.unknown.take() {
            self.path.push_str(&escaped(&key));
        }
        self
    }
}

/// Returns a segment of a JSON pointer.
fn escaped(segment: &str) -> String {
    format!("/{}", segment.replace('~', "~0").replace('/', "~1"))
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "at `{}`: ", self.path)?;
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for JsonError {}

impl ser::Error for JsonError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }
}

impl de::Error for JsonError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn missing_field(field: &'static str) -> Self {
        Self::new(format!("the key `{}` is missing", Wit(field)))
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {expected}, found {}", kind(&found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!(
            "expected {expected}, found {} with another value",
            kind(&found)
        ))
    }

    fn unknown_variant(variant: &str, right: &'static [&'static str]) -> Self {
        Self::new(unknown("variant", variant, right))
    }

    fn unknown_field(field: &str, right: &'static [&'static str]) -> Self {
        Self::unknown_name("key", field, right)
    }
}

/// Returns the type of a value that does not fit, without the value.
fn kind(found: &Unexpected<'_>) -> &'static str {
    match found {
        Unexpected::Bool(_) => "a boolean",
        Unexpected::Unsigned(_) | Unexpected::Signed(_) | Unexpected::Float(_) => "a number",
        Unexpected::Char(_) | Unexpected::Str(_) => "a string",
        Unexpected::Bytes(_) | Unexpected::Seq => "an array",
        Unexpected::Unit | Unexpected::Option => "null",
        Unexpected::Map => "an object",
        _ => "another value",
    }
}
