//! The id of a request.

use serde_json::Value;

use super::Malformed;

/// The id of a request: a string or a number. Two spellings of one string are one id.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Id(String);

impl Id {
    /// Parses an id; `None` if it is `null`.
    ///
    /// # Errors
    ///
    /// The id is not a string, a number or `null`.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, Malformed> {
        match serde_json::from_str(text)? {
            Value::Null => Ok(None),
            // The original text, because a large number would lose digits.
            Value::Number(_) => Ok(Some(Self(text.to_owned()))),
            Value::String(id) => Ok(Some(Self::from(id.as_str()))),
            _ => Err(Malformed::new("an id is a string or a number")),
        }
    }

    /// Returns the id as JSON.
    pub(crate) fn json(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Id {
    /// Returns the id with this string.
    fn from(id: &str) -> Self {
        Self(Value::from(id).to_string())
    }
}
