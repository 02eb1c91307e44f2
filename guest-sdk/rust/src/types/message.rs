//! Making and reading messages.

use super::{ContentPart, Message, Role};

impl ContentPart {
    /// Creates a text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns the text, if this part is a text.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Message {
    /// Creates a message of one text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            content: vec![ContentPart::text(text)],
        }
    }

    /// Creates a message of instructions for the model.
    pub fn system(text: impl Into<String>) -> Self {
        Self::new(Role::System, text)
    }

    /// Creates a message of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self::new(Role::User, text)
    }

    /// Creates a message of the model.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::new(Role::Assistant, text)
    }

    /// Returns the text parts, joined.
    pub fn text(&self) -> String {
        self.content
            .iter()
            .filter_map(ContentPart::as_text)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{ContentPart, Message};

    #[test]
    fn the_text_leaves_out_what_is_none() {
        let mut message = Message::user("How ");
        message.content.push(ContentPart::Thinking("hm".into()));
        message.content.push(ContentPart::text("so?"));
        assert_eq!(message.text(), "How so?");
    }
}
