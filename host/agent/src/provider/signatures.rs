//! The signatures of reasoning. Some providers require them when the reasoning is sent back.

use std::collections::HashMap;

use portcullis::contract::{ContentPart, Message};
use serde::{Deserialize, Serialize};

/// The data that a provider requires when its reasoning is sent back to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Signature {
    /// The signature of its text.
    OfText(String),
    /// Reasoning that the provider does not show, encrypted. Its text is empty.
    Redacted {
        /// The reasoning.
        redacted: String,
    },
}

impl From<&str> for Signature {
    fn from(of_text: &str) -> Self {
        Self::OfText(of_text.to_owned())
    }
}

/// The signatures of the reasoning in messages. The contract's messages have no field for them.
///
/// Signatures are found by the reasoning text, so reasoning that a hook has changed has none. Of
/// equal texts, the last one has the signature that was added last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signatures(HashMap<String, Vec<Signature>>);

impl Signatures {
    /// Adds the signature of reasoning.
    pub fn add(&mut self, reasoning: impl Into<String>, signature: impl Into<Signature>) {
        let of_text = self.0.entry(reasoning.into()).or_default();
        of_text.push(signature.into());
    }

    /// Returns a signature for each reasoning part in these messages, in order; `None` if it is not
    /// known.
    pub fn of(&self, messages: &[Message]) -> Vec<Option<&Signature>> {
        self.of_parts(parts(messages))
    }

    fn of_parts<'p>(
        &self,
        parts: impl DoubleEndedIterator<Item = &'p ContentPart>,
    ) -> Vec<Option<&Signature>> {
        let mut used: HashMap<&str, usize> = HashMap::new();
        let from_the_end = reasoning(parts).rev().map(|text| {
            let used = used.entry(text).or_default();
            *used += 1;
            let of_text = self.0.get(text)?;
            let at = of_text.len().checked_sub(*used)?;
            of_text.get(at)
        });
        let mut found: Vec<Option<&Signature>> = from_the_end.collect();
        found.reverse();
        found
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns a signature for each reasoning part in these parts, to be stored with them; empty if
    /// none is known.
    pub(crate) fn list<'p>(
        &self,
        parts: impl DoubleEndedIterator<Item = &'p ContentPart>,
    ) -> Vec<Option<Signature>> {
        let found = self.of_parts(parts);
        if found.iter().all(Option::is_none) {
            return Vec::new();
        }
        found.into_iter().map(|it| it.cloned()).collect()
    }

    /// Returns the signatures of these parts, from a list that was stored with the parts.
    pub(crate) fn from_list<'p>(
        parts: impl DoubleEndedIterator<Item = &'p ContentPart>,
        list: Vec<Option<Signature>>,
    ) -> Self {
        let mut signatures = Self::default();
        for (text, signature) in reasoning(parts).zip(list) {
            if let Some(signature) = signature {
                signatures.add(text, signature);
            }
        }
        signatures
    }

    /// Adds a response's signatures for its content, when the content is added to the messages.
    pub(crate) fn join(&mut self, content: &[ContentPart], of_response: &Self) {
        let found = of_response.of_parts(content.iter());
        for (text, signature) in reasoning(content.iter()).zip(found) {
            if let Some(signature) = signature {
                self.add(text, signature.clone());
            }
        }
    }

    /// Removes the signatures of removed reasoning. `messages` are the remaining messages.
    pub(crate) fn forget(&mut self, gone: Gone, messages: &[Message]) {
        let mut left: HashMap<&str, usize> = HashMap::new();
        for text in reasoning(parts(messages)) {
            *left.entry(text).or_default() += 1;
        }
        self.0.retain(|text, of_text| {
            let left = left.get(text.as_str()).copied().unwrap_or(0);
            match gone {
                Gone::First => drop(of_text.drain(..of_text.len().saturating_sub(left))),
                Gone::Last => of_text.truncate(left),
            }
            !of_text.is_empty()
        });
    }
}

