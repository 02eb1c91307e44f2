//! The id of a request.

use serde_json::Value;

use super::Malformed;

/// The id of a request: a string or a number. Two spellings of one string are one id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Id(String);

impl Id {
    /// Reads an id; `None` is `null`.
    ///
    /// # Errors
    ///
    /// It is neither a string nor a number nor `null`.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, Malformed> {
        match serde_json::from_str(text)? {
            Value::Null => Ok(None),
            // As it is written: a large one would lose digits.
            Value::Number(_) => Ok(Some(Self(text.to_owned()))),
            Value::String(id) => Ok(Some(Self::from(id.as_str()))),
            _ => Err(Malformed::new("an id is a string or a number")),
        }
    }

    /// The id as JSON.
    pub(crate) fn json(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Id {
    /// The id that is this string.
    fn from(id: &str) -> Self {
        Self(Value::from(id).to_string())
    }
}
