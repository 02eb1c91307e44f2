//! The user's input.

use portcullis::contract::ContentPart;

/// The user's input at the start of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnInput(pub Vec<ContentPart>);

impl From<&str> for TurnInput {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for TurnInput {
    fn from(text: String) -> Self {
        Self(vec![ContentPart::Text(text)])
    }
}

impl From<Vec<ContentPart>> for TurnInput {
    fn from(parts: Vec<ContentPart>) -> Self {
        Self(parts)
    }
}