/// The position of the removed messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gone {
    /// The oldest.
    First,
    /// The newest.
    Last,
}

/// Returns the parts of messages.
pub(crate) fn parts(messages: &[Message]) -> impl DoubleEndedIterator<Item = &ContentPart> {
    messages.iter().flat_map(|message| message.content.iter())
}

fn reasoning<'p>(
    parts: impl DoubleEndedIterator<Item = &'p ContentPart>,
) -> impl DoubleEndedIterator<Item = &'p str> {
    parts.filter_map(|part| match part {
        ContentPart::Thinking(text) => Some(text.as_str()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use portcullis::contract::Role;

    use super::*;

    /// Returns a message for each letter. Its reasoning is the letter; `.` has none.
    fn messages(letters: &str) -> Vec<Message> {
        let message = |letter: char| Message {
            role: Role::Assistant,
            content: vec![
                match letter {
                    '.' => ContentPart::Text("x".into()),
                    letter => ContentPart::Thinking(letter.into()),
                },
                ContentPart::Text("y".into()),
            ],
        };
        letters.chars().map(message).collect()
    }

    fn signed(texts: &str) -> Signatures {
        let mut signatures = Signatures::default();
        for (at, text) in texts.chars().enumerate() {
            signatures.add(text, at.to_string().as_str());
        }
        signatures
    }

    fn found(signatures: &Signatures, letters: &str) -> String {
        let messages = messages(letters);
        let found = signatures.of(&messages).into_iter();
        let shown = found.map(|signature| match signature {
            Some(Signature::OfText(text)) => text.as_str(),
            Some(Signature::Redacted { redacted }) => redacted.as_str(),
            None => "-",
        });
        shown.collect()
    }

    #[test]
    fn the_last_of_equal_texts_has_the_last_signature() {
        let signatures = signed("aba");
        for (letters, expected) in [
            ("aba", "012"),
            (".a.ba", "012"),
            // The first message is removed.
            ("ba", "12"),
            ("a", "2"),
            // One message is another provider's.
            ("caba", "-012"),
            ("aaba", "-012"),
            ("", ""),
        ] {
            assert_eq!(found(&signatures, letters), expected, "{letters}");
        }
    }

    #[test]
    fn what_is_kept_as_a_list_is_found_again() {
        let messages = messages(".ab.a");
        let list = signed("aba").list(parts(&messages));
        assert_eq!(list.len(), 3);
        let again = Signatures::from_list(parts(&messages), list);
        assert_eq!(found(&again, ".ab.a"), "012");
        assert!(Signatures::default().list(parts(&messages)).is_empty());
        assert!(Signatures::from_list(parts(&messages), Vec::new()).is_empty());
    }

    #[test]
    fn a_list_is_text_or_what_is_redacted() {
        let list = r#"["sig-1",null,{"redacted":"data-1"}]"#;
        let read: Vec<Option<Signature>> = serde_json::from_str(list).unwrap();
        let redacted = Signature::Redacted {
            redacted: "data-1".to_owned(),
        };
        assert_eq!(read, [Some("sig-1".into()), None, Some(redacted)]);
        assert_eq!(serde_json::to_string(&read).unwrap(), list);
    }

    #[test]
    fn those_of_messages_that_are_gone_are_forgotten() {
        let mut signatures = signed("aba");
        signatures.forget(Gone::First, &messages("ba"));
        assert_eq!(found(&signatures, "aba"), "-12");
        let mut signatures = signed("aba");
        signatures.forget(Gone::Last, &messages("ab"));
        assert_eq!(found(&signatures, "ab"), "01");
        signatures.forget(Gone::Last, &[]);
        assert!(signatures.is_empty());
    }

    #[test]
    fn only_what_hooks_left_as_it_was_keeps_its_signature() {
        let mut signatures = signed("a");
        let of_response = signed("ab");
        signatures.join(&messages("a")[0].content, &of_response);
        signatures.join(&messages("c")[0].content, &of_response);
        assert_eq!(found(&signatures, "aac"), "00-");
    }
}
