//! An error in a JSON document, and its place.

use std::fmt;

use serde::{de, ser};

use super::name::Wit;

/// An error in a JSON document, and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonError {
    /// The place, as a JSON pointer such as `/reject/code`; empty for the whole document.
    pub path: String,
    /// The error, and the correct form.
    pub problem: String,
}

impl JsonError {
    pub(crate) fn new(problem: String) -> Self {
        Self {
            path: String::new(),
            problem,
        }
    }

    /// Returns the same error, seen from one level further out.
    pub(crate) fn under(mut self, segment: impl fmt::Display) -> Self {
        let segment = segment.to_string().replace('~', "~0").replace('/', "~1");
        self.path.insert_str(0, &segment);
        self.path.insert(0, '/');
        self
    }
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
}
